"""Each stage against its peers, in process, on the same pages."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cchardet
import charset_normalizer
import justext
import py3langid
import pycld2
from crawls import Crawl, Page, english, sample
from lxml import etree
from paired import paired
from warcio.archiveiterator import ArchiveIterator

from corpusprep import languages
from corpusprep.archive.records import records
from corpusprep.encoding import charsets
from corpusprep.languages.filtering import Judge
from corpusprep.pages import html
from corpusprep.pages.algorithms.justext import JusText
from corpusprep.pages.boilerplate import CHUNK_BYTES
from corpusprep.pages.segmentation import Segmenter, title_of
from corpusprep.text.tokenizer import Tokenizer

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(slots=True, frozen=True)
class Line:
    """A line of the table. `least` is the ratio to reach, or for lines without a peer, the pages a second."""

    stage: str
    crawl: str
    pages_per_second: float
    megabytes_per_second: float
    peer: str = ""
    ratio: float | None = None
    least: float | None = None


def lines(crawl: Crawl) -> Iterator[Line]:
    """All stages on one crawl."""
    for stage in (_reading, _encoding, _boilerplate, _language, _tokens):
        yield from stage(crawl)


def _compared(
    stage: str,
    crawl: Crawl,
    peer: str,
    least: float,
    ours: Callable[[], object],
    other: Callable[[], object],
    size: tuple[int, int],
    share: float = 1.0,
) -> Line:
    """`size`: pages and bytes that `ours` works on; `share` of the bytes, what `other` does."""
    found = paired(ours, other, share)
    return Line(stage, crawl.name, size[0] / found.seconds, size[1] / found.seconds / 1e6, peer, found.ratio, least)


def _size(pages: Sequence[Page]) -> tuple[int, int]:
    return len(pages), sum(len(page.body) for page in pages)


def _reading(crawl: Crawl) -> Iterator[Line]:
    def ours() -> tuple[int, int]:
        bodies = [len(record.body) for record in records(crawl.archive)]
        return len(bodies), sum(bodies)

    def warcio() -> tuple[int, int]:
        with crawl.archive.open("rb") as stream:
            bodies = [
                len(record.content_stream().read()) if record.rec_type == "response" else 0
                for record in ArchiveIterator(stream)
            ]
        return len(bodies), sum(bodies)

    if ours() != warcio():
        raise RuntimeError(f"{crawl.name}: records and bytes differ: {ours()}, warcio {warcio()}")
    yield _compared("reading", crawl, "warcio", 2.2, ours, warcio, _size(crawl.pages))


def _encoding(crawl: Crawl) -> Iterator[Line]:
    """UTF-8 pages beside one peer, the others beside another.

    The 63 others of docs-0 are mostly Korean and Japanese, which charset-normalizer settles by what they declare, in
    0.4 ms a page. Here a declaration is no evidence: their 135,000 bytes beyond ASCII are looked at until they can no
    longer be UTF-8, and then as English in windows-1252, which has few of them. That takes some 10 µs a page.
    """
    model = english()

    def detect(pages: list[Page]) -> Callable[[], None]:
        def work() -> None:
            for page in pages:
                charsets.detect(page.body, model)

        return work

    def cchardets() -> None:
        for page in utf8:
            cchardet.detect(page.body)

    def normalizer() -> None:
        for page in few:
            charset_normalizer.from_bytes(page.body).best()

    utf8 = [page for page in crawl.pages if page.encoding == "utf-8"]
    rest = [page for page in crawl.pages if page.encoding != "utf-8"]
    if utf8:
        yield _compared("encoding", crawl, "faust-cchardet, UTF-8", 1, detect(utf8), cchardets, _size(utf8))
    if rest:
        few = rest[:: max(1, len(rest) // 60)]
        share = _size(few)[1] / _size(rest)[1]
        yield _compared("encoding", crawl, "charset-normalizer", 20, detect(rest), normalizer, _size(rest), share)


def _boilerplate(crawl: Crawl) -> Iterator[Line]:
    stop_words = english().stop_words
    stop_list = justext.get_stoplist("English")

    def ours() -> None:
        segmenter, classifier, waiting = Segmenter(stop_words), JusText(), 0
        for page in crawl.pages:
            root = None
            with contextlib.suppress(html.PageError):
                root = html.parse(charsets.decode(page.body, page.encoding)[0])
            segmenter.add(root)
            title_of(root)
            waiting += len(page.body)
            if waiting >= CHUNK_BYTES:
                classifier.classify(segmenter.take())
                waiting = 0
        classifier.classify(segmenter.take())

    def peer() -> None:
        for page in few:
            with contextlib.suppress(etree.LxmlError, ValueError, AssertionError):
                justext.justext(page.body, stop_list, encoding=page.encoding)

    few, size = sample(crawl.pages), _size(crawl.pages)
    yield _compared("boilerplate", crawl, "justext", 10, ours, peer, size, _size(few)[1] / size[1])
    yield _compared("boilerplate", crawl, "lxml parsing alone", 1 / 1.35, ours, lambda: parse(crawl.pages), size)


def parse(pages: Sequence[Page]) -> None:
    """Parses pages with lxml as it comes, and lets the trees go."""
    for page in pages:
        with contextlib.suppress(etree.LxmlError):
            etree.fromstring(page.body, etree.HTMLParser(encoding=page.encoding, huge_tree=True))


def _text_size(texts: Sequence[str]) -> tuple[int, int]:
    return len(texts), sum(len(text.encode()) for text in texts)


def _language(crawl: Crawl) -> Iterator[Line]:
    """A document as the stage judges it: its trigrams and its words, against the language and all its rivals."""
    model = english()
    judge = Judge(model, [languages.get(rival) for rival in model.rivals], model.threshold)
    texts = ["\n".join(blocks) for blocks in crawl.texts]
    few = texts[:: max(1, len(texts) // 200)]

    def ours() -> None:
        for text in texts:
            judge(text)

    def langid() -> None:
        for text in few:
            py3langid.classify(text)

    def cld2() -> None:
        for text in texts:
            with contextlib.suppress(pycld2.error):
                pycld2.detect(text)

    size = _text_size(texts)
    yield _compared("language", crawl, "py3langid", 25, ours, langid, size, _text_size(few)[1] / size[1])
    yield _compared("language", crawl, "pycld2", 4, ours, cld2, size)


def _tokens(crawl: Crawl) -> Iterator[Line]:
    model = english()
    tokenizer = Tokenizer(model.abbreviations, model.clitic_prefixes, model.clitic_suffixes)
    documents = [(blocks, [False] * len(blocks)) for blocks in crawl.texts]

    def ours() -> int:
        return sum(sum(tokenizer.vertical(*document)[1]) for document in documents)

    def peer() -> None:
        for blocks, _ in documents:
            for block in blocks:
                _TOKEN.findall(block)

    size = _text_size(["\n".join(blocks) for blocks, _ in documents])
    line = _compared("tokens", crawl, "re.findall", 4, ours, peer, size)
    yield line
    millions = ours() * line.pages_per_second / size[0] / 1e6
    yield Line("M tokens", crawl.name, millions, line.megabytes_per_second, least=10)
