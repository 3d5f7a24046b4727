"""Counts every batch of a corpus folder like the workflow."""

from pathlib import Path
from typing import Any

from corpusprep.config import schema as config_schema
from corpusprep.pipeline import STEPS, writer
from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.tables.batch_files import BatchFiles

PRESET = config_schema.default("boilerplate.preset")
_READ = (*STEPS["statistics count"].reads, *STEPS["statistics count"].implied)
#: The tables that are counted of all corpora, each by the name of its schema.
STAGES = tuple(name for name in dict.fromkeys(_READ) if writer(name).when is None)


def count_batches(folder: Path, **options: Any) -> None:
    """Writes counts/ and samples/."""
    for batch in CorpusFolder.open(folder).batches:
        files = BatchFiles.of(folder, batch)
        count(files, files.counts, files.samples, **{"preset": PRESET, **options})


def compute(folder: Path, output: Path, **options: Any) -> None:
    """Counts all batches and writes the tables."""
    count_batches(folder, **options)
    compute_tables(folder, output, PRESET)
