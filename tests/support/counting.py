"""Counts every batch of a corpus folder like the workflow."""

from pathlib import Path
from typing import Any

from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.statistics.joined_verdicts import BatchTables, Corpus

STAGES = ("encoding", "pages", "boilerplate", "language", "tokens", "documents", "blocks")


def tables_of(folder: Path, batch: str) -> BatchTables:
    """The stage files of a batch."""
    return BatchTables(*(folder / stage / f"{batch}.parquet" for stage in STAGES))


def count_batches(folder: Path, **options: Any) -> None:
    """Writes counts/ and samples/."""
    for batch in Corpus.open(folder).batches:
        files = (folder / kind / f"{batch}.parquet" for kind in ("counts", "samples"))
        count(tables_of(folder, batch), *files, **options)


def compute(folder: Path, output: Path, **options: Any) -> None:
    """Counts all batches and writes the tables."""
    count_batches(folder, **options)
    compute_tables(folder, output)
