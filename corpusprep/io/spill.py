"""Hash-partitioned spill files for external sorts."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class PartitionFiles:
    """Files of partitions, to which arrays are appended.

    Args:
        folder: the folder to make for the files.
        dtype: type of the stored values.
    """

    def __init__(self, folder: Path, dtype: np.dtype[np.void]) -> None:
        self._folder, self._dtype = folder, dtype
        folder.mkdir()

    def add(self, numbers: NDArray[np.integer[Any]], values: NDArray[np.void]) -> None:
        """Appends each value to the file of its partition; numbers of 16 bits take the least time."""
        order = np.argsort(numbers, kind="stable")
        ordered = numbers[order]
        starts = np.flatnonzero(np.concatenate([[len(ordered) > 0], ordered[1:] != ordered[:-1]]))
        for start, end in pairwise([*starts.tolist(), len(ordered)]):
            with (self._folder / str(ordered[start])).open("ab") as file:
                # Not tofile(): its error on a full disk does not name the reason or the file. Not values[…]: it takes
                # six times as long as take().
                file.write(values.take(order[start:end]).view(np.uint8).data)

    def count(self, number: int) -> int:
        """Returns the number of values of a partition."""
        path = self._folder / str(number)
        return path.stat().st_size // self._dtype.itemsize if path.exists() else 0

    def read(self, number: int, at_once: int | None = None) -> Iterator[NDArray[np.void]]:
        """Yields the values of a partition, `at_once` at a time."""
        path = self._folder / str(number)
        if path.exists():
            with path.open("rb") as file:
                while len(values := np.fromfile(file, self._dtype, -1 if at_once is None else at_once)):
                    yield values

    def take(self, number: int, at_once: int | None = None) -> Iterator[NDArray[np.void]]:
        """Yields the values of a partition, `at_once` at a time, and then removes its file."""
        yield from self.read(number, at_once)
        (self._folder / str(number)).unlink(missing_ok=True)
