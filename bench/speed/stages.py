"""Compares each stage with its peers, in one process and on the same pages."""

import contextlib
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

import cchardet
import charset_normalizer
import fastwarc.warc
import justext
import py3langid
import pycld2
import trafilatura
from fastwarc.warc import WarcRecordType
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

from corpusprep import Extraction, extract, extract_many, languages
from corpusprep._native.pages import BlockModel
from corpusprep.archive.records import records
from corpusprep.cleaners.content.cleaner import Content
from corpusprep.cleaners.justext import JusText
from corpusprep.encoding import charsets, detection
from corpusprep.extraction.page_rows import CHUNK_BYTES
from corpusprep.languages.filtering import Judge
from corpusprep.languages.identifiers import METHODS
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter, title_of
from corpusprep.text.made_tokenizer import built_in_tokenizer
from speed.crawls import Crawl, Page, english, sample
from speed.paired import PAIRS, cpu_seconds, paired

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(slots=True, frozen=True)
class Line:
    """A line of the table.

    `least` is the goal: a ratio, or pages per second on lines without a peer.
    """

    stage: str
    crawl: str
    pages_per_second: float
    megabytes_per_second: float
    peer: str = ""
    ratio: float | None = None
    least: float | None = None


def lines(crawl: Crawl) -> Iterator[Line]:
    """Measures all stages on one crawl."""
    for stage in (_reading, _encoding, _boilerplate, _library, _language, _tokens):
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
    """Times `ours` and `other`.

    `size` is the pages and bytes that `ours` works on, `share` the share of these bytes that `other` works on.
    """
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

    def fast() -> tuple[int, int]:
        bodies = [
            len(record.reader.read()) if record.record_type == WarcRecordType.response else 0
            for record in fastwarc.warc.ArchiveIterator(str(crawl.archive), fsspec_args=False)
        ]
        return len(bodies), sum(bodies)

    for peer, least, other in (("warcio", 2.2, warcio), ("fastwarc", 1.0, fast)):
        if ours() != other():
            raise RuntimeError(f"{crawl.name}: records and bytes differ: {ours()}, {peer} {other()}")
        yield _compared("reading", crawl, peer, least, ours, other, _size(crawl.pages))


def _encoding(crawl: Crawl) -> Iterator[Line]:
    """Compares UTF-8 pages with one peer, and pages in other encodings with another.

    docs-0 has 29 pages in other encodings. charset-normalizer trusts their declarations and takes 0.3 ms per page. Our
    detection ignores declarations. It reads these pages until they cannot be UTF-8, and then scores them as English in
    windows-1252, where few of their bytes occur: about 30 µs per page of 80 kB.
    """
    model = english()

    def detect(pages: list[Page]) -> Callable[[], None]:
        def work() -> None:
            for page in pages:
                detection.detect(page.body, model)

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


def _justext(pages: Sequence[Page], *, told: bool = True) -> Callable[[], None]:
    """Returns what runs justext on pages; it is told their encodings, or finds them itself."""
    stop_list = justext.get_stoplist("English")

    def work() -> None:
        for page in pages:
            with contextlib.suppress(etree.LxmlError, ValueError, AssertionError):
                justext.justext(page.body, stop_list, **({"encoding": page.encoding} if told else {}))

    return work


def _boilerplate(crawl: Crawl) -> Iterator[Line]:
    stop_words = english().stop_words

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

    few, size = sample(crawl.pages), _size(crawl.pages)
    yield _compared("boilerplate", crawl, "justext", 10, ours, _justext(few), size, _size(few)[1] / size[1])
    yield _compared("boilerplate", crawl, "lxml parsing alone", 1 / 1.35, ours, lambda: parse(crawl.pages), size)
    yield from _content(crawl)


