"""The pages and texts that the benchmarks share: what each stage is given, read once a crawl."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from corpusprep import languages
from corpusprep.archive.records import records
from corpusprep.encoding import charsets
from corpusprep.encoding.pages import PageRules
from corpusprep.languages import LanguageModel
from corpusprep.pages import html
from corpusprep.pages.algorithms.justext import JusText
from corpusprep.pages.segmentation import Segmenter
from corpusprep.tables.verdicts import KEPT

CRAWLS = ("en-l3s-gn1", "en-cleaneval", "docs-0")
#: Bytes of pages that slow peers are given, from evenly spaced pages.
SAMPLE_BYTES = 6_000_000


@dataclass(slots=True, frozen=True)
class Page:
    """A page as it comes from the archive, and its encoding as it is detected."""

    body: bytes
    encoding: str


@dataclass(frozen=True)
class Crawl:
    """A crawl in memory."""

    name: str
    archive: Path
    pages: list[Page]

    @cached_property
    def texts(self) -> list[list[str]]:
        """The good blocks of each page that has any."""
        segmenter, found = Segmenter(english().stop_words), []
        for page in self.pages:
            try:
                segmenter.add(html.parse(charsets.decode(page.body, page.encoding)[0]))
            except html.PageError:
                continue
            blocks = segmenter.take()
            good = JusText().classify(blocks).good.tolist()
            texts = [text for text, kept in zip(blocks.texts(), good, strict=True) if kept]
            if texts:
                found.append(texts)
        return found


def english() -> LanguageModel:
    """The language of all the crawls."""
    return languages.get("en")


def read(archive: Path) -> Crawl:
    """The pages of an archive."""
    rules = PageRules()
    bodies = [record.body for record in records(archive) if rules.verdict(record) == KEPT]
    pages = [Page(body, charsets.detect(body, english())[0]) for body in bodies]
    return Crawl(archive.name.removesuffix(".warc.gz"), archive, pages)


def sample(pages: list[Page]) -> list[Page]:
    """Evenly spaced pages of about SAMPLE_BYTES in all."""
    step = max(1, sum(len(page.body) for page in pages) // SAMPLE_BYTES)
    return pages[::step]
