"""The stable order of a corpus's documents and its exact duplicates, found on disk (Pomikálek 2011, 3.6.1).

An external sort: documents are dealt out, by date and URL, to parts that fit the memory; each part is sorted, which
gives the ranks; documents are then dealt out by digest, and each part of these tells its duplicates. What is found
goes to groups of batches, from which the tables are written. Memory does not grow with the corpus.
"""

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import schemas
from corpusprep.errors import StageFileError
from corpusprep.progress import track

ORDER = ["date", "url", "digest", "page_digest", "encoding", "position"]
UNDATED = "\U0010ffff"  # sorts after every date
#: Characters of the sample from which the bounds of parts are taken.
SAMPLE = 1 << 22
#: What is written of a document on the way, in bytes: its digest, its id, where it stands; its rank.
_DIGESTED = np.dtype(
    [("high", "<u8"), ("low", "<u8"), ("rank", "<u8"), ("id", "<u8"), ("group", "<u4"), ("offset", "<u4")]
)
_RANKED = np.dtype([("rank", "<u8"), ("offset", "<u4")])
_REPEATED = np.dtype([("kept", "<u8"), ("offset", "<u4")])
DISK_A_DOCUMENT = _DIGESTED.itemsize + _RANKED.itemsize + _REPEATED.itemsize


