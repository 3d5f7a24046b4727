"""Which documents and tokens n-grams are made of: what batches must have in common, and verticals with their tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from corpusprep._native import ngrams as native
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks
from corpusprep.io.read_ahead import read_ahead
from corpusprep.tables.verdicts import KEPT

#: Between two verticals: whatever the one before lacks at its end, its last document ends here.
_END = b"\n</doc>\n"


def selection_digest(count_punctuation: bool, stop_words: Sequence[str]) -> int:
    """A digest of the setting that says which tokens count."""
    return native.checksum("\n".join([str(count_punctuation), *sorted(set(stop_words))]).encode())


class Kernel(Protocol):
    """What reads a vertical."""

    @property
    def documents(self) -> int:
        """How many it has seen."""

    def feed(self, data: bytes) -> None:
        """Takes the next bytes."""


class Verticals:
    """The verticals of batches that are read one after the other, as one.

    Args:
        verticals: `tokens/<batch>.vert.zst` of each batch.
        documents: `documents/<batch>.parquet` of each, in the same order; None takes all documents.

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
        """Compressed bytes of all."""
        return sum(path.stat().st_size for path in self._verticals if path.exists())

    @property
    def taken(self) -> bytes | None:
        """A byte for each document of all verticals: whether its table kept it."""
        return None if self._taken is None else b"".join(self._taken)

    def feed(self, kernel: Kernel, threads: int = 1) -> Iterator[None]:
        """Gives all to the kernel; stops after each piece. With two threads or more, one reads ahead.

        Raises:
            StageFileError: a vertical is missing or damaged, or has not as many documents as its table.
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
    import polars as pl  # here, as most steps do without: it is half of their start-up

    from corpusprep.tables import schemas
    from corpusprep.tables.reading import read_table

    table = read_table(documents, schemas.DOCUMENTS, ["document", "verdict"]).sort("document")
    if not table["document"].cast(pl.Int64).equals(pl.int_range(len(table), eager=True, dtype=pl.Int64)):
        raise StageFileError(f"{documents}: its documents are not numbered from 0 on; run `documents` again")
    return (table["verdict"] == KEPT).cast(pl.UInt8).to_numpy().tobytes()


def _same_documents(vertical: Path, documents: Path, seen: int, listed: int) -> None:
    """Fails where a vertical has not as many documents as its table."""
    if seen != listed:
        raise StageFileError(f"{documents}: {listed} documents, but {vertical} has {seen}; run `documents` again")
