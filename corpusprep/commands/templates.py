"""`corpusprep step templates`: the blocks that recur on the pages of a host."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.extraction.templates import choose, count, merge
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.writing import write_table


@click.group("templates", cls=Group)
def command() -> None:
    """Find the templates of hosts: blocks that recur on many of their pages."""


@command.command("choose")
@options.new_corpus
@options.setting("templates.least_pages")
def choose_command(corpus_dir: Path, least_pages: int) -> None:
    """Choose the pages of every host whose blocks are counted, from the tables of `encoding` of all batches."""
    names = batch_names(corpus_file(corpus_dir, "plan"))
    tables = [BatchFiles.of(corpus_dir, name).encoding for name in names]
    write_table(choose(tables, least_pages), schemas.TEMPLATE_PAGES, corpus_file(corpus_dir, "template_pages"))


@command.command("count")
@options.new_corpus
@options.batch
@options.setting("encoding.normalisation")
def count_command(corpus_dir: Path, batch: str, normalisation: str) -> None:
    """Count the blocks of the chosen pages in the archives of a batch."""
    files = BatchFiles.of(corpus_dir, batch)
    count(
        files.encoding,
        corpus_file(corpus_dir, "template_pages"),
        files.template_counts,
        composed=normalisation == "nfc",
    )


@command.command("merge")
@options.new_corpus
def merge_command(corpus_dir: Path) -> None:
    """Add up the counts of all batches: on which share of the pages of its host each block is."""
    names = batch_names(corpus_file(corpus_dir, "plan"))
    tables = [BatchFiles.of(corpus_dir, name).template_counts for name in names]
    merge(tables, corpus_file(corpus_dir, "template_pages"), corpus_file(corpus_dir, "template_shares"))
