"""`corpusprep step personal`: find personal data."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.personal.finding import write_personal
from corpusprep.tables.batch_files import BatchFiles


@click.command("personal")
@options.new_corpus
@options.batch
@options.setting("personal.find")
@options.setting("corpus.boilerplate")
def command(corpus_dir: Path, batch: str, find: tuple[str, ...], boilerplate: str) -> None:
    """Find personal data in the kept blocks of the documents of a batch.

    Without a kind, all kinds are looked for.
    """
    write_personal(BatchFiles.of(corpus_dir, batch), find, boilerplate=boilerplate == "keep")
