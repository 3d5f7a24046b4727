"""A results folder with made-up corpora, full of hostile text."""

from dataclasses import dataclass
from pathlib import Path

from support import corpus_fixture as fixture
from support import scored_corpora
from support.counting import compute

from corpusprep import languages
from corpusprep.quality.documents import write_quality
from corpusprep.quality.rules import of_section, section_text
from corpusprep.tables.batch_files import BatchFiles

#: The rules of `filtered`.
FILTER = {
    "preset": ["fineweb"],
    "least": {"words": 60, "mean_word_length": 4.6, "punctuated_lines": 0},
    "most": {"repeated_lines": 0.01, "short_lines": 0.9, "repeated_characters": 0.5},
    "expression": "characters > 600 or digits > 1",
    "blocks": {"least": {"words": 8}, "expression": "letters > 0.7 or repeats > 0"},
}


@dataclass(frozen=True)
class Results:
    """The folder, and the corpus `hostile` in it; `learned` and `rules` have stored scores, `filtered` has signals."""

    folder: Path
    hostile: fixture.FakeCorpus


def write(folder: Path) -> Results:
    """Writes four corpora and a folder that is none."""
    records = {
        f"b{number:016x}": one for number, one in enumerate(fixture.draw(seed=3, batches=2, records=24).values())
    }
    hostile = fixture.write(folder / "hostile", records)
    compute(hostile.folder, hostile.folder / "statistics")
    filtered = fixture.write(folder / "filtered", fixture.draw(seed=5, batches=2, records=60))
    for batch in filtered.batches:
        files = BatchFiles.of(filtered.folder, batch)
        write_quality(files, languages.get("en"), of_section(FILTER), section=section_text(FILTER))
    compute(filtered.folder, filtered.folder / "statistics")
    scored_corpora.write(folder / "rules", "justext")
    scored_corpora.write(folder / "learned", "content")
    (folder / "languages").mkdir()
    return Results(folder, hostile)
