"""`corpusprep statistics`: the statistics tables of one corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands.threshold_options import threshold_options
from corpusprep.pages.algorithms.justext import JusText, Thresholds
from corpusprep.pages.algorithms.registry import algorithm
from corpusprep.statistics.batch_counts import count
from corpusprep.statistics.corpus_tables import compute
from corpusprep.statistics.joined_verdicts import BatchTables


def _thresholds(name: str, preset: str, given: dict[str, Any]) -> Thresholds | None:
    classifier = algorithm(name, preset, **given)
    return classifier.thresholds if isinstance(classifier, JusText) else None


PATH = click.Path(path_type=Path)
ALGORITHM = click.option(
    "--algorithm", "name", default="justext", help="The boilerplate algorithm that the corpus was made by."
)


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
@ALGORITHM
@threshold_options
def count_command(
    output: Path, samples: Path, name: str, preset: str, encoding: Path, pages: Path, boilerplate: Path, language: Path,
    tokens: Path, documents: Path, blocks: Path, **thresholds: Any,
) -> None:  # fmt: skip
    """Count what a batch adds to the tables, and choose pages for the report."""
    tables = BatchTables(encoding, pages, boilerplate, language, tokens, documents, blocks)
    count(tables, output, samples, preset, _thresholds(name, preset, thresholds))


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
@ALGORITHM
@threshold_options
def tables_command(corpus_dir: Path, output: Path, name: str, preset: str, **thresholds: Any) -> None:
    """Add up the counts of all batches.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv, domains.tsv,
    fragmentation.tsv, keywords.tsv and thresholds.tsv.
    """
    compute(corpus_dir, output, preset, _thresholds(name, preset, thresholds))
