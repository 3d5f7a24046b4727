"""The archives of evaluation data, unpacked to temporary folders."""

import contextlib
import hashlib
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from corpusprep.errors import ArchiveError


@contextlib.contextmanager
def unpacked(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Unpacks `<name>.tar.xz` of the folder to a temporary one.

    Yields:
        The folder of the set, and the archive's SHA-256 in hexadecimal.

    Raises:
        ArchiveError: the archive is missing or cannot be unpacked.
    """
    path = folder / f"{name}.tar.xz"
    with tempfile.TemporaryDirectory(prefix="corpusprep-") as temporary:
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            with tarfile.open(path) as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not before Python 3.11.4
                archive.extractall(temporary, map(_checked, archive))
        except (OSError, tarfile.TarError, EOFError) as error:
            raise ArchiveError(f"{path}: cannot be unpacked ({error})") from None
        yield Path(temporary) / name, digest


def _checked(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Returns a member that is a file or folder inside the folder to which it is unpacked.

    Raises:
        TarError: it is something else, or outside.
    """
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
        raise tarfile.TarError(f"{member.name} is no file inside")
    return member


def encoded_twice(text: str) -> bool:
    """Returns whether a text was in UTF-8 and has been decoded in another encoding: `Ã¢` for `â`."""
    for encoding in ("windows-1252", "windows-1250"):
        try:
            text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return not text.isascii()
    return False
