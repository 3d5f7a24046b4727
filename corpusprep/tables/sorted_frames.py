"""Sorts the rows of frames in bounded memory: sorted runs in scratch tables, and their merge (Knuth 1973, 5.4.1)."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import polars as pl

from corpusprep.io.files import scratch
from corpusprep.tables.reading import read_rows
from corpusprep.tables.writing import write_scratch

#: The most rows of a run that are read at once, in a row group of their own.
_ROWS_PER_GROUP = 1 << 13


class SortedFrames:
    """Rows that are added in any order, and read sorted; a context manager that removes its files at the end.

    Attributes:
        added: number of rows that were added.
    """

    def __init__(self, beside: Path, order: Sequence[pl.Expr], rows: int, limit: int = 0) -> None:
        """Starts without rows.

        Args:
            beside: the path that a folder for temporary files is made beside, if rows exceed the memory.
            order: what rows are sorted by, the smallest first; without nulls or NaN, and no two rows alike in all.
            rows: the most rows in memory; those of a frame that is added come on top.
            limit: the most rows that are read; 0: all.
        """
        self.added = 0
        self._beside, self._limit, self._rows = beside, limit, rows
        self._scratch = ExitStack()
        self._keys = {f"\0{number}": key for number, key in enumerate(order)}
        self._held: list[pl.DataFrame] = []
        self._height = 0
        self._runs: list[tuple[Path, int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._scratch.close()

    def add(self, frame: pl.DataFrame) -> None:
        """Adds rows; all frames have the same columns."""
        self.added += frame.height
        self._held.append(frame.with_columns(**self._keys))
        self._height += frame.height
        if self._height >= self._rows:
            first = self._take()
            if first.height > self._rows // 2:
                self._spill(first)
            else:
                self._held, self._height = [first], first.height

    def sorted(self) -> Iterator[pl.DataFrame]:
        """Yields the rows in pieces, sorted; call it last, and after one frame at least was added."""
        if not self._runs:
            yield self._take().drop(*self._keys)
            return
        if self._held:
            self._spill(self._take())
        left = self._limit or self.added
        for piece in self._merged():
            yield piece.head(left).drop(*self._keys)
            left -= piece.height
            if left <= 0:
                return

    def _take(self) -> pl.DataFrame:
        """Sorts the rows in memory and releases them; returns those that can be among the first `limit`."""
        rows = pl.concat(self._held).sort(*self._keys)
        self._held, self._height = [], 0
        return rows.head(self._limit) if self._limit else rows

    def _spill(self, rows: pl.DataFrame) -> None:
        if not self._runs:
            self._folder = self._scratch.enter_context(scratch(self._beside))
        path = self._folder / f"{len(self._runs):06d}.parquet"
        write_scratch(rows, path, _ROWS_PER_GROUP)
        self._runs.append((path, rows.height))

    def _merged(self) -> Iterator[pl.DataFrame]:
        """Merges the runs: what comes before the end of the first piece that ends is complete."""
        at_once = max(1, self._rows // len(self._runs))
        places = [0] * len(self._runs)
        waiting: list[pl.DataFrame | None] = [None] * len(self._runs)
        while True:
            for number, (path, height) in enumerate(self._runs):
                frame = waiting[number]
                if (frame is None or not frame.height) and places[number] < height:
                    waiting[number] = read_rows(path, ["*"], places[number], at_once)
                    places[number] += at_once
            frames = [frame for frame in waiting if frame is not None and frame.height]
            if not frames:
                return
            ends = [
                frame.select(*self._keys).row(-1)
                for frame, place, (_, height) in zip(waiting, places, self._runs, strict=True)
                if frame is not None and frame.height and place < height
            ]
            if not ends:
                yield pl.concat(frames).sort(*self._keys)
                return
            lasts = pl.DataFrame(ends, schema=frames[0].select(*self._keys).schema, orient="row")
            complete = self._until(lasts.sort(*self._keys).row(0))
            yield pl.concat([frame.filter(complete) for frame in frames]).sort(*self._keys)
            waiting = [None if frame is None else frame.filter(~complete) for frame in waiting]

    def _until(self, last: Sequence[Any]) -> pl.Expr:
        """Returns the condition that a row does not come behind a place in the order."""
        passes = pl.lit(True)
        for name, value in reversed(list(zip(self._keys, last, strict=True))):
            passes = (pl.col(name) < value) | ((pl.col(name) == value) & passes)
        return passes
