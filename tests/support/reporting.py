"""A made-up corpus with its report."""

from dataclasses import dataclass
from pathlib import Path

from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.report.page import render


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
