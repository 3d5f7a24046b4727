"""Selects the documents and tokens that n-grams are made of, and reads verticals with their tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from corpusprep import startup
from corpusprep._native import ngrams as native
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks
from corpusprep.io.read_ahead import read_ahead
from corpusprep.tables.verdicts import KEPT

#: Inserted between two verticals: ends the last document, even if its end is missing.
_END = b"\n</doc>\n"


def selection_digest(count_punctuation: bool, stop_words: Sequence[str]) -> int:
    """Returns a digest of the settings that decide which tokens count; batches must have the same."""
    return native.checksum("\n".join([str(count_punctuation), *sorted(set(stop_words))]).encode())


class Kernel(Protocol):
    """A kernel that reads a vertical."""

    @property
    def documents(self) -> int:
        """Number of documents read so far."""

    def feed(self, data: bytes) -> None:
        """Reads the next bytes."""


class Verticals:
    """Reads the verticals of several batches one after another, as one.

    Args:
        verticals: `tokens/<batch>.vert.zst` of each batch.
        documents: `documents/<batch>.parquet` of each, in the same order; None selects all documents.

    Raises:
        StageFileError: a table is missing or damaged.
    """

    def __init__(self, verticals: Sequence[Path], documents: Sequence[Path] | None) -> None:
        self._verticals, self._tables = verticals, documents
        self._taken = None if documents is None else [_taken_documents(table) for table in documents]

    def __str__(self) -> str:
        others = len(self._verticals) - 1
        return f"{self._verticals[0]}" + (f" and {others} more" if others else "")

    @property
    def stored(self) -> int:
        """Compressed bytes of all verticals."""
        return sum(path.stat().st_size for path in self._verticals if path.exists())

    @property
    def taken(self) -> bytes | None:
        """One byte per document of all verticals: 1 if its table kept it."""
        return None if self._taken is None else b"".join(self._taken)

    def feed(self, kernel: Kernel, threads: int = 1) -> Iterator[None]:
        """Feeds all verticals to the kernel; yields after each piece. With two or more threads, one reads ahead.

        Raises:
            StageFileError: a vertical is missing or damaged, or its number of documents differs from its table.
        """
        for number, vertical in enumerate(self._verticals):
            before = kernel.documents
            chunks = zstd_chunks(vertical)
            for chunk in read_ahead(chunks) if threads > 1 else chunks:
                kernel.feed(chunk)
                yield
            kernel.feed(_END)
            if self._taken is not None and self._tables is not None:
                _same_documents(vertical, self._tables[number], kernel.documents - before, len(self._taken[number]))


def _taken_documents(documents: Path) -> bytes:
    with startup.loading():
        import polars as pl  # here, because most steps do not need it: it takes half of their start-up time

        from corpusprep.tables import schemas
        from corpusprep.tables.reading import read_table

    table = read_table(documents, schemas.DOCUMENTS, ["document", "verdict"]).sort("document")
    if not table["document"].cast(pl.Int64).equals(pl.int_range(len(table), eager=True, dtype=pl.Int64)):
        raise StageFileError(f"{documents}: its documents are not numbered from 0 on; run `documents` again")
    return (table["verdict"] == KEPT).cast(pl.UInt8).to_numpy().tobytes()


def _same_documents(vertical: Path, documents: Path, seen: int, listed: int) -> None:
    """Raises an error if a vertical and its table have different numbers of documents."""
    if seen != listed:
        raise StageFileError(f"{documents}: {listed} documents, but {vertical} has {seen}; run `documents` again")
