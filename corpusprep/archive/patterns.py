"""Finds the archives that patterns match: paths, folders, wildcards, exclusions and lists."""

import fnmatch
import glob
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from corpusprep.archive.inputs import archives_in
from corpusprep.archive.local_files import documents_in
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.io.entries import Entry, entries
from corpusprep.io.home import at_home

_ADDRESS = re.compile(r"(?:https?|s3)://")


def expand(patterns: Iterable[str]) -> list[Path]:
    """Returns the archives that `patterns` match, each file once, sorted by path.

    Args:
        patterns: paths, or patterns with `*`, `?`, `[…]` and `**` (any number of folders); relative ones
            start at the working directory. A folder stands for all archives in it (inputs.archives_in). A pattern
            that is the exact name of a file means that file. `!pattern`
            leaves archives out, wherever it stands: by their path or a folder's path; if it has no `/`, by the name
            of the file or of a folder. `@file` names a list (io.entries).

    Raises:
        ArchiveError: a pattern matches no file, a file or list cannot be read, no archive is left, or all are empty.
    """
    try:
        listed = [entry._replace(text=at_home(entry.text)) for entry in entries(patterns)]
    except ConfigError as error:
        raise ArchiveError(str(error)) from None
    paths: set[str] = set()
    for entry in listed:
        if not entry.out:
            paths.update(_matches(entry))
    for entry in listed:
        if entry.out:
            left = _left(paths, entry.text)
            if left == paths:
                raise ArchiveError(f"{_place(entry)}no archive matches {'!' + entry.text!r}; correct or remove it")
            paths = left
    archives: dict[str, Path] = {}
    empty = True
    for path in sorted(paths):
        empty = _is_empty(path) and empty
        archives.setdefault(os.path.realpath(path), Path(path))
    if not paths:
        raise ArchiveError("no archive is left: all patterns start with !, or leave out what the others match")
    if empty:
        raise ArchiveError(f"archive {min(paths)} is empty" + (f", as are all {len(paths)}" if len(paths) > 1 else ""))
    return sorted(archives.values(), key=str)


def left_out(patterns: Iterable[str]) -> list[str]:
    """Returns notes on the documents in the folders among patterns that are not read, such as PDF files."""
    folders = [Path(at_home(pattern)) for pattern in patterns if not pattern.startswith(("!", "@"))]
    found = [(folder, documents_in(folder)) for folder in folders if folder.is_dir()]
    return [f"{folder}: left out: {documents}" for folder, documents in found if documents]


def _left(paths: set[str], pattern: str) -> set[str]:
    """Returns the paths that a pattern does not match, by themselves or by a folder that they are in."""
    if "/" not in pattern:
        return {path for path in paths if not any(fnmatch.fnmatchcase(part, pattern) for part in Path(path).parts)}
    matched = {os.path.abspath(path) for path in [pattern, *glob.glob(pattern, recursive=True)]}  # noqa: PTH100, PTH207

    def is_out(path: str) -> bool:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100
        return any(str(folder) in matched for folder in (absolute, *absolute.parents))

    return {path for path in paths if not is_out(path)}


def _place(entry: Entry) -> str:
    """Returns where a list has an entry, as the start of an error."""
    return f"{entry.place}: " if entry.place else ""


def _matches(entry: Entry) -> list[str]:
    pattern, place = entry.text, _place(entry)
    try:
        is_folder = Path(pattern).is_dir()
    except OSError as error:  # no permission to look into a folder, or a name that is too long
        raise ArchiveError(f"{place}cannot read {pattern!r}: {error.strerror}") from None
    if is_folder:
        if archives := [str(path) for path in archives_in(Path(pattern))]:
            return archives
        raise ArchiveError(
            f"{place}the folder {pattern!r} has no archive; name another, or its files, such as '{Path(pattern) / '*'}'"
            + (f"; it has {documents}" if (documents := documents_in(Path(pattern))) else "")
        )
    if _ADDRESS.match(pattern):
        raise ArchiveError(
            f"{place}{pattern!r} is an address; fetch it first (corpusprep fetch {pattern} --output FOLDER)"
            " and name the folder"
        )
    if os.path.lexists(pattern):
        return [os.path.normpath(pattern)]
    # Path.glob takes no absolute patterns.
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207
    archives = [os.path.normpath(path) for path in paths if not os.path.isdir(path)]  # noqa: PTH112
    if not archives:
        raise ArchiveError(f"{place}no archive matches {pattern!r} (working directory {Path.cwd()}); correct the path")
    return archives


def _is_empty(path: str) -> bool:
    if any(character in path for character in "\t\n\r"):
        raise ArchiveError(f"the name of archive {path!r} contains a tab or line break; rename the file")
    if path != path.encode("utf-8", "replace").decode():  # tables hold characters only
        raise ArchiveError(f"the name of archive {path!r} is not UTF-8; rename the file")
    if "{" in path or "}" in path:  # Snakemake's wildcards, which cannot be escaped
        raise ArchiveError(f"the name of archive {path!r} contains a brace; rename the file")
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # reading a pipe would wait, a device may have no end
            raise ArchiveError(f"{path}: not a file but a pipe or device; archives must be files")
        with Path(path).open("rb") as file:
            return not file.read(1)
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error
