"""Checksums beside text files: files that people read too, and that must not hold anything else.

The checksum of `folder/name` is in `folder/.name.checksum`. A file without one is accepted: it may have been made by
hand, or copied. It takes 0.5 ms per megabyte.
"""

from pathlib import Path

from corpusprep._native.checksums import checksum
from corpusprep.errors import StageFileError
from corpusprep.io.files import replacing


def place(path: Path) -> Path:
    """Returns the file that the checksum of a file is in."""
    return path.with_name(f".{path.name}.checksum")


def forget(path: Path) -> None:
    """Removes the checksum of a file that is about to be replaced.

    A reader then finds the new file with its own checksum, or with none: never with the checksum of the file before.
    """
    place(path).unlink(missing_ok=True)


def store(path: Path) -> None:
    """Writes the checksum of a complete file."""
    with replacing(place(path)) as temporary:
        temporary.write_text(f"{checksum(path):016x}\n", encoding="ascii")


def verify(path: Path) -> None:
    """Compares a file with its checksum, if it has one.

    Raises:
        StageFileError: the file, or its checksum, is damaged.
    """
    try:
        stored = place(path).read_bytes()
    except FileNotFoundError:
        return
    if stored != f"{checksum(path):016x}\n".encode():
        raise StageFileError(
            f"{path}: damaged, or changed by hand (its checksum is not that in {place(path).name}); remove both and run"
            " the stage that writes it again"
        )
