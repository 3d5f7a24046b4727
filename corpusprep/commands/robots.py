"""`corpusprep step robots`: the robots.txt records of archives."""

from pathlib import Path

import click

from corpusprep.archive.robots_txt import gather
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.tables.batch_files import BatchFiles


@click.group("robots", cls=Group)
def command() -> None:
    """Gather the robots.txt records of archives."""


@command.command("gather")
@options.new_corpus
@options.batch
def gather_command(corpus_dir: Path, batch: str) -> None:
    """Gather the robots.txt records in the archives of a batch."""
    files = BatchFiles.of(corpus_dir, batch)
    gather(files.encoding, files.robots)
