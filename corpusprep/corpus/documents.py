"""Puts the documents of the corpus together: the blocks that stay, with metadata (stage `corpus`)."""

from collections.abc import Iterator
from itertools import compress, zip_longest
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep.corpus.formats.interface import CorpusDocument
from corpusprep.errors import StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.good_texts import KEY, good_texts, kept_documents
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT, MARKS, STAYING
from corpusprep.text.vertical import DOCUMENT_END, DocumentAttributes, VerticalDocument, read_documents

#: Verdict of a block that stays -> its attribute `duplicate`: what the duplicate is, that it is part of.
DUPLICATE = {
    KEPT: "no",
    MARKS["duplicate"]: "block",
    MARKS["stub"]: "stub",
    MARKS["duplicate_document"]: "document",
}


class _Verdicts:
    """The verdicts on a batch's blocks, by document."""

    def __init__(self, path: Path, *, marked: bool) -> None:
        rows = read_table(path, schemas.BLOCKS, ["document", "block", "tokens", "verdict"]).sort("document", "block")
        # The type of what is searched for: a search makes no copy.
        self._documents = rows["document"].cast(pl.Int64).to_numpy()
        self._blocks = rows["block"].to_numpy()
        self._kept = rows["verdict"].is_in(STAYING).to_numpy()
        other = not self._kept.all() if marked else rows["verdict"].is_in(list(MARKS.values())).any()
        if other:
            raise StageFileError(f"{path}: made with another setting of blocks.mark; run `blocks apply` again")
        self._marks = [DUPLICATE[verdict] for verdict in rows["verdict"]] if marked else None
        self._tokens = rows["tokens"].fill_null(0).to_numpy()

    def documents(self) -> list[int]:
        """Returns the documents with a kept block."""
        numbers: list[int] = np.unique(self._documents[self._kept]).tolist()
        return numbers

    def of(self, document: int) -> tuple[list[int], list[bool], int]:
        """Returns the numbers of a document's good blocks in its page, whether each is kept, and the tokens kept."""
        start, end = np.searchsorted(self._documents, [document, document + 1])
        kept = self._kept[start:end]
        return self._blocks[start:end].tolist(), kept.tolist(), int(self._tokens[start:end][kept].sum())

    def marks(self, document: int) -> list[str] | None:
        """Returns `duplicate` of each of a document's good blocks; None if they are not marked."""
        if self._marks is None:
            return None
        start, end = np.searchsorted(self._documents, [document, document + 1])
        return self._marks[start:end]


def corpus_documents(files: BatchFiles, *, marked: bool = False) -> Iterator[CorpusDocument]:
    """Yields the documents of a batch that have a kept block, in order; one document's text is in memory at a time.

    Args:
        files: what the stages have written about the batch.
        marked: whether duplicates stay, and all blocks say whether they are one.

    Raises:
        StageFileError: a file cannot be read, or they hold other documents or blocks; names file and document.
    """
    verdicts = _Verdicts(files.blocks, marked=marked)
    metadata = _metadata(files)
    kept = metadata.filter(pl.col("document").is_in(verdicts.documents()))
    wanted = zip(kept.iter_rows(named=True), good_texts(files.boilerplate, kept), strict=True)
    row, text = next(wanted, (None, None))
    for document in _checked(files, metadata):
        if row is None or text is None or row["document"] != document.number:
            continue
        numbers, keep, tokens = verdicts.of(document.number)
        if numbers != text.blocks or len(numbers) != len(document.blocks):
            where = f"document {document.number} ({row['id']})"
            raise StageFileError(f"{files.blocks}: {where}: not the good blocks of {files.boilerplate}; run it again")
        attributes, _ = DocumentAttributes.of(row["id"], row)
        row |= attributes._asdict()
        row["words"], row["tokens"] = sum(compress(text.words, keep)), tokens
        row["text"] = "\n".join(compress(text.texts, keep))
        row["blocks"] = [
            {"block": number, "heading": heading}
            for number, heading in compress(zip(numbers, text.headings, strict=True), keep)
        ]
        blocks = document.blocks
        if (marks := verdicts.marks(document.number)) is not None:
            row["blocks"] = [block | {"duplicate": mark} for block, mark in zip(row["blocks"], marks, strict=True)]
            blocks = [_marked(lines, mark) for lines, mark in zip(blocks, marks, strict=True)]
        start = document.start.rstrip()[:-1] + f' words="{row["words"]}" tokens="{tokens}">\n'.encode()
        lines = b"".join([start, *compress(blocks, keep), DOCUMENT_END])
        yield CorpusDocument({name: row[name] for name in schemas.CORPUS}, lines)
        row, text = next(wanted, (None, None))


def _marked(block: bytes, mark: str) -> bytes:
    """Returns the lines of a block with the attribute `duplicate` at the end of its first."""
    first, feed, rest = block.partition(b"\n")
    return first.rstrip()[:-1] + f' duplicate="{mark}">'.encode() + feed + rest


def _checked(files: BatchFiles, metadata: pl.DataFrame) -> Iterator[VerticalDocument]:
    """Yields the documents of the vertical, checked against the table of `tokens`: the same, with as many blocks."""
    rows = metadata.select("document", "id", "good_blocks").iter_rows()
    for document, row in zip_longest(read_documents(files.vertical), rows):
        if document is None:
            raise StageFileError(f"{files.vertical}: ends before document {row[0]} ({row[1]}) of {files.tokens}")
        wanted = f"document {row[0]} ({row[1]}) with {row[2]} <p>" if row else "the end"
        name, blocks = document.attributes.get("id"), len(document.blocks)
        if row is None or row[1:] != (name, blocks):
            raise StageFileError(
                f"{files.vertical}: document {document.number} ({name}) with {blocks} <p> stands where {files.tokens}"
                f" has {wanted}; keep the structure lines of the stage tokens"
            )
        yield document


def _metadata(files: BatchFiles) -> pl.DataFrame:
    """Returns the vertical's documents in order: columns of schemas.CORPUS, document, record, good_blocks."""
    tokens = read_table(files.tokens, schemas.TOKENS, [*KEY, "document", "id", "blocks"])
    tokens = tokens.rename({"blocks": "good_blocks"}).sort("document")
    known = kept_documents(files.encoding, files.pages, files.language)
    verdicts = read_table(files.documents, schemas.DOCUMENTS, [*KEY, "document"])
    for path, other in ((files.language, known), (files.documents, verdicts)):
        if tokens.height != other.height or tokens.join(other, on=KEY, how="anti").height:
            raise StageFileError(f"{path}: its documents are not those of {files.tokens}; run the stages again")
    rows = tokens.join(known, on=KEY).sort("document")
    return rows.with_columns(pl.col("language_score").round(4))
