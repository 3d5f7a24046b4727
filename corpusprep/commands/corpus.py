"""`corpusprep step corpus`: write the corpus."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import names, output_formats
from corpusprep.corpus.writing import write_corpus
from corpusprep.tables.batch_files import BatchFiles

_KNOWN = output_formats()


@click.command("corpus")
@options.new_corpus
@options.batch
@options.setting("corpus.formats", allowed=names())
@options.additions
def command(
    corpus_dir: Path,
    batch: str,
    formats: tuple[str, ...],
    additions: Additions,
) -> None:
    """Write the corpus: the kept blocks of a batch's documents, with metadata.

    Takes documents with at least one kept block, and writes them in each format of documents. The vertical is always
    written, because the statistics read it. Its lines are copied from that of `tokens` (with --columns, from that of
    `annotate`), with all that a tagger has added.
    """
    files = BatchFiles.of(corpus_dir, batch)
    folder = files.corpus_vertical.parent
    outputs = {
        name: folder / f"{batch}.{_KNOWN[name].suffix}"
        for name in dict.fromkeys(["vertical", *formats])
        if name in _KNOWN
    }
    write_corpus(files, outputs, additions)
