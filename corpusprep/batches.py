"""Batches: the archives of a corpus, sorted by path and packed into lists worth one job each.

Archives that are added later leave most batches as they were, name and content, so that the work done
on them stays valid. Two rules see to it. A batch is named by what is in it, not by its place. And
where the sorted archives are cut depends on hashes of their paths: a list that is too large for one
batch is cut before the archive of lowest hash, and each part again, until all parts fit. A cut stays
when archives come in elsewhere; only the batch that they fall into, and now and then its neighbour,
changes. On average a batch is half full.
"""

import glob
import itertools
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.files import replacing

#: What the name of a batch looks like, as a regular expression.
NAME = "b[0-9a-f]{16}"
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


def plan(paths: Iterable[Path], batch_bytes: int) -> list[Batch]:
    """Packs archives, in the order of their paths, into batches of up to `batch_bytes`.

    A larger archive is a batch alone.

    Raises:
        ArchiveError: an archive is missing.
    """
    ordered = sorted(paths, key=str)
    sizes = [_size(path) for path in ordered]
    ends = [0, *itertools.accumulate(sizes)]  # ends[i] bytes lie before archive i
    hashes = [_digest([path]) for path in ordered]
    batches: list[Batch] = []
    parts = [(0, len(ordered))]
    while parts:
        first, end = parts.pop()
        if end - first > 1 and ends[end] - ends[first] > batch_bytes:
            cut = min(range(first + 1, end), key=lambda archive: hashes[archive])
            parts += [(cut, end), (first, cut)]
        elif end > first:
            archives, stored = ordered[first:end], sizes[first:end]
            batches.append(Batch(f"b{_digest([*archives, *stored])}", tuple(archives), tuple(stored)))
    return batches


def remove_others(batches: Iterable[Batch], folder: Path) -> list[Path]:
    """Removes the files in `folder`, a corpus's, that belong to batches which are not in `batches`.

    Without that, documents of an earlier division would still stand beside those of this one.

    Returns:
        What was removed: files with the name of a batch in theirs, at any depth.
    """
    names = {batch.name for batch in batches}
    named = re.compile(rf"(?:[a-z]+-)*({NAME})\..+")
    found = [(path, named.fullmatch(path.name)) for path in folder.rglob("*") if path.is_file()]
    removed = [path for path, match in found if match and match[1] not in names]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed


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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error


def _digest(parts: Iterable[object]) -> str:
    text = "\n".join(map(str, parts))
    return blake2b(os.fsencode(text), digest_size=8).hexdigest()


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
