"""Writes the corpus of a batch in the chosen output formats."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from corpusprep.corpus.documents import block_attributes, corpus_documents
from corpusprep.corpus.formats import output_formats
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles


def write_corpus(
    files: BatchFiles,
    outputs: Mapping[str, Path],
    *,
    marked: bool = False,
    boilerplate: bool = False,
    kinds: bool = False,
    columns: Sequence[str] = (),
) -> None:
    """Writes the corpus of a batch. All files hold the same documents in the same order.

    Args:
        files: what the stages have written about the batch.
        outputs: where the corpus goes, by the name of the output format; at least one.
        marked: whether duplicates stay, and all blocks say whether they are one.
        boilerplate: whether boilerplate stays, and all blocks say whether they are boilerplate.
        kinds: whether all blocks say their kind.
        columns: names of the columns of the annotated vertical; without them, tokens have none.

    Raises:
        StageFileError: as corpus_documents; no file appears then.
    """
    known = output_formats()
    with ExitStack() as stack:
        attributes = block_attributes(marked=marked, boilerplate=boilerplate, kinds=kinds)
        writers = [stack.enter_context(known[name].writer(path, attributes, columns)) for name, path in outputs.items()]
        documents = corpus_documents(files, marked=marked, boilerplate=boilerplate, kinds=kinds, columns=columns)
        for document in track(documents, "corpus: documents"):
            for write in writers:
                write(document)
