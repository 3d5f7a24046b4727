"""`corpusprep statistics`: the statistics tables of one corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands.threshold_options import algorithm_options
from corpusprep.io.own_code import is_own
from corpusprep.pages.algorithms.justext import Thresholds
from corpusprep.pages.algorithms.registry import algorithm
from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_tables import compute
from corpusprep.statistics.joined_verdicts import BatchTables


def _thresholds(preset: str, name: str, settings: dict[str, Any]) -> Thresholds | None:
    """Returns the thresholds that stored scores can be compared with others by; a user's own cleaner has none."""
    return None if is_own(name) else algorithm(name, preset, **settings).stored_thresholds


PATH = click.Path(path_type=Path)


@click.group("statistics")
def command() -> None:
    """Compute the statistics tables from the stage files.

    `count` counts a batch; `tables` adds up the counts of all batches. The options of the stage boilerplate say which
    thresholds the corpus was made with.
    """


@command.command("count")
@click.option("--encoding", required=True, type=PATH, help="The batch's table of `encoding`.")
@click.option("--pages", required=True, type=PATH, help="Its table of pages.")
@click.option("--boilerplate", required=True, type=PATH, help="Its table of blocks.")
@click.option("--language-verdicts", "language", required=True, type=PATH, help="Its table of `language`.")
@click.option("--tokens", required=True, type=PATH, help="Its table of `tokens`.")
@click.option("--documents", required=True, type=PATH, help="Its table of `documents`.")
@click.option("--blocks", required=True, type=PATH, help="Its table of `blocks`.")
@click.option("--samples", required=True, type=PATH, help="Where its pages go that the report may show.")
@click.option("--output", required=True, type=PATH, help="Where the counts go.")
@algorithm_options
def count_command(
    output: Path, samples: Path, name: str, preset: str, encoding: Path, pages: Path, boilerplate: Path, language: Path,
    tokens: Path, documents: Path, blocks: Path, **settings: Any,
) -> None:  # fmt: skip
    """Count what a batch adds to the tables, and choose pages for the report."""
    tables = BatchTables(encoding, pages, boilerplate, language, tokens, documents, blocks)
    count(tables, output, samples, preset, _thresholds(preset, name, settings))


@command.command("tables")
@click.option(
    "--corpus-dir",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the corpus's stage files (it holds batches.tsv), with the counts of its batches in counts/.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write the tables to.",
)
@algorithm_options
def tables_command(corpus_dir: Path, output: Path, name: str, preset: str, **settings: Any) -> None:
    """Add up the counts of all batches.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv, domains.tsv,
    fragmentation.tsv, keywords.tsv and thresholds.tsv.
    """
    compute(corpus_dir, output, preset, _thresholds(preset, name, settings))