def _content(crawl: Crawl) -> Iterator[Line]:
    """Compares the algorithm content, from page to classes, with extractors; and its model with parsing alone.

    The last line is the model: features, tables and trees, of pages that are parsed. Its ratio is the time of lxml's
    parse as a multiple of what the model adds to the segmentation; 5 is a share of 20 %.
    """
    classifier = Content()
    few, size = sample(crawl.pages), _size(crawl.pages)
    share = _size(few)[1] / size[1]
    texts = [charsets.decode(page.body, page.encoding)[0] for page in crawl.pages]

    def roots() -> Iterator[etree._Element | None]:
        for text in texts:
            root = None
            with contextlib.suppress(html.PageError):
                root = html.parse(text)
            yield root

    def ours() -> None:
        segmenter = Segmenter((), model=classifier.block_model)
        for root in roots():
            segmenter.add(root)
        classifier.classify(segmenter.take())

    def extractor() -> None:
        for page in few[::4]:
            trafilatura.extract(charsets.decode(page.body, page.encoding)[0])

    yield _compared("content", crawl, "justext", 9, ours, _justext(few), size, share)
    yield _compared("content", crawl, "trafilatura", 20, ours, extractor, size, _size(few[::4])[1] / size[1])
    parsed = list(roots())

    def segmented(model: BlockModel | None) -> float:
        segmenter = Segmenter((), model=model)

        def work() -> None:
            for root in parsed:
                segmenter.add(root)

        return cpu_seconds(work)

    added, parsing = [], []
    for _ in range(PAIRS):
        added.append(max(segmented(classifier.block_model) - segmented(None), 1e-9))
        parsing.append(cpu_seconds(lambda: parse(crawl.pages)))
    seconds = statistics.median(added)
    ratio = statistics.median(whole / part for whole, part in zip(parsing, added, strict=True))
    yield Line("model", crawl.name, size[0] / seconds, size[1] / seconds / 1e6, "lxml parsing alone", ratio, 5)


def _library(crawl: Crawl) -> Iterator[Line]:
    """Compares the library's functions, from the bytes of a page to its blocks as Python objects."""
    bodies, size = [page.body for page in crawl.pages], _size(crawl.pages)
    few = sample(crawl.pages)

    def one_by_one() -> None:
        for body in bodies:
            extract(body, "en", "justext")

    def many() -> None:
        for _ in extract_many(bodies, "en", "justext"):
            pass

    def content() -> None:
        for _ in extract_many(bodies):
            pass

    def reading(form: Callable[[Extraction], str]) -> None:
        for page in extract_many(bodies):
            form(page)

    share, peer = _size(few)[1] / size[1], _justext(few, told=False)
    for name, ours, goals in (
        ("extract", one_by_one, (10, 1 / 1.35)),
        ("extract_many", many, (10, 1 / 1.35)),
        ("… content", content, (9, 1 / 1.35)),
    ):
        yield _compared(name, crawl, "justext", goals[0], ours, peer, size, share)
        yield _compared(name, crawl, "lxml parsing alone", goals[1], ours, lambda: parse(crawl.pages), size)
    text, markdown = attrgetter("text"), attrgetter("markdown")
    yield _compared("… markdown", crawl, "the text", 1 / 1.2, lambda: reading(markdown), lambda: reading(text), size)


def parse(pages: Sequence[Page]) -> None:
    """Parses pages with plain lxml and discards the trees."""
    for page in pages:
        with contextlib.suppress(etree.LxmlError):
            etree.fromstring(page.body, etree.HTMLParser(encoding=page.encoding, huge_tree=True))


def _text_size(texts: Sequence[str]) -> tuple[int, int]:
    return len(texts), sum(len(text.encode()) for text in texts)


def _language(crawl: Crawl) -> Iterator[Line]:
    """Compares language filtering: trigrams and words of a document, for the language and all its rivals."""
    model = english()
    judge = Judge(model, [languages.get(rival) for rival in model.rivals], model.threshold, METHODS[0])
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
    tokenizer = built_in_tokenizer(model)
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
