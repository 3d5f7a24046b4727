"""Rows that are dealt out to files by a number, and read again file by file: what an external sort is made of."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


class PartitionFiles:
    """Numbered files that arrays are appended to.

    Args:
        folder: is made for them.
        dtype: of what they hold.
    """

    def __init__(self, folder: Path, dtype: np.dtype[np.void]) -> None:
        self._folder, self._dtype = folder, dtype
        folder.mkdir()

    def add(self, numbers: NDArray[np.int64], values: NDArray[np.void]) -> None:
        """Appends each value to the file of its number."""
        order = np.argsort(numbers, kind="stable")
        ordered = numbers[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        for start, end in pairwise([*starts.tolist(), len(ordered)]):
            with (self._folder / str(ordered[start])).open("ab") as file:
                # Not tofile(): of a full disk it says neither that it is full nor which.
                file.write(values[order[start:end]].view(np.uint8).data)

    def take(self, number: int, at_once: int | None = None) -> Iterator[NDArray[np.void]]:
        """What has been added to a file, so many values at a time; the file then goes."""
        path = self._folder / str(number)
        if path.exists():
            with path.open("rb") as file:
                while len(values := np.fromfile(file, self._dtype, -1 if at_once is None else at_once)):
                    yield values
            path.unlink()
