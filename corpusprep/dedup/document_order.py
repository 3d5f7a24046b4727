"""Finds the stable order of a corpus's documents and its exact duplicates, on disk (Pomikálek 2011, 3.6.1).

This is an external sort. Documents are partitioned by date and URL into parts that fit the memory. Sorting each part
gives the ranks. Documents are then partitioned by digest, and each of these parts shows its duplicates. The results are
stored by ranges of documents, from which the tables are written. A part that is too large is partitioned again, by the
next key of the order, so memory does not depend on the documents.
"""

import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.dedup.forgetting import ForgetList
from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.io.spill import PartitionFiles
from corpusprep.tables.parquet_sizes import row_groups
from corpusprep.tables.reading import TablePieces
from corpusprep.tables.writing import ROWS_PER_GROUP

UNDATED = "\U0010ffff"  # sorts after every date
#: Columns of `tokens` that decide the order.
READ = ("date", "url", "digest", "page_digest", "encoding", "record_digest", "id")
ORDER = ["date", "url", "high", "low", "page_digest", "encoding", "record_digest", "position"]
#: Bytes per document, without its URL, while its part is sorted: 160 for its values and 200 for sorting, as measured.
SORTED_ROW = 370
#: Bytes per document while its digest is compared: twice its stored values, an index, and the earlier digests.
COMPARED_ROW = 400
#: Bytes per document while its table is written, without the writer's own.
WRITTEN_ROW = 64
#: The most characters of the sample that decides the bounds of parts.
SAMPLE = 1 << 22
DATE = 20
#: The most parts written at once: each flush writes a piece to each part.
MOST_PARTS = 256
#: Planned share of a part's room; sampling 250 rows per part gives an error of about 1/15.
FULL = 0.8
#: Bytes of documents that are written and read in one piece.
SPILLED_BYTES = 8 << 20
#: Values of a document in spill files; bytes on disk per document.
_DIGESTED = np.dtype([("high", "<u8"), ("low", "<u8"), ("rank", "<u8"), ("id", "<u8"), ("position", "<u8")])
_RANKED = np.dtype([("rank", "<u8"), ("offset", "<u4")])
_REPEATED = np.dtype([("kept", "<u8"), ("offset", "<u4")])
DISK_PER_DOCUMENT = _DIGESTED.itemsize + _RANKED.itemsize + _REPEATED.itemsize


def _number(name: str) -> pl.Expr:
    """Converts 64-bit numbers to digits that sort in the same order."""
    return pl.col(name).cast(pl.String).str.zfill(20)


#: Keys for partitioning. Documents with the same key stay together; if they are too many, the next key divides them.
_KEYS = (
    pl.col("date") + "\0" + pl.col("url"),  # no date holds a null byte
    _number("high") + _number("low"),
    pl.col("page_digest"),
    pl.col("encoding"),
    _number("record_digest"),
    _number("position"),
)


def reading_memory(tables: Sequence[Path]) -> int:
    """Returns the bytes that reading the largest piece of a table takes.

    This is the sum of its stored, decompressed and decoded bytes, and of the piece before, which is still in
    memory.

    Raises:
        StageFileError: a table is missing, or is not Parquet.
    """
    most = 0
    for path in tables:
        groups = row_groups(path, READ)
        ends = np.cumsum([group.rows for group in groups])
        for start in range(0, int(ends[-1]) if groups else 0, ROWS_PER_GROUP):
            first, last = np.searchsorted(ends, [start, start + ROWS_PER_GROUP - 1], "right").tolist()
            piece = groups[first : last + 1]
            most = max(most, sum(group.stored + 3 * group.decompressed for group in piece))
    return most


