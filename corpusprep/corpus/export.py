"""Writes a whole corpus as one file per output format, or as files of a given size.

Documents are in the order of the archives' paths, then of the records in each. It does not depend on batches, which are
runs of this order, and takes no sorting, so one document is in memory at a time. (The stable order, by date and URL,
would take an external sort of all text.)
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from corpusprep.archive.batches import batch_names
from corpusprep.corpus.describing import describe
from corpusprep.corpus.documents import NONE, Additions, corpus_documents
from corpusprep.corpus.formats import corpus_formats, output_formats
from corpusprep.corpus.formats.interface import CorpusDocument, FinishedCorpus
from corpusprep.corpus.leftovers import foreign
from corpusprep.errors import ConfigError
from corpusprep.io import digests
from corpusprep.io.files import replacing
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles, corpus_file


def export(
    corpus_dir: Path,
    formats: Sequence[str],
    size: int | None,
    output: Path,
    additions: Additions = NONE,
    *,
    described: FinishedCorpus | None = None,
    code: Path = Path(),
) -> int:
    """Writes the documents of all batches to a folder, which is replaced if an earlier export is there.

    All formats have the same documents in files of the same name. These are `<corpus>.<suffix>`, or
    `<corpus>-00000.<suffix>` and so on.

    Args:
        corpus_dir: the corpus's folder, with what the stages have written.
        formats: names of output formats, at least one.
        size: bytes of text (UTF-8) per file; a longer document has a file of its own. None for one file.
        output: the folder.
        additions: to the blocks that are kept, and to what is said of them.
        described: what formats that describe the whole corpus are told; without it, they are not written.
        code: the folder of formats of a user's own.

    Returns:
        The number of files per format.

    Raises:
        StageFileError: as corpus_documents; the folder stays as it was then.
        ConfigError: the folder has other files than an earlier export of the corpus; they would be lost.
    """
    output = output.resolve()  # of a link, the folder that it names is replaced
    if others := foreign(output, corpus_dir.name, formats, code):
        raise ConfigError(
            f"{output}: all of the folder would be replaced, but it has {others[0].name}, which is of no export of"
            f" {corpus_dir.name}; choose another folder"
        )
    known = output_formats(formats, code)
    describing = corpus_formats(formats, code)
    added = additions.attributes, additions.columns
    documents = _documents(corpus_dir, additions)
    following = next(documents, None)
    with replacing(output) as temporary:
        temporary.mkdir()
        for number in count():
            name = corpus_dir.name if size is None else f"{corpus_dir.name}-{number:05}"
            written = 0
            with ExitStack() as stack:
                paths = {form: temporary / f"{name}.{known[form].suffix}" for form in known}
                writers = [stack.enter_context(known[form].writer(path, *added)) for form, path in paths.items()]
                while following is not None:
                    length = len(following.values["text"].encode())
                    if size is not None and written and written + length > size:
                        break
                    for write in writers:
                        write(following)
                    written += length
                    following = next(documents, None)
            if following is None:
                break
        if described is not None and describing:
            describe(described, temporary, code)
        digests.write(temporary.iterdir(), temporary)
        if output.exists():
            shutil.rmtree(output)
    return number + 1


def _documents(corpus_dir: Path, additions: Additions) -> Iterator[CorpusDocument]:
    batches = batch_names(corpus_file(corpus_dir, "plan"))
    for batch in track(batches, "export: batches", total=len(batches)):
        yield from corpus_documents(BatchFiles.of(corpus_dir, batch), additions)
