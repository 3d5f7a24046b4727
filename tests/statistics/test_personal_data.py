"""The table of personal data."""

from pathlib import Path

import polars as pl
import pytest
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.io import tsv
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table


@pytest.mark.parametrize("filtered", [False, True])
@pytest.mark.parametrize("at_once", [10, 10**6])
def test_places_and_documents_by_kind(tmp_path: Path, at_once: int, filtered: bool) -> None:
    """Of documents that stay, also where a filter refuses some that have places, in any parts."""
    corpus = fixture.write(tmp_path / "c", fixture.draw(seed=3, batches=2, records=30))
    places = {"email": 0, "phone": 0}
    documents = {"email": 0, "phone": 0}
    for name, records in corpus.batches.items():
        kept = [number for number, record in enumerate(records) if record.kept_blocks]
        rows = [
            {"record": number, "kind": kind, "block": 0, "start": start, "end": start + 1}
            for number in kept
            for start, kind in enumerate(["email"] * (number % 3) + ["phone"] * (number % 2))
        ]
        table = pl.DataFrame([{"batch": name, "document": 0, **row} for row in rows], schema=schemas.PERSONAL)
        write_table(table, schemas.PERSONAL, BatchFiles.of(corpus.folder, name).personal)
        verdicts = {number: "words" if filtered and number % 5 else "kept" for number in kept}
        if filtered:
            decided = [{"batch": name, "record": number, "verdict": verdict} for number, verdict in verdicts.items()]
            quality = pl.DataFrame(decided).select(
                pl.col(column).cast(dtype) if column in decided[0] else pl.lit(None, dtype).alias(column)
                for column, dtype in schemas.QUALITY.items()
            )
            write_table(quality, schemas.QUALITY, BatchFiles.of(corpus.folder, name).quality)
        for number in (number for number, verdict in verdicts.items() if verdict == "kept"):
            for kind, count in (("email", number % 3), ("phone", number % 2)):
                places[kind] += count
                documents[kind] += count > 0
    compute(corpus.folder, corpus.folder / "statistics", with_personal=True, rows_at_once=at_once)
    assert tsv.read(corpus.folder / "statistics" / "personal_data.tsv") == [
        {"kind": kind, "places": str(places[kind]), "documents": str(documents[kind])}
        for kind in sorted(places, key=lambda kind: -places[kind])
    ]
    shown = CorpusStatistics.read(corpus.folder / "statistics").others
    assert "Personal data" in [table.title for table in shown]


def test_what_is_not_looked_for_has_no_row(tmp_path: Path) -> None:
    """Though a table of an earlier run may be there."""
    corpus = fixture.write(tmp_path / "c", fixture.draw(seed=3, batches=1, records=20))
    BatchFiles.of(corpus.folder, next(iter(corpus.batches))).personal.parent.mkdir()
    compute(corpus.folder, corpus.folder / "statistics")
    assert tsv.read(corpus.folder / "statistics" / "personal_data.tsv") == []
