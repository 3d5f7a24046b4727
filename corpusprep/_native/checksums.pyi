"""Checksums of whole files (native/io/stage_file.hpp)."""

from os import PathLike

def checksum(path: str | PathLike[str], start: int = 0, end: int = 0) -> int:
    """Returns the checksum, 64 bits, of a file without its bytes from `start` to `end`.

    A change within a group of eight bytes is always found; other changes are missed with a probability of 2^-64.

    Raises:
        StageFileError: there is no such file.
        OSError: it cannot be read.
    """
