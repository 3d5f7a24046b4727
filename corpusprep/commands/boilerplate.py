"""`corpusprep boilerplate`: segment pages into blocks and classify them."""

from pathlib import Path
from typing import Any

import click

from corpusprep import languages
from corpusprep.archive.batches import read_batches
from corpusprep.commands.threshold_options import algorithm_options
from corpusprep.pages.algorithms.registry import algorithm
from corpusprep.pages.boilerplate import classify_batch
from corpusprep.tables import schemas
from corpusprep.tables.writing import TableWriter, write_table


@click.command("boilerplate")
@click.option("--encoding", required=True, type=click.Path(path_type=Path), help="The batch's table of `encoding`.")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@algorithm_options
@click.option(
    "--references",
    type=click.Path(path_type=Path, file_okay=False),
    help="For density-site: folder of the batches' tables of reference pages (corpusprep references).",
)
@click.option("--batches", type=click.Path(path_type=Path), help="The table of batches; needed with --references.")
@click.option("--pages", required=True, type=click.Path(path_type=Path), help="Where the table of pages goes.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table of blocks goes.")
def command(
    encoding: Path,
    model: str,
    references: Path | None,
    batches: Path | None,
    pages: Path,
    output: Path,
    **settings: Any,
) -> None:
    """Segment the pages of a batch into blocks and classify them.

    Reads the pages from the archives that the table of `encoding` names; writes a row a block, of every
    class, and a row a page.
    """
    if (references is None) != (batches is None):
        raise click.UsageError("--references and --batches go together")
    classifier = algorithm(**settings)
    tables = []
    if references is not None and batches is not None:
        tables = [references / f"{batch.name}.parquet" for batch in read_batches(batches)]
    with TableWriter(output, schemas.BOILERPLATE) as blocks:
        page_rows = classify_batch(encoding, languages.get(model), classifier, blocks, tables)
    write_table(page_rows, schemas.PAGES, pages)
