"""`corpusprep step corpus`: write the corpus."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import KIND, output_formats
from corpusprep.corpus.writing import write_corpus
from corpusprep.tables.batch_files import BatchFiles


@click.command("corpus")
@options.new_corpus
@options.batch
@options.setting("corpus.formats", kind=KIND)
@options.code
@options.additions
def command(
    corpus_dir: Path,
    batch: str,
    formats: tuple[str, ...],
    code: Path,
    additions: Additions,
) -> None:
    """Write the corpus: the kept blocks of a batch's documents, with metadata.

    Takes documents with at least one kept block, and writes them in each format of documents. The vertical is always
    written, because the statistics read it. Its lines are copied from that of `tokens` (with --columns, from that of
    `annotate`), with all that a tagger has added.
    """
    files = BatchFiles.of(corpus_dir, batch)
    folder = files.corpus_vertical.parent
    known = output_formats(dict.fromkeys(["vertical", *formats]), code)
    write_corpus(files, {name: folder / f"{batch}.{form.suffix}" for name, form in known.items()}, additions, code)
