"""SHA-256 of finished files, in a file as `sha256sum` writes it: `sha256sum --check SHA256SUMS` compares them, too."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from corpusprep.errors import StageFileError
from corpusprep.io.files import naming, replacing

NAME = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write(paths: Iterable[Path], folder: Path) -> None:
    """Writes the digests of files of a folder, sorted by their names, into a file there.

    Raises:
        StageFileError: a file is missing.
    """
    _write({path.name: _digest(path) for path in paths}, folder)


def renew(paths: Iterable[Path], folder: Path) -> None:
    """Replaces the digests of some files, if the folder has digests; all others stay as they are."""
    if (folder / NAME).is_file():
        lines = {path.name: digest for path, digest in _stored(folder)} | {path.name: _digest(path) for path in paths}
        _write(lines, folder)


def faults(folder: Path) -> Iterator[tuple[Path, str]]:
    """Compares the files of a folder with their digests; yields each file, and what is wrong with it or "".

    Raises:
        StageFileError: there are no digests, or not as `write` writes them.
    """
    for path, digest in _stored(folder):
        try:
            yield path, "" if _digest(path) == digest else "damaged, or changed since it was written"
        except StageFileError:
            yield path, "no such file"


def _write(digests: Mapping[str, str], folder: Path) -> None:
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
    with replacing(folder / NAME) as temporary:
        temporary.write_text("".join(lines), encoding="utf-8")


def _stored(folder: Path) -> list[tuple[Path, str]]:
    """Returns the files of a folder and their digests."""
    stored = folder / NAME
    try:
        lines = stored.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise StageFileError.missing(stored) from None
    except UnicodeDecodeError:
        lines = [""]
    matches = [_LINE.fullmatch(line) for line in lines]
    if None in matches:
        raise StageFileError(f"{stored}: damaged, or not written by corpusprep; remove it and run the workflow")
    return [(folder / match[2], match[1]) for match in matches if match]


def _digest(path: Path) -> str:
    try:
        with naming(path), path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