@dataclass(frozen=True, slots=True)
class Census:
    """What is known of the corpus's documents after a first look.

    Attributes:
        heights: documents of each batch.
        url_bytes: of all URLs.
        sample: evenly spaced keys of the order, ascending: date and URL.
    """

    heights: list[int]
    url_bytes: int
    sample: list[str]

    @property
    def documents(self) -> int:
        """Documents of all batches."""
        return sum(self.heights)

    def bounds(self, parts: int) -> list[str]:
        """Keys that cut the order into `parts` parts of about the same size."""
        return [self.sample[len(self.sample) * part // parts] for part in range(1, parts)] if self.sample else []


def _key() -> pl.Expr:
    """A key in whose order documents come: no date holds a null byte. What has the same key stays together."""
    return pl.col("date") + "\0" + pl.col("url")


def rows(path: Path, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """The rows of a table of `tokens`, in pieces; dates are made to sort, nulls made empty.

    Raises:
        StageFileError: the table is missing, cannot be read, or its rows are not those of its vertical.
    """
    with schemas.reading(path):
        height = pl.scan_parquet(path).select(pl.len()).collect().item()
        for start in range(0, height, schemas.ROWS_TOGETHER):
            piece = pl.scan_parquet(path).select("document", *columns).slice(start, schemas.ROWS_TOGETHER).collect()
            expected = np.arange(start, start + piece.height)
            if not np.array_equal(piece["document"].to_numpy(), expected):
                raise StageFileError(f"{path}: its documents are not numbered from 0; run the stage tokens again")
            yield piece.with_columns(pl.col(pl.String).fill_null("")).with_columns(
                *([pl.col("date").replace("", UNDATED)] if "date" in columns else [])
            )
        if not height:  # an empty table has columns, too
            pl.scan_parquet(path).select("document", *columns).collect()


def census(tables: Sequence[Path]) -> Census:
    """Counts the documents and samples their order, in one pass.

    Raises:
        StageFileError: a table is missing, cannot be read, or its rows are not those of its vertical.
    """
    heights, url_bytes, step, before = [], 0, 1, 0
    sample: list[str] = []
    for path in tables:
        height = 0
        for piece in rows(path, ["date", "url"]):
            url_bytes += int(piece["url"].str.len_bytes().sum())
            first = -before % step
            sample += piece.select(_key().gather_every(step, first)).to_series().to_list()
            before += piece.height
            height += piece.height
            while sum(map(len, sample)) > SAMPLE:
                sample, step = sample[::2], 2 * step
        heights.append(height)
    # Strings compare by code points here, as their UTF-8 does there.
    return Census(heights, url_bytes, sorted(sample))


class _Files:
    """Numbered files that arrays are appended to."""

    def __init__(self, folder: Path, dtype: np.dtype[np.void]) -> None:
        self._folder, self._dtype = folder, dtype
        folder.mkdir()

    def add(self, numbers: NDArray[np.int64], values: NDArray[np.void]) -> None:
        """Appends each value to the file of its number."""
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers)) if len(numbers) else np.empty(0, np.int64)
        for number, (start, end) in enumerate(pairwise([0, *ends.tolist()])):
            if end > start:
                with (self._folder / str(number)).open("ab") as file:
                    values[order[start:end]].tofile(file)

    def take(self, number: int) -> NDArray[np.void]:
        """What has been added to a file, which then goes."""
        path = self._folder / str(number)
        if not path.exists():
            return np.empty(0, self._dtype)
        values = np.fromfile(path, self._dtype)
        path.unlink()
        return values


class Sorting:
    """Sorts the documents of `tables` in the folder `scratch`.

    Args:
        tables: the tables of `tokens` of all batches.
        found: their census.
        scratch: an empty folder.
        part_rows: documents sorted at once.
    """

    def __init__(self, tables: Sequence[Path], found: Census, scratch: Path, part_rows: int) -> None:
        self._tables, self._census, self._scratch, self._rows = tables, found, scratch, part_rows
        self.parts = max(1, math.ceil(found.documents / part_rows))
        # Batches whose tables are written together have about as many documents as a part.
        totals = np.cumsum([0, *found.heights])
        self.group_of = (totals[:-1] // part_rows).tolist()
        self._first = {group: batch for batch, group in reversed([*enumerate(self.group_of)])}
        self._starts = totals
        self._ranked = _Files(scratch / "ranks", _RANKED)
        self._repeated = _Files(scratch / "duplicates", _REPEATED)
        self._digested = _Files(scratch / "digests", _DIGESTED)

    def sort(self) -> None:
        """Ranks all documents and finds the exact duplicates."""
        self._deal()
        rank = 0
        for part in track(range(self.parts), "documents: parts sorted"):
            rank = self._rank(part, rank)
        for part in track(range(self.parts), "documents: parts compared"):
            self._compare(part)

    def groups(self) -> Iterator[tuple[range, NDArray[np.uint64], dict[int, int]]]:
        """For each group of batches: their numbers, the ranks of their documents, and the ids that duplicates are of.

        Documents are counted from the first of the group.
        """
        for group in dict.fromkeys(self.group_of):
            first = self._first[group]
            batches = range(first, first + self.group_of.count(group))
            ranked, repeated = self._ranked.take(group), self._repeated.take(group)
            ranks = np.zeros(sum(self._census.heights[batch] for batch in batches), np.uint64)
            ranks[ranked["offset"]] = ranked["rank"]
            yield batches, ranks, dict(zip(repeated["offset"].tolist(), repeated["kept"].tolist(), strict=True))

    def _deal(self) -> None:
        """Deals the documents out to the parts of the order."""
        bounds = pl.Series(self._census.bounds(self.parts), dtype=pl.String)
        waiting: list[pl.DataFrame] = []
        written = 0

        def write() -> None:
            if not waiting:
                return
            for part, frame in pl.concat(waiting).partition_by("part", as_dict=True, include_key=False).items():
                folder = self._scratch / f"part-{part[0]}"
                folder.mkdir(exist_ok=True)
                frame.write_ipc(folder / str(written), compression="zstd")
            waiting.clear()

        for batch, path in enumerate(track(self._tables, "documents: tables dealt out")):
            group = self.group_of[batch]
            offset = int(self._starts[batch] - self._starts[self._first[group]])
            for piece in rows(path, ["date", "url", "digest", "page_digest", "encoding", "id"]):
                part = pl.Series(np.zeros(piece.height, np.uint32))
                if len(bounds):
                    part = bounds.search_sorted(piece.select(_key()).to_series(), "right").cast(pl.UInt32)
                try:
                    packed = piece.with_columns(pl.col("digest", "id").str.decode("hex"))
                    sizes = packed.select(pl.col("digest", "id").bin.size().unique().implode()).row(0)
                except pl.exceptions.PolarsError:
                    sizes = ()
                if sizes != ([16], [8]):
                    raise StageFileError(f"{path}: its digests and ids are not those of the stage tokens; run it again")
                waiting.append(
                    packed.with_columns(
                        position=pl.lit(int(self._starts[batch]), pl.UInt64) + pl.col("document"),
                        offset=(pl.col("document") + offset).cast(pl.UInt32),
                        group=pl.lit(group, pl.UInt32),
                        part=part,
                    ).drop("document")
                )
                if sum(frame.height for frame in waiting) >= self._rows // 2:
                    write()
                    written += 1
        write()

    def _rank(self, part: int, rank: int) -> int:
        """Sorts a part whose first document has that rank; gives the rank behind its last."""
        folder = self._scratch / f"part-{part}"
        if not folder.exists():
            return rank
        files = list(folder.iterdir())
        frame = pl.concat([pl.read_ipc(io.BytesIO(path.read_bytes())) for path in files])
        for path in files:
            path.unlink()
        # Sorted by position as well, so it does not matter in which order the files come.
        frame = frame.sort(ORDER).select("digest", "id", "group", "offset")
        digested = np.empty(frame.height, _DIGESTED)
        digests = np.frombuffer(b"".join(frame["digest"].to_list()), ">u8").reshape(-1, 2)
        digested["high"], digested["low"] = digests[:, 0], digests[:, 1]
        digested["rank"] = np.arange(rank, rank + frame.height)
        digested["id"] = np.frombuffer(b"".join(frame["id"].to_list()), ">u8")
        digested["group"], digested["offset"] = frame["group"].to_numpy(), frame["offset"].to_numpy()
        # The same share of all digests for each part, by their highest 32 bits.
        self._digested.add((digested["high"] >> 32).astype(np.int64) * self.parts >> 32, digested)
        ranked = np.empty(frame.height, _RANKED)
        ranked["rank"], ranked["offset"] = digested["rank"], digested["offset"]
        self._ranked.add(digested["group"].astype(np.int64), ranked)
        return rank + frame.height

    def _compare(self, part: int) -> None:
        """Finds the duplicates among the documents whose digests belong to a part."""
        values = self._digested.take(part)
        values = values[np.lexsort((values["rank"], values["low"], values["high"]))]
        repeats = np.zeros(len(values), bool)
        repeats[1:] = (values["high"][1:] == values["high"][:-1]) & (values["low"][1:] == values["low"][:-1])
        first = np.maximum.accumulate(np.where(repeats, 0, np.arange(len(values))))
        repeated = np.empty(int(repeats.sum()), _REPEATED)
        repeated["kept"], repeated["offset"] = values["id"][first[repeats]], values["offset"][repeats]
        self._repeated.add(values["group"][repeats].astype(np.int64), repeated)
