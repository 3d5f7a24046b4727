"""`corpusprep corpus`: write the corpus."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.corpus.writing import write_corpus
from corpusprep.tables.batch_files import BatchFiles


@click.command("corpus")
@options.corpus_dir
@options.batch
def command(corpus_dir: Path, batch: str) -> None:
    """Write the corpus: the kept blocks of a batch's documents, with metadata.

    Documents with at least one kept block, as a vertical, as JSON lines and as Parquet. The lines of the vertical are
    copied from that of `tokens`, with all that a tagger has added to them.
    """
    files = BatchFiles.of(corpus_dir, batch)
    write_corpus(files, files.corpus_vertical, files.corpus_jsonl, files.corpus_parquet)
