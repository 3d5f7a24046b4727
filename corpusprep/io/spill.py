"""Hash-partitioned spill files for external sorts."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

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

    def add(self, numbers: NDArray[np.int64], values: NDArray[np.void]) -> None:
        """Appends each value to the file of its partition."""
        order = np.argsort(numbers, kind="stable")
        ordered = numbers[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        for start, end in pairwise([*starts.tolist(), len(ordered)]):
            with (self._folder / str(ordered[start])).open("ab") as file:
                # Not tofile(): its error on a full disk does not name the reason or the file.
                file.write(values[order[start:end]].view(np.uint8).data)

    def take(self, number: int, at_once: int | None = None) -> Iterator[NDArray[np.void]]:
        """Yields the values of a partition, `at_once` at a time, and then removes its file."""
        path = self._folder / str(number)
        if path.exists():
            with path.open("rb") as file:
                while len(values := np.fromfile(file, self._dtype, -1 if at_once is None else at_once)):
                    yield values
            path.unlink()
