"""`corpusprep step subwords`: count the tokens of a model's tokeniser."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.subwords import write_subwords
from corpusprep.tables.batch_files import BatchFiles


@click.command("subwords")
@options.new_corpus
@options.batch
@options.additions
def command(corpus_dir: Path, batch: str, additions: Additions) -> None:
    """Count the tokens of a model's tokeniser in the text of a batch's documents, as the corpus has it."""
    if not additions.tokenizer:
        raise click.UsageError("give the file of a tokeniser: --count-tokens tokenizer.json")
    files = BatchFiles.of(corpus_dir, batch)
    write_subwords(files, additions, files.subwords)
