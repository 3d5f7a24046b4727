"""`corpusprep statistics count|tables`: the statistics tables of one corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.io.own_code import is_own
from corpusprep.pages.algorithms import registry
from corpusprep.pages.algorithms.content import ContentSettings
from corpusprep.pages.algorithms.justext import Thresholds
from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_tables import compute
from corpusprep.tables.batch_files import BatchFiles


def _thresholds(name: str, preset: str, given: dict[str, Any]) -> Thresholds | ContentSettings | None:
    """Returns the thresholds that stored scores can be compared with others by; a user's own cleaner has none."""
    return None if is_own(name) else registry.algorithm(name, preset, **given).stored_thresholds


@click.command("count")
@options.corpus_dir
@options.batch
@options.algorithm
def count_command(corpus_dir: Path, batch: str, name: str, preset: str, **settings: Any) -> None:
    """Count what a batch adds to the tables, and choose pages for the report."""
    files = BatchFiles.of(corpus_dir, batch)
    count(files, files.counts, files.samples, preset, _thresholds(name, preset, settings))


@click.command("tables")
@options.corpus_dir
@options.algorithm
def tables_command(corpus_dir: Path, name: str, preset: str, **settings: Any) -> None:
    """Add up the counts of all batches.

    Writes corpus_size.tsv, crawl.tsv, ledger.tsv, processing_times.tsv, exact_duplicates.tsv, duplicate_ngrams.tsv,
    encodings.tsv, cleaning.tsv, domains.tsv, host_sizes.tsv, fragmentation.tsv, keywords.tsv and thresholds.tsv to the
    folder statistics.
    """
    compute(corpus_dir, corpus_dir / "statistics", preset, _thresholds(name, preset, settings))
