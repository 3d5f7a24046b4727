"""Sums by key over any number of tables, in bounded memory: sorted runs in files, merged (Knuth 1973, 5.4.1)."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.merge_rounds import in_rounds, remove_scratch
from corpusprep.tables import schemas
from corpusprep.tables.parts import ParquetParts

#: Bytes of sums that are held before they go to a file: some 300,000 words, 60,000 hosts. With 16 MB, a batch of which
#: each block had a word of its own took 270 MB instead of 225.
HELD_BYTES = 8_000_000

#: Rows of a run that are stored, and read, together.
ROWS_PER_GROUP = 1 << 13

#: Runs that are merged at once: up to 262,144 rows are in memory.
FAN_IN = 32


@dataclass(frozen=True)
class SortedRun:
    """Rows of a Parquet file with ascending keys, each key once.

    Attributes:
        path: the file.
        start: the first row.
        height: how many there are.
        columns: names here -> in the file: `key`, and numbers.
    """

    path: Path
    start: int
    height: int
    columns: Mapping[str, str]

    def read(self, place: int) -> pl.DataFrame:
        """Up to ROWS_PER_GROUP rows from the one at `place` on.

        Raises:
            StageFileError: the file is damaged, or the keys do not ascend.
        """
        with schemas.reading(self.path):
            rows = pl.scan_parquet(self.path).slice(self.start + place, min(ROWS_PER_GROUP, self.height - place))
            frame = rows.select(pl.col(stored).alias(name) for name, stored in self.columns.items()).collect()
        if not frame["key"].is_sorted() or frame["key"].null_count():
            raise StageFileError(f"{self.path}: its keys are out of order; run the stage that writes it again")
        return frame


def _added_up(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """One row a key, by ascending key, of frames that are no longer needed.

    To sort takes half the memory that hashing the keys does, and less time.
    """
    rows, numbers = pl.concat(frames), pl.exclude("key")
    frames.clear()
    rows = rows.sort("key")
    rows = rows.with_columns(numbers.cum_sum())
    rows = rows.filter(pl.col("key").ne_missing(pl.col("key").shift(-1)))
    return rows.with_columns(numbers - numbers.shift(fill_value=0))


def merged(runs: Iterable[SortedRun], folder: Path) -> Iterator[pl.DataFrame]:
    """The sums of all runs in pieces, with ascending keys, each key once.

    Args:
        runs: what is added up; all with the same columns.
        folder: an existing one, for temporary files (of more than FAN_IN runs).

    Raises:
        StageFileError: a run's file is missing or damaged.
    """
    left = [run for run in runs if run.height]
    with tempfile.TemporaryDirectory(dir=folder, prefix=".merged-") as name:
        scratch = Path(name)

        def merge(group: list[SortedRun], number: int) -> SortedRun:
            stored = _stored(group, scratch / f"{number}.parquet")
            remove_scratch(scratch, {run.path for run in group})
            return stored

        yield from _merged(in_rounds(left, FAN_IN, merge))


def _stored(runs: Sequence[SortedRun], path: Path) -> SortedRun:
    """A run of the sums of others."""
    names = list(runs[0].columns)
    schema = pl.Schema({name: pl.String() if name == "key" else pl.Int64() for name in names})
    height = 0
    with ParquetParts(path, schema, rows_a_group=ROWS_PER_GROUP) as table:
        for frame in _merged(runs):
            table.extend(frame)
            height += frame.height
    return SortedRun(path, 0, height, dict(zip(names, names, strict=True)))


def _merged(runs: Sequence[SortedRun]) -> Iterator[pl.DataFrame]:
    places = [0] * len(runs)
    waiting = [pl.DataFrame()] * len(runs)
    while True:
        for number, run in enumerate(runs):
            if not waiting[number].height and places[number] < run.height:
                waiting[number] = run.read(places[number])
                places[number] += waiting[number].height
        # Keys after the smallest of the last ones may still come in a run that is not at its end.
        lasts = [
            frame["key"][-1]
            for frame, place, run in zip(waiting, places, runs, strict=True)
            if place < run.height and frame.height
        ]
        last = min(lasts, key=str.encode, default=None)
        taken = []
        for number, frame in enumerate(waiting):
            if frame.height:
                count = frame.height if last is None else frame["key"].search_sorted(last, side="right")
                taken.append(frame[:count])
                waiting[number] = frame[count:]
        if not taken:
            return
        yield taken[0] if len(taken) == 1 else _added_up(taken)


class KeySums:
    """Adds up the numbers of frames by their column `key`; what is too much for the memory goes to files.

    A context: the files go at its end.
    """

    def __init__(self, folder: Path, held: int = HELD_BYTES) -> None:
        """Sums of nothing yet.

        Args:
            folder: an existing one, for temporary files.
            held: bytes of sums in memory; twice as many of what is not added up yet.
        """
        self._folder = tempfile.TemporaryDirectory(dir=folder, prefix=".sums-")
        self._held = held
        self._frames: list[pl.DataFrame] = []
        self._waiting = 0
        self._runs: list[SortedRun] = []

    def __enter__(self) -> "KeySums":
        return self

    def __exit__(self, *error: object) -> None:
        self._folder.cleanup()

    def add(self, frame: pl.DataFrame) -> None:
        """Adds rows: the column `key`, and columns of 64-bit numbers."""
        size = int(frame.estimated_size())
        if self._frames and self._waiting + size >= 2 * self._held:
            self._reduce()
        self._frames.append(frame)
        self._waiting += size
        if self._waiting >= 2 * self._held:
            self._reduce()

    def sums(self) -> Iterator[pl.DataFrame]:
        """All sums in pieces, with ascending keys, each key once; after it nothing can be added."""
        if self._frames:
            sums = self._take()
            if not self._runs:
                yield sums
                return
            self._spill(sums)
        yield from merged(self._runs, Path(self._folder.name))

    def _reduce(self) -> None:
        """Adds up what is in memory; much goes to a file."""
        sums = self._take()
        size = int(sums.estimated_size())
        if size >= self._held:
            self._spill(sums)
        else:
            self._frames, self._waiting = [sums], size

    def _take(self) -> pl.DataFrame:
        """The sums in memory, which are no longer held here."""
        self._waiting = 0
        return _added_up(self._frames)

    def _spill(self, sums: pl.DataFrame) -> None:
        path = Path(self._folder.name) / f"{len(self._runs):06d}.parquet"
        sums.write_parquet(path, compression="lz4", row_group_size=ROWS_PER_GROUP)
        self._runs.append(SortedRun(path, 0, sums.height, {name: name for name in sums.columns}))
