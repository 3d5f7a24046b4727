"""`corpusprep index`: index the records of a corpus by their URLs."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.looking.url_index import write_index
from corpusprep.tables.batch_files import corpus_file


@click.command("index")
@options.corpus_dir
@options.setting("memory")
def command(corpus_dir: Path, memory: int) -> None:
    """Index the records of a corpus by their URLs, and its documents by identifier.

    `corpusprep why` looks into the index. It is written after `tokens`, and has all records of all archives that have a
    URL.
    """
    write_index(corpus_dir, batch_names(corpus_file(corpus_dir, "plan")), corpus_file(corpus_dir, "urls"), memory)
