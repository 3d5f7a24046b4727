"""Moves bytes between files and the kernels of block de-duplication.

The kernels read, check and write pieces of streams. This module handles files, and errors that name them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

from corpusprep._native import blocks as kernel
from corpusprep.errors import StageFileError

READ_BYTES = 1 << 20  # bytes of a file that are read at once, if the memory allows
SMALLEST_PIECE = 1 << 14  # the same, if it does not
MARGIN = 32 << 20  # bytes for everything but what a step plans: pieces of files, the decompressor

Table = TypeVar("Table", kernel.MatchTable, kernel.VerdictTable, kernel.ClusterCandidates)


class SpilledRuns:
    """Sorted runs, one after another in one open file.

    Attributes:
        piece_size: the most bytes per read.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.piece_size = READ_BYTES
        self._file = file
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, pieces: Iterable[bytes]) -> None:
        """Writes a run after the others. This is not allowed after the first read."""
        self._starts.append(self._file.tell())
        self._file.writelines(pieces)
        self._ends.append(self._file.tell())

    def read(self, run: int, position: int) -> bytes:
        """Reads bytes of the run from `position` on; none at its end."""
        start = self._starts[run] + position
        self._file.seek(start)
        return self._file.read(max(0, min(self.piece_size, self._ends[run] - start)))


class FileReader:
    """Reads many files in pieces. Files are not kept open: there may be more than a process may open."""

    def __init__(self, paths: Sequence[Path], piece_size: int) -> None:
        self._paths, self._piece_size = paths, piece_size

    def read(self, stream: int, position: int) -> bytes:
        """Reads bytes of a file from `position` on; none at its end.

        Raises:
            StageFileError: the file is missing.
        """
        try:
            with self._paths[stream].open("rb", buffering=0) as file:
                file.seek(position)
                return file.read(self._piece_size)
        except FileNotFoundError:
            raise StageFileError(f"{self._paths[stream]}: no such file; run `blocks match` first") from None


def longest_record(path: Path) -> int:
    """Returns the bytes of the longest record of a file, which its end states; 0 if the file is too short.

    Raises:
        StageFileError: the stated length is greater than the file.
    """
    size = path.stat().st_size
    if size < kernel.END_SIZE:
        return 0
    with path.open("rb") as file:
        file.seek(size - kernel.END_SIZE)
        longest = kernel.longest_record(file.read())
    if longest > size:
        raise StageFileError(f"{path}: it is damaged; run `blocks match` again")
    return longest


def pump(
    merge: kernel.RunMerge | kernel.VerdictPass,
    read: Callable[[int, int], bytes],
    write: Callable[[int, bytes], object],
    names: Sequence[Path],
) -> Iterator[None]:
    """Runs a merge until only its last output is left; yields after each piece read.

    Args:
        merge: the kernel that merges streams, numbered from 0.
        read: returns bytes of a stream from a position on; none at its end.
        write: writes bytes of a stream's output.
        names: names of the streams in errors.

    Raises:
        StageFileError: a stream is cut short or damaged, or does not belong to the others.
    """
    while True:
        try:
            state = merge.work()
            if state == kernel.NEEDS_INPUT:
                merge.feed(merge.stream, read(merge.stream, merge.wanted))
        except RuntimeError as error:
            raise StageFileError(f"{names[merge.stream]}: {error}; run `blocks match` again") from None
        if state == kernel.DONE:
            return
        if state == kernel.HAS_OUTPUT:
            write(merge.stream, merge.output(merge.stream))
        else:
            yield


def fed(table: Table, path: Path) -> Iterator[Table]:
    """Feeds a file to a table in pieces; yields the table after each piece.

    Raises:
        StageFileError: the file is missing, cut short or damaged.
    """
    try:
        with path.open("rb") as file:
            while data := file.read(READ_BYTES):
                table.feed(data)
                yield table
            table.feed(b"")
            yield table
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
    except RuntimeError as error:
        raise StageFileError(f"{path}: {error}; run the step that writes it again") from None
