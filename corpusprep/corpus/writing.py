"""Writes the corpus of a batch in the chosen output formats."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from corpusprep.corpus.documents import NONE, Additions, corpus_documents
from corpusprep.corpus.formats import output_formats
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles


def write_corpus(
    files: BatchFiles, outputs: Mapping[str, Path], additions: Additions = NONE, code: Path = Path()
) -> None:
    """Writes the corpus of a batch. All files hold the same documents in the same order.

    Args:
        files: what the stages have written about the batch.
        outputs: where the corpus goes, by the name of the output format; at least one.
        additions: to the blocks that are kept, and to what is said of them.
        code: the folder of formats of a user's own.

    Raises:
        StageFileError: as corpus_documents; no file appears then.
    """
    known = output_formats(outputs, code)
    with ExitStack() as stack:
        writers = [
            stack.enter_context(known[name].writer(path, *additions.of_writers)) for name, path in outputs.items()
        ]
        for document in track(corpus_documents(files, additions), "corpus: documents"):
            for write in writers:
                write(document)
