"""`corpusprep statistics count|tables`: the statistics tables of one corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.pages.algorithms import registry
from corpusprep.pages.algorithms.justext import JusText, Thresholds
from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_tables import compute
from corpusprep.tables.batch_files import BatchFiles


def _thresholds(algorithm: str, preset: str, given: dict[str, Any]) -> Thresholds | None:
    classifier = registry.algorithm(algorithm, preset, **given)
    return classifier.thresholds if isinstance(classifier, JusText) else None


@click.command("count")
@options.corpus_dir
@options.batch
@options.settings("boilerplate")
def count_command(corpus_dir: Path, batch: str, algorithm: str, preset: str, **thresholds: Any) -> None:
    """Count what a batch adds to the tables, and choose pages for the report."""
    files = BatchFiles.of(corpus_dir, batch)
    count(files, files.counts, files.samples, preset, _thresholds(algorithm, preset, thresholds))


@click.command("tables")
@options.corpus_dir
@options.settings("boilerplate")
def tables_command(corpus_dir: Path, algorithm: str, preset: str, **thresholds: Any) -> None:
    """Add up the counts of all batches.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv, domains.tsv,
    fragmentation.tsv, keywords.tsv and thresholds.tsv to the folder statistics.
    """
    compute(corpus_dir, corpus_dir / "statistics", preset, _thresholds(algorithm, preset, thresholds))
