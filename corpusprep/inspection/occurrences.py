"""Divides the occurrences of items by the order of items, on disk, into groups that fit the memory.

External radix sorting (Knuth 1998, 5.4.7): occurrences are divided into ranges of their first words. A range that is
still too large is divided again: by the next words, where all its first ones are equal, and by place, where all are of
one item.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep.io.spill import PartitionFiles

#: The most files that occurrences are divided into at once; an even number.
MOST_FILES = 512


@dataclass(frozen=True)
class Group:
    """All occurrences of some items.

    Attributes:
        count: of the occurrences.
        alone: whether they are of one item, and come in pieces that are in the order of places.
        pieces: the occurrences, to be read once; a single piece, if they are not of one item.
    """

    count: int
    alone: bool
    pieces: Iterator[NDArray[np.void]]


class Occurrences:
    """Occurrences that are divided into ranges of a level: of a word of their items, or of the places of one item."""

    def __init__(
        self,
        folder: Path,
        ngrams: int,
        ends: NDArray[np.int64],
        most: int,
        count: int,
        extent: tuple[int, int, int] | None = None,
    ) -> None:
        """Makes a folder for the files.

        Args:
            folder: the folder.
            ngrams: words of an item.
            ends: frequency of each word and all words before it, in the order of words.
            most: the most occurrences of a piece.
            count: of occurrences, or more; it decides on the number of ranges.
            extent: the level (0: the first word, `ngrams`: the place), its smallest and its largest value.
        """
        self._folder, self._ngrams, self._ends, self._most = folder, ngrams, ends, most
        columns: list[Any] = [("place", np.uint64), ("words", np.uint32, (ngrams,))]
        self.kind = np.dtype(columns)
        self._level, self._low, high = extent or (0, 0, len(ends) - 1)
        self._parts = min(MOST_FILES, 2 * -(-count // most))
        self._lock = threading.Lock()
        self._files = PartitionFiles(folder, self.kind)
        if self._level < ngrams:
            bounds = np.concatenate([[0], ends[: high + 1]])[self._low :]
            # Words by the middles of their frequencies: the first and the last word are never in one range.
            middles = bounds[:-1] + bounds[1:] - 2 * bounds[0]
            self._ranges = (middles * self._parts // (2 * (bounds[-1] - bounds[0]))).astype(np.uint16)
        else:
            self._width = high + 1 - self._low

    def add(self, rows: NDArray[np.void]) -> None:
        """Adds occurrences; several threads may call it."""
        if self._level < self._ngrams:
            into = self._ranges[rows["words"][:, self._level] - np.uint32(self._low)]
        else:
            offsets = rows["place"].astype(np.int64) - self._low
            into = (offsets * self._parts // self._width).astype(np.uint16)
        with self._lock:
            self._files.add(into, rows)

    def groups(self) -> Iterator[Group]:
        """Yields all occurrences in the order of their items; removes the folder at the end."""
        for number in range(self._parts):
            count = self._files.count(number)
            if count > self._most:
                yield from self._finer(number, count)
            elif count:
                (rows,) = self._files.take(number)
                yield Group(count, False, iter((rows,)))
        self._folder.rmdir()

    def _finer(self, number: int, count: int) -> Iterator[Group]:
        """Divides a range again."""
        lows, highs = [], []
        for rows in self._files.read(number, self._most):
            values = [*rows["words"].T, rows["place"]]
            lows.append([int(column.min()) for column in values])
            highs.append([int(column.max()) for column in values])
        low, high = np.min(lows, axis=0), np.max(highs, axis=0)
        level = int(np.flatnonzero(low < high)[0])
        extent = level, int(low[level]), int(high[level])
        finer = Occurrences(self._folder / f"{number}-finer", self._ngrams, self._ends, self._most, count, extent)
        for rows in self._files.take(number, self._most):
            finer.add(rows)
        if level < self._ngrams:
            yield from finer.groups()
        else:
            yield Group(count, True, (rows for group in finer.groups() for rows in group.pieces))
