"""`corpusprep references`: reference pages for algorithms that compare the pages of a host."""

from pathlib import Path

import click

from corpusprep.archive.batches import read_batches
from corpusprep.pages.references import choose, gather
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table


@click.group("references")
def command() -> None:
    """Choose and gather the pages that others of their host are compared with (density-site)."""


@command.command("choose")
@click.option("--batches", required=True, type=click.Path(path_type=Path), help="The table of batches.")
@click.option("--encodings", required=True, type=click.Path(path_type=Path), help="Folder of the tables of `encoding`.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table goes.")
def choose_command(batches: Path, encodings: Path, output: Path) -> None:
    """Choose the reference pages of every host, from the tables of `encoding` of all batches."""
    tables = [encodings / f"{batch.name}.parquet" for batch in read_batches(batches)]
    write_table(choose(tables), schemas.CHOSEN_REFERENCES, output)


@command.command("gather")
@click.option("--encoding", required=True, type=click.Path(path_type=Path), help="The batch's table of `encoding`.")
@click.option("--chosen", required=True, type=click.Path(path_type=Path), help="What `choose` wrote.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table goes.")
def gather_command(encoding: Path, chosen: Path, output: Path) -> None:
    """Gather the chosen pages that a batch's archives hold."""
    gather(encoding, chosen, output)
