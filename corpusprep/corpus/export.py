"""Writes a whole corpus into files: one per output format, or files of a given size, in the chosen order.

In the order of archives, documents follow the paths of the archives, then the records in each. It does not depend on
batches, which are runs of this order, and takes no sorting, so one document is in memory at a time. (The stable order,
by date and URL, would take an external sort of all text, as an order of chance does.)
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from corpusprep.archive.batches import batch_names
from corpusprep.corpus import order
from corpusprep.corpus.describing import describe
from corpusprep.corpus.documents import NONE, Additions, corpus_documents
from corpusprep.corpus.formats import corpus_formats, output_formats
from corpusprep.corpus.formats.interface import CorpusDocument, FinishedCorpus
from corpusprep.corpus.leftovers import foreign
from corpusprep.corpus.shards import TRAIN, VALIDATION, Division, PartWriter
from corpusprep.corpus.subwords import with_counts
from corpusprep.errors import ConfigError
from corpusprep.io import digests
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, scratch
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles, corpus_file

#: Bytes that are needed to shuffle; with more, fewer temporary files are divided again.
_LEAST_ROOM = 32 << 20


def export(
    corpus_dir: Path,
    formats: Sequence[str],
    division: Division,
    output: Path,
    additions: Additions = NONE,
    *,
    described: FinishedCorpus | None = None,
    code: Path = Path(),
) -> int:
    """Writes the documents of all batches to a folder, which is replaced if an earlier export is there.

    All formats have the same documents in files of the same name. These are `<corpus>.<suffix>`, or
    `<corpus>-00000.<suffix>` and so on; with files for validation, `<corpus>-train…` and `<corpus>-validation…`.

    Args:
        corpus_dir: the corpus's folder, with what the stages have written.
        formats: names of output formats, at least one.
        division: how the documents are put into files.
        output: the folder.
        additions: to the blocks that are kept, and to what is said of them.
        described: what formats that describe the whole corpus are told; without it, they are not written.
        code: the folder of formats of a user's own.

    Returns:
        The number of files per format.

    Raises:
        StageFileError: as corpus_documents; the folder stays as it was then.
        ConfigError: the folder has other files than an earlier export of the corpus; they would be lost.
        ResourceError: the memory does not suffice to shuffle.
    """
    output = output.resolve()  # of a link, the folder that it names is replaced
    if others := foreign(output, corpus_dir.name, formats, code):
        raise ConfigError(
            f"{output}: all of the folder would be replaced, but it has {others[0].name}, which is of no export of"
            f" {corpus_dir.name}; choose another folder"
        )
    known = output_formats(formats, code)
    describing = corpus_formats(formats, code)
    with replacing(output) as temporary, ExitStack() as stack:
        temporary.mkdir()
        documents = _ordered(corpus_dir, additions, division, stack.enter_context(scratch(output)))
        names = [TRAIN, VALIDATION] if division.validation else [""]
        writers = [
            stack.enter_context(
                PartWriter(name, "-".join(filter(None, (corpus_dir.name, name))), temporary, known, additions, division)
            )
            for name in names
        ]
        for document, validation in documents:
            writers[validation].write(document)
        stack.close()
        parts = [writer.part for writer in writers]
        if described is not None and describing:
            describe(replace(described, parts=parts, order=division.order, seed=division.seed), temporary, code)
        digests.write(temporary.iterdir(), temporary)
        if output.exists():
            shutil.rmtree(output)
    return sum(part.files for part in parts)


def _ordered(corpus_dir: Path, additions: Additions, division: Division, folder: Path) -> Iterator[order.Placed]:
    """Yields the documents, or their sentences, in the order of the division; `folder` is for temporary files."""
    of_sentences = division.order == "sentences"
    # The text of a sentence is counted by itself.
    read = replace(additions, tokenizer="") if of_sentences else additions
    documents = order.placed(_documents(corpus_dir, read), division.validation)
    if division.order == "archives":
        return documents
    room = limits.budget(division.memory, _LEAST_ROOM, "shuffling the corpus") // 2
    shuffle = order.shuffled_sentences if of_sentences else order.shuffled
    mixed = shuffle(documents, division.seed, folder / "shuffled", room)
    return with_counts(mixed, additions.tokenizer) if of_sentences and additions.tokenizer else mixed


def _documents(corpus_dir: Path, additions: Additions) -> Iterator[CorpusDocument]:
    batches = batch_names(corpus_file(corpus_dir, "plan"))
    for batch in track(batches, "export: batches", total=len(batches)):
        yield from corpus_documents(BatchFiles.of(corpus_dir, batch), additions)
