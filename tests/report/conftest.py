"""Reports of made-up corpora."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from corpusprep.report.page import render
from corpusprep.stages.statistics import compute
from tests.statistics import corpus_fixture as fixture


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


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """A corpus of three batches, full of hostile text."""
    return report(tmp_path_factory.mktemp("reported"), fixture.draw())
