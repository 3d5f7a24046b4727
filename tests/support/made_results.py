"""A results folder with made-up corpora, full of hostile text."""

from dataclasses import dataclass
from pathlib import Path

from support import corpus_fixture as fixture
from support import scored_corpora
from support.counting import compute


@dataclass(frozen=True)
class Results:
    """The folder, and the corpus `hostile` in it; `learned` and `rules` have stored scores."""

    folder: Path
    hostile: fixture.FakeCorpus


def write(folder: Path) -> Results:
    """Writes three corpora and a folder that is none."""
    records = {
        f"b{number:016x}": one for number, one in enumerate(fixture.draw(seed=3, batches=2, records=24).values())
    }
    hostile = fixture.write(folder / "hostile", records)
    compute(hostile.folder, hostile.folder / "statistics")
    scored_corpora.write(folder / "rules", "justext")
    scored_corpora.write(folder / "learned", "content")
    (folder / "languages").mkdir()
    return Results(folder, hostile)
