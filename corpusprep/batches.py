"""Batches: the archives of a corpus, sorted by path and packed into lists worth one job each."""

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.files import replacing

_COLUMNS = ("batch", "archive", "bytes")


@dataclass(frozen=True, slots=True)
class Batch:
    """One job's archives: `sizes` are their bytes as stored, in the order of `archives`."""

    name: str
    archives: tuple[Path, ...]
    sizes: tuple[int, ...]


def expand(patterns: Iterable[str]) -> list[Path]:
    """The archives that `patterns` name, each file once, sorted by path.

    Args:
        patterns: paths, or patterns with `*`, `?`, `[…]` and `**` (any number of folders); relative ones
            start at the working directory. A file that exists under the very name is that file.

    Raises:
        ArchiveError: a pattern matches no file; or a file cannot be read, or is empty.
    """
    paths: set[str] = set()
    for pattern in patterns:
        paths.update(_matches(pattern))
    archives: dict[str, Path] = {}
    for path in sorted(paths):
        _check(path)
        archives.setdefault(os.path.realpath(path), Path(path))
    return sorted(archives.values(), key=str)


def plan(paths: Sequence[Path], batch_bytes: int) -> list[Batch]:
    """Packs archives, in the order of their paths, into batches of up to `batch_bytes`.

    A larger archive is a batch alone. Batches are named b00000, b00001, …

    Raises:
        ArchiveError: an archive is missing.
    """
    groups: list[list[tuple[Path, int]]] = []
    room = 0
    for path in sorted(paths, key=str):
        try:
            size = path.stat().st_size
        except OSError as error:
            raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error
        if size > room:
            groups.append([])
            room = batch_bytes
        groups[-1].append((path, size))
        room -= size
    return [
        Batch(f"b{number:05}", tuple(path for path, _ in group), tuple(size for _, size in group))
        for number, group in enumerate(groups)
    ]


def write_batches(batches: Iterable[Batch], path: Path) -> None:
    """Writes `batches.tsv`: a header line, then a row an archive (batch, archive, bytes)."""
    rows = ["\t".join(_COLUMNS)]
    for batch in batches:
        for archive, size in zip(batch.archives, batch.sizes, strict=True):
            rows.append(f"{batch.name}\t{archive}\t{size}")
    with replacing(path) as temporary:
        temporary.write_text("\n".join(rows) + "\n", encoding="utf-8", errors="surrogateescape")


def read_batches(path: Path) -> list[Batch]:
    """Reads what `write_batches` wrote.

    Raises:
        StageFileError: the file is missing or is not such a table.
    """
    try:
        header, *rows = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except FileNotFoundError:
        raise StageFileError(f"{path}: no such file; run `corpusprep batches` first") from None
    groups: dict[str, list[tuple[Path, int]]] = {}
    try:
        if header != "\t".join(_COLUMNS):
            raise ValueError(header)
        for row in rows[:-1]:
            name, archive, size = row.split("\t")
            groups.setdefault(name, []).append((Path(archive), int(size)))
    except ValueError:
        raise StageFileError(f"{path}: not a table of batches; run `corpusprep batches` again") from None
    return [
        Batch(name, tuple(archive for archive, _ in group), tuple(size for _, size in group))
        for name, group in groups.items()
    ]


def batch_names(path: Path) -> list[str]:
    """The names of the batches in `batches.tsv`, in their order.

    Raises:
        StageFileError: the file is missing or is not such a table.
    """
    return [batch.name for batch in read_batches(path)]


def _matches(pattern: str) -> list[str]:
    if os.path.lexists(pattern):
        return [os.path.normpath(pattern)]
    # Path.glob takes no absolute patterns.
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207
    found = [os.path.normpath(path) for path in paths if not Path(path).is_dir()]
    if not found:
        raise ArchiveError(f"no archive matches {pattern!r} (working directory {Path.cwd()})")
    return found


def _check(path: str) -> None:
    if any(character in path for character in "\t\n\r"):
        raise ArchiveError(f"the name of archive {path!r} holds a tab or line break; rename it")
    try:
        with Path(path).open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error
    if empty:
        raise ArchiveError(f"archive {path} is empty")
