"""The pages and texts that each stage is measured on, read once per crawl."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from corpusprep import languages
from corpusprep.archive.records import records
from corpusprep.cleaners.justext import JusText
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding import charsets, detection
from corpusprep.languages import LanguageModel
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter
from corpusprep.tables.verdicts import KEPT

CRAWLS = ("en-l3s-gn1", "en-cleaneval", "docs-0")
#: Bytes of pages for slow peers, which get evenly spaced pages.
SAMPLE_BYTES = 6_000_000


@dataclass(slots=True, frozen=True)
class Page:
    """A page as stored in the archive, and its detected encoding."""

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
        """Returns the good blocks of each page that has any."""
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
    """Returns the model of English, the language of all the crawls."""
    return languages.get("en")


def read(archive: Path) -> Crawl:
    """Reads the pages of an archive."""
    rules = default_page_rules()
    bodies = [record.body for record in records(archive) if rules.verdict(record) == KEPT]
    pages = [Page(body, detection.detect(body, english())[0]) for body in bodies]
    return Crawl(archive.name.removesuffix(".warc.gz"), archive, pages)


def sample(pages: list[Page]) -> list[Page]:
    """Returns evenly spaced pages, about SAMPLE_BYTES in total."""
    step = max(1, sum(len(page.body) for page in pages) // SAMPLE_BYTES)
    return pages[::step]
