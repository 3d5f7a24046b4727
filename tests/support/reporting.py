"""A made-up corpus with its report."""

from dataclasses import dataclass
from pathlib import Path

import lxml.html
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.report.page import render

#: The most words that a report has outside of closed `details`.
MOST_OPEN_WORDS = 1_500


def open_text(html: str) -> str:
    """Returns the text that a page shows when it is opened, without what is folded."""
    page = lxml.html.document_fromstring(html)
    for hidden in page.xpath("//head | //style | //details[not(@open)]/*[not(self::summary)]"):
        hidden.drop_tree()
    return " ".join(" ".join(page.itertext()).split())


def open_words(html: str) -> int:
    """Returns the number of words that a page shows when it is opened."""
    return len(open_text(html).split())


@dataclass(frozen=True)
class Reported:
    """A made-up corpus and its report."""

    corpus: fixture.FakeCorpus
    html: str
    path: Path


def report(folder: Path, batches: dict[str, list[fixture.Record]]) -> Reported:
    """Writes the stage files, the statistics and the report of the records drawn."""
    corpus = fixture.write(folder, batches)
    compute(folder, folder / "statistics")
    html = render(folder, 'A <script>"corpus"</script>', "en")
    path = folder / "report.html"
    path.write_text(html, encoding="utf-8")
    return Reported(corpus, html, path)
