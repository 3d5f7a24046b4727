"""`corpusprep step references`: pages that others of their host are compared with. A step found by its entry point."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.commands.group import Group
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
