"""`corpusprep step references` and `archive sites`: pages that others of their host are compared with."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.archive.sites import sort_by_site
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.writing import write_table
from studies.baselines.reference_pages import choose, gather


@click.group("references", cls=Group)
def command() -> None:
    """Choose and gather the pages that others of their host are compared with (density-site)."""


@command.command("choose")
@options.new_corpus
def choose_command(corpus_dir: Path) -> None:
    """Choose the reference pages of every host, from the tables of `encoding` of all batches."""
    names = batch_names(corpus_file(corpus_dir, "plan"))
    tables = [BatchFiles.of(corpus_dir, name).encoding for name in names]
    write_table(choose(tables), schemas.CHOSEN_REFERENCES, corpus_file(corpus_dir, "chosen_references"))


@command.command("gather")
@options.new_corpus
@options.batch
def gather_command(corpus_dir: Path, batch: str) -> None:
    """Gather the chosen pages from the archives of a batch."""
    files = BatchFiles.of(corpus_dir, batch)
    gather(files.encoding, corpus_file(corpus_dir, "chosen_references"), files.references)


@click.command("sites")
@click.argument("archives", metavar="ARCHIVE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", required=True, type=NewPath(file_okay=False), help="A new or empty folder.")
def sites(archives: tuple[Path, ...], output: Path) -> None:
    """Write the pages of archives into one WARC file per site (Baisa 2009). Prints the pages of each site.

    The workflow does not need this: it chooses the reference pages of all hosts from a table.
    """
    for site, pages in sort_by_site(archives, output).items():
        click.echo(f"{site}\t{pages}")
