"""Adds up numbers by key over any number of tables, in bounded memory, by merging sorted runs (Knuth 1973, 5.4.1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.files import scratch
from corpusprep.io.merge_rounds import in_rounds, remove_scratch
from corpusprep.tables.reading import read_rows
from corpusprep.tables.writing import TableWriter, write_scratch

#: Bytes of sums in memory before they are written to a file: about 300,000 words or 60,000 hosts.
HELD_BYTES = 8_000_000

#: Rows of a run that are stored in one row group, and at least read at once.
ROWS_PER_PIECE = 1 << 13

#: Number of runs that are merged at once.
FAN_IN = 32

#: Rows in memory while runs are merged. Of few runs more are read at once: each reading opens the file again.
ROWS_MERGED = FAN_IN * ROWS_PER_PIECE


@dataclass(frozen=True)
class SortedRun:
    """Rows of a Parquet file with ascending keys, each key once.

    Attributes:
        path: the file.
        start: the first row.
        height: the number of rows.
        columns: column names of the result -> those in the file: `key`, and numbers.
    """

    path: Path
    start: int
    height: int
    columns: Mapping[str, str]

    def read(self, place: int, rows: int = ROWS_PER_PIECE) -> pl.DataFrame:
        """Reads up to `rows` rows, from row `place` on.

        Raises:
            StageFileError: the file is damaged, or the keys are not ascending.
        """
        columns = (pl.col(stored).alias(name) for name, stored in self.columns.items())
        frame = read_rows(self.path, columns, self.start + place, min(rows, self.height - place))
        if not frame["key"].is_sorted() or frame["key"].null_count():
            raise StageFileError(f"{self.path}: keys are out of order; run the stage that writes this file again")
        return frame


def _added_up(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Adds up frames: returns one row per key, in ascending order; empties `frames`.

    Sorting needs half the memory of hashing the keys, and less time.
    """
    rows, numbers = pl.concat(frames), pl.exclude("key")
    frames.clear()
    rows = rows.sort("key")
    rows = rows.with_columns(numbers.cum_sum())
    rows = rows.filter(pl.col("key").ne_missing(pl.col("key").shift(-1)))
    return rows.with_columns(numbers - numbers.shift(fill_value=0))


def merged(runs: Iterable[SortedRun], folder: Path) -> Iterator[pl.DataFrame]:
    """Merges runs: yields their sums in pieces, with ascending keys, each key once.

    Args:
        runs: the runs, all with the same columns.
        folder: an existing folder for temporary files, used for more than FAN_IN runs.

    Raises:
        StageFileError: a run's file is missing or damaged.
    """
    left = [run for run in runs if run.height]
    with scratch(folder / "merged") as rounds:

        def merge(group: list[SortedRun], number: int) -> SortedRun:
            stored = _stored(group, rounds / f"{number}.parquet")
            remove_scratch(rounds, {run.path for run in group})
            return stored

        yield from _merged(in_rounds(left, FAN_IN, merge))


def _stored(runs: Sequence[SortedRun], path: Path) -> SortedRun:
    """Merges runs to one run in a file."""
    names = list(runs[0].columns)
    schema = pl.Schema({name: pl.String() if name == "key" else pl.Int64() for name in names})
    height = 0
    with TableWriter(path, schema, rows_per_group=ROWS_PER_PIECE) as table:
        for frame in _merged(runs):
            table.extend(frame)
            height += frame.height
    return SortedRun(path, 0, height, dict(zip(names, names, strict=True)))


def _merged(runs: Sequence[SortedRun]) -> Iterator[pl.DataFrame]:
    places = [0] * len(runs)
    waiting = [pl.DataFrame()] * len(runs)
    rows = ROWS_MERGED // max(1, len(runs))
    while True:
        for number, run in enumerate(runs):
            if not waiting[number].height and places[number] < run.height:
                waiting[number] = run.read(places[number], rows)
                places[number] += waiting[number].height
        # Keys above the smallest last key may still follow in a run that is not at its end.
        lasts = [
            frame["key"][-1]
            for frame, place, run in zip(waiting, places, runs, strict=True)
            if place < run.height and frame.height
        ]
        last = min(lasts, key=str.encode, default=None)
        frames = []
        for number, frame in enumerate(waiting):
            if frame.height:
                count = frame.height if last is None else frame["key"].search_sorted(last, side="right")
                frames.append(frame[:count])
                waiting[number] = frame[count:]
        if not frames:
            return
        yield frames[0] if len(frames) == 1 else _added_up(frames)


class KeySums:
    """Adds up the numbers of frames by their column `key`; writes sums that exceed the memory to temporary files.

    It is a context manager that removes the files at its end.
    """

    def __init__(self, folder: Path, held: int = HELD_BYTES) -> None:
        """Starts without sums.

        Args:
            folder: an existing folder for temporary files.
            held: bytes of sums in memory; rows that are not added up yet may take twice as many.
        """
        self._parent = folder
        self._scratch = ExitStack()
        self._held = held
        self._frames: list[pl.DataFrame] = []
        self._waiting = 0
        self._runs: list[SortedRun] = []

    def __enter__(self) -> "KeySums":
        self._folder = self._scratch.enter_context(scratch(self._parent / "sums"))
        return self

    def __exit__(self, *error: object) -> None:
        self._scratch.close()

    def add(self, frame: pl.DataFrame) -> None:
        """Adds rows with the column `key` and columns of 64-bit numbers."""
        size = int(frame.estimated_size())
        if self._frames and self._waiting + size >= 2 * self._held:
            self._reduce()
        self._frames.append(frame)
        self._waiting += size
        if self._waiting >= 2 * self._held:
            self._reduce()

    def sums(self) -> Iterator[pl.DataFrame]:
        """Yields all sums in pieces, with ascending keys, each key once; call it last."""
        if self._frames:
            sums = self._take()
            if not self._runs:
                yield sums
                return
            self._spill(sums)
        yield from merged(self._runs, self._folder)

    def _reduce(self) -> None:
        """Adds up the rows in memory; writes them to a file if they are larger than `held`."""
        sums = self._take()
        size = int(sums.estimated_size())
        if size >= self._held:
            self._spill(sums)
        else:
            self._frames, self._waiting = [sums], size

    def _take(self) -> pl.DataFrame:
        """Adds up and releases the rows in memory."""
        self._waiting = 0
        return _added_up(self._frames)

    def _spill(self, sums: pl.DataFrame) -> None:
        path = self._folder / f"{len(self._runs):06d}.parquet"
        write_scratch(sums, path, ROWS_PER_PIECE)
        self._runs.append(SortedRun(path, 0, sums.height, {name: name for name in sums.columns}))
