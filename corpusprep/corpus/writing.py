"""Writes the corpus of a batch in the chosen output formats."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from corpusprep.corpus.documents import corpus_documents
from corpusprep.corpus.formats import output_formats
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles


def write_corpus(files: BatchFiles, outputs: Mapping[str, Path], *, marked: bool = False) -> None:
    """Writes the corpus of a batch. All files hold the same documents in the same order.

    Args:
        files: what the stages have written about the batch.
        outputs: where the corpus goes, by the name of the output format; at least one.
        marked: whether duplicates stay, and all blocks say whether they are one.

    Raises:
        StageFileError: as corpus_documents; no file appears then.
    """
    known = output_formats()
    with ExitStack() as stack:
        writers = [stack.enter_context(known[name].writer(path, marked=marked)) for name, path in outputs.items()]
        for document in track(corpus_documents(files, marked=marked), "corpus: documents"):
            for write in writers:
                write(document)
