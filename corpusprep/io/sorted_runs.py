"""External sort of records that have lists of numbers: sorted runs in one file, and their merge, in bounded memory."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Literal

import numpy as np
from numpy.typing import NDArray

#: Bytes of a block of records: what is read at once of each run. A longer record is a block of its own.
BLOCK_BYTES = 1 << 16
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_LENGTHS = struct.Struct("<QQ")


@dataclass(frozen=True, slots=True)
class Records:
    """Records one after another.

    Attributes:
        heads: shape (records,), with the fields `major` and `minor`, which decide the order, and `size`, the length of
            the record's list.
        numbers: the lists, one after another; shape (sum of sizes,), of 64-bit numbers.
    """

    heads: NDArray[np.void]
    numbers: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def nbytes(self) -> int:
        """Bytes of heads and lists."""
        return self.heads.nbytes + self.numbers.nbytes

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each list starts, and where the last one ends; shape (records + 1,)."""
        starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(self.heads["size"], dtype=np.int64)])
        return starts

    def cut(self, first: int, last: int) -> "Records":
        """Returns the records from `first` to before `last`."""
        starts = self.starts
        return Records(self.heads[first:last], self.numbers[starts[first] : starts[last]])

    def take(self, places: NDArray[np.int64]) -> "Records":
        """Returns the records at some places, in their order."""
        heads = self.heads[places]
        sizes = heads["size"].astype(np.int64)
        # The place of each number: that of its list, and its place in the list.
        shift = self.starts[places] - np.cumsum(sizes) + sizes
        return Records(heads, self.numbers[np.repeat(shift, sizes) + np.arange(int(sizes.sum()))])

    def sorted(self) -> "Records":
        """Returns the records in their order."""
        return self.take(np.lexsort((self.heads["minor"], self.heads["major"])))

    def until(self, major: int, minor: int) -> int:
        """Returns how many records come before a place in the order, or are there; they are sorted."""
        majors = self.heads["major"]
        first, last = (int(np.searchsorted(majors, np.uint64(major), side)) for side in _SIDES)
        return first + int(np.searchsorted(self.heads["minor"][first:last], np.uint64(minor), "right"))


def joined(parts: list[Records]) -> Records:
    """Returns the records of one or more parts, one after another."""
    return Records(np.concatenate([part.heads for part in parts]), np.concatenate([part.numbers for part in parts]))


class SortedRuns:
    """Sorted runs of records, one after another in a file.

    Args:
        file: an open file, empty.
        head: type of the heads.
    """

    def __init__(self, file: IO[bytes], head: np.dtype[np.void]) -> None:
        self._file, self._head = file, head
        self._starts: list[int] = []
        self._end = 0

    def __len__(self) -> int:
        return len(self._starts)

    def start(self) -> None:
        """Begins a run, after the others."""
        self._starts.append(self._end)

    def write(self, records: Records) -> None:
        """Adds records to the last run; together they are sorted."""
        ends = records.starts[1:] + np.arange(1, len(records) + 1) * (self._head.itemsize // 8)
        self._file.seek(self._end)
        first = 0
        while first < len(records):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + BLOCK_BYTES // 8, "right")))
            block = records.cut(first, last)
            self._file.write(_LENGTHS.pack(len(block), len(block.numbers)))
            self._file.write(block.heads.tobytes())
            self._file.write(block.numbers.tobytes())
            first = last
        self._end = self._file.tell()

    def run(self, number: int) -> Iterator[Records]:
        """Yields the records of a run, block by block."""
        place, end = [*self._starts, self._end][number : number + 2]
        while place < end:
            self._file.seek(place)
            count, numbers = _LENGTHS.unpack(self._file.read(_LENGTHS.size))
            heads = np.frombuffer(self._file.read(count * self._head.itemsize), self._head)
            lists = np.frombuffer(self._file.read(8 * numbers), np.uint64)
            place = self._file.tell()
            yield Records(heads, lists)

    def blocks(self) -> Iterator[Records]:
        """Yields the records of all runs, run by run."""
        for number in range(len(self)):
            yield from self.run(number)

    def merged(self, most: int) -> Iterator[Records]:
        """Yields all records in their order; up to `most` runs, 2 or more, are merged at a time."""
        waiting = list(range(len(self)))
        while len(waiting) > most:
            pieces = _merged([self.run(number) for number in waiting[:most]])
            self.start()
            for piece in pieces:
                self.write(piece)
            waiting = [*waiting[most:], len(self) - 1]
        return _merged([self.run(number) for number in waiting])


def _merged(runs: list[Iterator[Records]]) -> Iterator[Records]:
    """Merges sorted runs: what comes before the end of the first block that ends is complete."""
    blocks = {number: block for number, run in enumerate(runs) if (block := next(run, None)) is not None}
    while blocks:
        major, minor = min((int(block.heads["major"][-1]), int(block.heads["minor"][-1])) for block in blocks.values())
        parts = []
        for number, block in list(blocks.items()):
            count = block.until(major, minor)
            if count:
                parts.append(block.cut(0, count))
            following = block.cut(count, len(block)) if count < len(block) else next(runs[number], None)
            if following is None:
                del blocks[number]
            else:
                blocks[number] = following
        yield joined(parts).sorted() if len(parts) > 1 else parts[0]