def rows(path: Path, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Reads a table of `tokens` in pieces; missing dates sort last, other nulls become empty.

    Raises:
        StageFileError: the table is missing, cannot be read, or its rows do not fit its vertical.
    """
    start = 0
    for piece in TablePieces(path, ["document", *columns], ROWS_PER_GROUP):
        if not np.array_equal(piece["document"].to_numpy(), np.arange(start, start + piece.height)):
            raise StageFileError(f"{path}: its documents are not numbered from 0; run the stage tokens again")
        start += piece.height
        yield piece.with_columns(pl.col(pl.String).fill_null(""), pl.col(pl.UInt64).fill_null(0)).with_columns(
            *([pl.col("date").replace("", UNDATED)] if "date" in columns else [])
        )


@dataclass(slots=True)
class _Sample:
    """A sample of keys, evenly spaced by the memory of documents; it divides documents into parts of similar size."""

    keys: list[str] = field(default_factory=list)
    room: int = 0
    _step: int = 1

    def add(self, piece: pl.DataFrame, key: pl.Expr) -> None:
        """Adds the next documents."""
        if piece.is_empty():
            return
        ends = self.room + np.cumsum(_room(piece))
        characters = sum(map(len, self.keys))
        # Before keys are added, because all keys of a piece may be too many.
        of_piece = int(piece["url"].str.len_bytes().sum()) + DATE * piece.height
        rows = (int(ends[-1]) - self.room) // piece.height
        while characters + of_piece * min(1, rows / self._step) > SAMPLE:
            characters, self.keys, self._step = characters // 2, self.keys[::2], 2 * self._step
        marks = np.concatenate([[self.room // self._step], ends // self._step])
        self.keys += piece[np.flatnonzero(np.diff(marks))].select(key).to_series().to_list()
        self.room = int(ends[-1])

    def bounds(self, parts: int) -> list[str]:
        """Returns keys that divide the order into about `parts` parts; a very frequent key gets a part of its own."""
        # Python compares code points, which gives the order of the UTF-8 bytes.
        ordered = sorted(self.keys)
        cuts = [ordered[len(ordered) * part // parts] for part in range(1, parts)] if ordered else []
        return sorted({*cuts, *(cut + "\0" for cut, next_ in pairwise(cuts) if cut == next_)})


@dataclass(frozen=True, slots=True)
class Census:
    """Results of the first pass over the documents of a corpus.

    Attributes:
        documents: number of documents.
        room: bytes that sorting all documents at once would take.
        url_bytes: bytes of all URLs.
        sample: a sample of dates and URLs.
    """

    documents: int
    room: int
    url_bytes: int
    sample: _Sample


def census(tables: Sequence[Path]) -> Census:
    """Counts the documents and samples their dates and URLs, in one pass.

    Raises:
        StageFileError: a table is missing, cannot be read, or its rows do not fit its vertical.
    """
    return census_of(
        piece for path in track(tables, "documents: reading tables") for piece in rows(path, ["date", "url"])
    )


def census_of(pieces: Iterable[pl.DataFrame]) -> Census:
    """Counts documents and samples their dates and URLs, in one pass."""
    height, sample = 0, _Sample()
    for piece in pieces:
        sample.add(piece, _KEYS[0])
        height += piece.height
    return Census(height, sample.room, sample.room - SORTED_ROW * height, sample)


def read_documents(tables: Sequence[Path], forgotten: ForgetList | None = None) -> Iterator[pl.DataFrame]:
    """Reads the documents of tables, in pieces, with numbers in place of digests, and their position among all.

    Args:
        tables: of `tokens`.
        forgotten: documents that are left out; they have a position all the same.

    Raises:
        StageFileError: a table is missing, cannot be read, or is not one of the stage tokens.
    """
    position = 0
    for path in tables:
        for piece in rows(path, READ):
            numbers: dict[str, NDArray[np.uint64]] = {}
            for name, digits in (("digest", 32), ("id", 16)):
                try:
                    stored = np.frombuffer(bytes.fromhex("".join(piece[name].to_list())), ">u8")
                except ValueError:
                    stored = np.empty(0, ">u8")
                if len(stored) * 16 != digits * piece.height or (piece[name].str.len_bytes() != digits).any():
                    raise StageFileError(f"{path}: its digests and ids do not fit the stage tokens; run it again")
                numbers[name] = stored.astype(np.uint64)
            documents = piece.drop("document", "digest", "id").with_columns(
                high=pl.Series(numbers["digest"][::2]),
                low=pl.Series(numbers["digest"][1::2]),
                id=pl.Series(numbers["id"]),
                position=pl.int_range(position, position + piece.height, dtype=pl.UInt64, eager=True),
            )
            position += piece.height
            yield documents if forgotten is None else documents.filter(forgotten.matched(piece).is_null())


def _room(documents: pl.DataFrame) -> NDArray[np.int64]:
    """Returns the bytes that each document takes while its part is sorted."""
    return documents["url"].str.len_bytes().to_numpy().astype(np.int64) + SORTED_ROW


@dataclass(slots=True)
class _Part:
    """Documents of one part of the order, in a file: pieces, each after its length."""

    path: Path
    level: int
    room: int = 0

    def append(self, documents: pl.DataFrame) -> None:
        """Adds documents."""
        self.room += int(_room(documents).sum())
        at_once = max(1, documents.height * SPILLED_BYTES // max(1, int(documents.estimated_size())))
        with self.path.open("ab") as file:
            for piece in documents.iter_slices(at_once):
                stored = io.BytesIO()
                piece.write_ipc(stored, compression="zstd")
                file.write(len(stored.getbuffer()).to_bytes(8, "little"))
                file.write(stored.getbuffer())

    def take(self, *, keep: bool = False) -> Iterator[pl.DataFrame]:
        """Yields the documents in pieces, then removes the file unless `keep`."""
        with self.path.open("rb") as file:
            while length := file.read(8):
                yield pl.read_ipc(io.BytesIO(file.read(int.from_bytes(length, "little"))))
        if not keep:
            self.path.unlink()


class Sorting:
    """Sorts documents in the folder `scratch`.

    Args:
        read: yields the documents in pieces, as `read_documents` does.
        found: their census.
        scratch: an empty folder.
        room: bytes that documents may take at once, without those for reading them.
    """

    def __init__(self, read: Callable[[], Iterable[pl.DataFrame]], census: Census, scratch: Path, room: int) -> None:
        self._read, self._census, self._scratch, self._room = read, census, scratch, room
        self._compared_rows = max(1, room // COMPARED_ROW)
        self._digest_parts = max(1, math.ceil(census.documents / (FULL * self._compared_rows)))
        #: Documents per range: their ranks are in memory together while tables are written.
        self.range_size = max(1, min(room // WRITTEN_ROW, 2**32 - 1))
        self._ranked = PartitionFiles(scratch / "ranks", _RANKED)
        self._repeated = PartitionFiles(scratch / "duplicates", _REPEATED)
        self._digested = PartitionFiles(scratch / "digests", _DIGESTED)
        self._folders = 0

    def sort(self, *, compare: bool = True) -> None:
        """Ranks all documents; if `compare`, finds the exact duplicates."""
        bounds = self._census.sample.bounds(self._parts(self._census.room))
        parts = self._partition(track(self._read(), "documents: partitioning pieces"), bounds, 0)
        rank = 0
        for part in track(parts, "documents: sorting parts"):
            rank = self._rank(part, rank)
        for number in track(range(self._digest_parts if compare else 0), "documents: comparing parts"):
            self._compare(number)

    def ranges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]]:
        """Yields ranks, ids of the documents kept instead, and whether documents are duplicates, range by range.

        Documents are numbered over all batches. A range has `range_size` documents, the last one fewer.
        """
        for start in range(0, self._census.documents, self.range_size):
            height = min(self.range_size, self._census.documents - start)
            ranks, kept, repeats = np.zeros(height, np.uint64), np.zeros(height, np.uint64), np.zeros(height, bool)
            for ranked in self._ranked.take(start // self.range_size, self._compared_rows):
                ranks[ranked["offset"]] = ranked["rank"]
            for repeated in self._repeated.take(start // self.range_size, self._compared_rows):
                kept[repeated["offset"]], repeats[repeated["offset"]] = repeated["kept"], True
            yield ranks, kept, repeats

    def _parts(self, room: int) -> int:
        """Returns the number of parts for documents that take `room` bytes."""
        return max(1, min(MOST_PARTS, math.ceil(room / (FULL * self._room))))

    def _partition(self, pieces: Iterable[pl.DataFrame], bounds: list[str], level: int) -> list[_Part]:
        """Writes documents to the parts that `bounds` divide the order into, by the key of a level."""
        cuts = pl.Series(bounds, dtype=pl.String)
        folder = self._scratch / f"parts-{self._folders}"
        folder.mkdir()
        self._folders += 1
        parts = [_Part(folder / str(number), level) for number in range(len(bounds) + 1)]
        waiting: list[pl.DataFrame] = []
        room = 0

        def write() -> None:
            documents = pl.concat(waiting)
            waiting.clear()
            numbers = documents["part"].to_numpy()
            order = np.argsort(numbers, kind="stable")
            starts = np.flatnonzero(np.diff(numbers[order].astype(np.int64), prepend=-1))
            documents = documents.drop("part")
            for start, end in pairwise([*starts.tolist(), len(order)]):
                parts[numbers[order[start]]].append(documents[order[start:end]])

        for piece in pieces:
            part = pl.lit(0, pl.UInt32)
            if len(cuts):
                part = pl.lit(cuts.search_sorted(piece.select(_KEYS[level]).to_series(), "right").cast(pl.UInt32))
            waiting.append(piece.with_columns(part=part))
            room += int(_room(piece).sum())
            if room >= self._room // 2:
                write()
                room = 0
        if waiting:
            write()
        return [part for part in parts if part.room]

    def _rank(self, part: _Part, rank: int) -> int:
        """Sorts a part whose first document has the given rank; returns the rank after its last."""
        if part.room > self._room and (smaller := self._partition_again(part)):
            for piece in smaller:
                rank = self._rank(piece, rank)
            return rank
        # Also sorted by position, so that the order of the pieces does not matter.
        rows = pl.concat(part.take()).sort(ORDER).select("high", "low", "id", "position")
        digested = np.empty(rows.height, _DIGESTED)
        for name in rows.columns:
            digested[name] = rows[name].to_numpy()
        del rows
        digested["rank"] = np.arange(rank, rank + len(digested))
        # The same share of all digests for each part, by their highest 32 bits.
        self._digested.add((digested["high"] >> 32).astype(np.int64) * self._digest_parts >> 32, digested)
        ranked = np.empty(len(digested), _RANKED)
        ranked["rank"], ranked["offset"] = digested["rank"], digested["position"] % self.range_size
        self._ranked.add((digested["position"] // self.range_size).astype(np.int64), ranked)
        return rank + len(digested)

    def _partition_again(self, part: _Part) -> list[_Part]:
        """Divides a part into smaller ones, in order; returns none if it is a single document."""
        for level in range(part.level, len(_KEYS)):
            sample, ends = _Sample(), set[str]()
            for piece in part.take(keep=True):
                sample.add(piece, _KEYS[level])
                ends.update(piece.select(least=_KEYS[level].min(), most=_KEYS[level].max()).row(0))
                ends = {min(ends), max(ends)}
            least = min(ends)
            if least != max(ends):
                # At least one bound is above the least key, so the documents are never all in one part.
                bounds = sorted({*sample.bounds(self._parts(part.room)), least + "\0"})
                return self._partition(part.take(), bounds, level)
        return []

    def _compare(self, number: int) -> None:
        """Finds the duplicates among the documents whose digests belong to a part.

        Documents come by rank, so the first document of each digest comes before the others. Digests are distributed
        evenly, so the distinct ones fit the memory, however often one of them occurs.
        """
        known = np.empty(0, _DIGESTED)
        for values in self._digested.take(number, self._compared_rows):
            values = np.concatenate([known, values])
            values = values[np.lexsort((values["rank"], values["low"], values["high"]))]
            repeats = np.zeros(len(values), bool)
            repeats[1:] = (values["high"][1:] == values["high"][:-1]) & (values["low"][1:] == values["low"][:-1])
            first = np.maximum.accumulate(np.where(repeats, 0, np.arange(len(values))))
            repeated = np.empty(int(repeats.sum()), _REPEATED)
            repeated["kept"] = values["id"][first[repeats]]
            repeated["offset"] = values["position"][repeats] % self.range_size
            self._repeated.add((values["position"][repeats] // self.range_size).astype(np.int64), repeated)
            known = values[~repeats]


class Along:
    """Cuts what `Sorting.ranges` yields to pieces of the documents, which come by position."""

    def __init__(self, sorting: Sorting) -> None:
        self._ranges = sorting.ranges()
        self._ranks, self._kept, self._repeats = np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, bool)

    def take(
        self, pieces: Iterable[pl.DataFrame]
    ) -> Iterator[tuple[pl.DataFrame, NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]]:
        """Yields the next documents in pieces: with their ranks, the ids kept instead, and which are duplicates."""
        for documents in pieces:
            piece = documents
            while piece.height:
                if not len(self._ranks):
                    self._ranks, self._kept, self._repeats = next(self._ranges)
                count = min(piece.height, len(self._ranks))
                yield piece[:count], self._ranks[:count], self._kept[:count], self._repeats[:count]
                piece = piece[count:]
                self._ranks, self._kept, self._repeats = self._ranks[count:], self._kept[count:], self._repeats[count:]
