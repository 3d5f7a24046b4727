"""Counts the tokens of a model's tokeniser in the documents of a batch (`corpus: {count_tokens: …}`)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from corpusprep.corpus.documents import Additions, corpus_documents
from corpusprep.corpus.formats.interface import CorpusDocument
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import RowBuffer, write_table
from corpusprep.text.subwords import SubwordTokenizer

_T = TypeVar("_T")
#: Characters of the documents that are counted at once: one call per short document would take longer.
CHARACTERS_AT_ONCE = 500_000


def write_subwords(files: BatchFiles, additions: Additions, output: Path) -> None:
    """Writes the number of tokens of each document of a batch that has a kept block (schemas.SUBWORDS).

    Args:
        files: what the stages have written about the batch.
        additions: to the blocks that are kept, with the tokeniser.
        output: the table.

    Raises:
        StageFileError: as corpus_documents.
        ConfigError: the tokeniser cannot be read.
    """
    tokenizer = SubwordTokenizer.read(Path(additions.tokenizer))
    rows = RowBuffer(schemas.SUBWORDS)
    documents = track(corpus_documents(files, replace(additions, tokenizer="")), "subwords: documents")
    for (document, _), tokens in _counted(((document, None) for document in documents), tokenizer):
        rows.append(files.batch, document.record, tokens)
    write_table(rows.frame(), schemas.SUBWORDS, output)


def with_counts(documents: Iterable[tuple[CorpusDocument, _T]], tokenizer: str) -> Iterator[tuple[CorpusDocument, _T]]:
    """Yields documents, each with what is said of it, with the number of their tokens by the tokeniser of a path."""
    for (document, said), tokens in _counted(documents, SubwordTokenizer.read(Path(tokenizer))):
        document.values["model_tokens"] = tokens
        yield document, said


def _counted(
    documents: Iterable[tuple[CorpusDocument, _T]], tokenizer: SubwordTokenizer
) -> Iterator[tuple[tuple[CorpusDocument, _T], int]]:
    """Yields documents with the number of their tokens; about CHARACTERS_AT_ONCE are in memory."""
    waiting: list[tuple[CorpusDocument, _T]] = []
    characters = 0
    for document, said in documents:
        waiting.append((document, said))
        characters += len(document.values["text"])
        if characters >= CHARACTERS_AT_ONCE:
            yield from zip(waiting, tokenizer.count([each.values["text"] for each, _ in waiting]), strict=True)
            waiting, characters = [], 0
    yield from zip(waiting, tokenizer.count([each.values["text"] for each, _ in waiting]), strict=True)
