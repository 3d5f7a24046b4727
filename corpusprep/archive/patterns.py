"""Finds the archives that patterns match: paths, addresses, folders, wildcards, exclusions and lists."""

import contextlib
import fnmatch
import glob
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Set
from pathlib import Path

from corpusprep.archive.batches import stored_size
from corpusprep.archive.inputs import archives_in
from corpusprep.archive.local_files import documents_in
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.io.entries import Entry, entries
from corpusprep.io.home import at_home
from corpusprep.remote.addresses import is_address


def expand(patterns: Iterable[str]) -> list[Path]:
    """Returns the archives that `patterns` match, each file once, sorted by path.

    Args:
        patterns: paths, or patterns with `*`, `?`, `[…]` and `**` (any number of folders); relative ones
            start at the working directory. A folder stands for all archives in it (inputs.archives_in). A pattern
            that is the exact name of a file means that file. `!pattern`
            leaves archives out, wherever it stands: by their path or a folder's path; if it has no `/`, by the name
            of the file or of a folder. `@file` names a list (io.entries). Addresses of servers: address_patterns;
            `@address` names a list there (reading.list_entries).

    Raises:
        ArchiveError: a pattern matches no file, a file or list cannot be read, no archive is left, or all are empty.
    """
    try:
        listed = list(_entries_of(patterns))
    except ConfigError as error:
        raise ArchiveError(str(error)) from None
    paths: set[str] = set()
    for entry in listed:
        if not entry.out and not is_address(entry.text):
            paths.update(_matches(entry))
    remote = _on_servers(listed)
    paths.update(remote)
    for entry in listed:
        if entry.out:
            left = _left(paths, entry.text)
            if left == paths:
                raise ArchiveError(f"{_place(entry)}no archive matches {'!' + entry.text!r}; correct or remove it")
            paths = left
    archives: dict[str, Path] = {}
    empty = True
    for path in sorted(paths):
        if path in remote:
            _check_name(path)
            archives[path] = remote[path]
            empty = empty and not stored_size(remote[path])
            continue
        empty = _is_empty(path) and empty
        archives.setdefault(os.path.realpath(path), Path(path))
    if not paths:
        raise ArchiveError("no archive is left: all patterns start with !, or leave out what the others match")
    if empty:
        raise ArchiveError(f"archive {min(paths)} is empty" + (f", as are all {len(paths)}" if len(paths) > 1 else ""))
    return sorted(archives.values(), key=str)


def _entries_of(patterns: Iterable[str]) -> Iterator[Entry]:
    """Yields the entries of patterns; those of lists on servers, too."""
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        if not bare.startswith("@") or not is_address(bare[1:]):
            yield from (entry._replace(text=at_home(entry.text)) for entry in entries([pattern]))
            continue
        from corpusprep.remote import reading

        for url in reading.list_entries(bare[1:]):
            yield Entry(url, pattern.startswith("!"), bare[1:])


def _on_servers(listed: Iterable[Entry]) -> dict[str, Path]:
    """Returns the archives of addresses, by address; without any, no library for connections is loaded."""
    chosen = [entry for entry in listed if not entry.out and is_address(entry.text)]
    if not chosen:
        return {}
    from corpusprep.archive import address_patterns

    return {str(address): address for address in address_patterns.expand(chosen)}


def left_out(patterns: Iterable[str]) -> list[str]:
    """Returns notes on the documents in the folders among patterns that are not read, such as PDF files."""
    folders = [Path(at_home(pattern)) for pattern in patterns if not pattern.startswith(("!", "@"))]
    found = [(folder, documents_in(folder)) for folder in folders if folder.is_dir()]
    return [f"{folder}: left out: {documents}" for folder, documents in found if documents]


def matching(pattern: str) -> Iterator[str]:
    """Yields the paths that a pattern matches, as `glob.glob` has them, each once.

    That lists a folder once for each way in which `**` can reach it, and follows links that lead back 40 times: it does
    not end for some patterns. Here a folder has all places of the pattern that can stand at it.
    """
    parts = [part for part in pattern.split("/") if part]
    tests = [_name_test(part) for part in parts]
    last = len(parts)

    def may_skip(place: int) -> bool:
        return place < last and parts[place] == "**"

    followed: set[tuple[int, int, frozenset[int]]] = set()  # all folders in a folder lead back to it by `..`
    waiting = [("/" if pattern.startswith("/") else "", frozenset({0}), frozenset[tuple[int, int, int]]())]
    while waiting:
        folder, begun, above = waiting.pop()
        with contextlib.suppress(OSError):  # a folder that has gone, or cannot be read
            status = os.stat(folder or ".")  # noqa: PTH116
            here = {(status.st_dev, status.st_ino, place) for place in begun if may_skip(place)}
            begun -= {place for _, _, place in here & above}  # a link has led back
            places = set(begun)
            for place in sorted(begun):
                while may_skip(place):
                    place += 1
                    places.add(place)
            places.discard(last)
            for name, is_folder in _entries(folder, {parts[place] for place in places}):
                matched = [place for place in places if tests[place](name)]
                leads_on = is_folder and any(place + 1 < last or may_skip(place) for place in matched)
                path = os.path.join(folder, name)  # noqa: PTH118
                if any(place + 1 == last or (is_folder and parts[place + 1 :] == ["**"]) for place in matched):
                    yield path
                following = frozenset(place + (not may_skip(place)) for place in matched) - {last}
                if leads_on and not (name == ".." and _is_known(path, following, followed)):
                    waiting.append((path, following, above | here))


def _left(paths: set[str], pattern: str) -> set[str]:
    """Returns the paths that a pattern does not match, by themselves or by a folder that they are in."""
    if is_address(pattern):
        from corpusprep.archive import address_patterns

        matches = address_patterns.matcher(pattern)
        return {path for path in paths if not matches(path)}
    if "/" not in pattern:
        return {path for path in paths if not any(fnmatch.fnmatchcase(part, pattern) for part in Path(path).parts)}
    matched = {os.path.abspath(path) for path in [pattern, *matching(pattern)]}  # noqa: PTH100

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
    if os.path.lexists(pattern):
        return [os.path.normpath(pattern)]
    archives = [os.path.normpath(path) for path in matching(pattern) if not os.path.isdir(path)]  # noqa: PTH112
    if not archives:
        raise ArchiveError(f"{place}no archive matches {pattern!r} (working directory {Path.cwd()}); correct the path")
    return archives


def _is_known(folder: str, places: frozenset[int], known: set[tuple[int, int, frozenset[int]]]) -> bool:
    """Returns whether a folder is known with these places; it is, from now on."""
    status = os.stat(folder)  # noqa: PTH116
    before = len(known)
    known.add((status.st_dev, status.st_ino, places))
    return len(known) == before


def _entries(folder: str, parts: Set[str]) -> Iterator[tuple[str, bool]]:
    """Yields names in a folder, and whether each is one: all, or if no part has wildcards, the parts that exist."""
    if any(part == "**" or glob.has_magic(part) for part in parts):
        for entry in sorted(os.scandir(folder or "."), key=lambda entry: entry.name):
            with contextlib.suppress(OSError):  # a link that leads to itself
                yield entry.name, entry.is_dir()
        parts = parts & {".", ".."}  # which no listing has
    for part in sorted(parts):
        path = os.path.join(folder, part)  # noqa: PTH118
        if os.path.lexists(path):
            yield part, os.path.isdir(path)  # noqa: PTH112


def _name_test(part: str) -> Callable[[str], bool]:
    """Returns whether a name matches a part of a pattern; one that begins with a full stop matches no wildcard."""
    if part != "**" and not glob.has_magic(part):
        return part.__eq__
    matches = re.compile(fnmatch.translate("*" if part == "**" else part)).match
    hidden = part.startswith(".")
    return lambda name: matches(name) is not None and (not name.startswith(".") or (hidden and name not in (".", "..")))


def _check_name(path: str) -> None:
    """Refuses an archive that tables or the workflow cannot name.

    Raises:
        ArchiveError: it is one.
    """
    if any(character in path for character in "\t\n\r"):
        raise ArchiveError(f"the name of archive {path!r} contains a tab or line break; rename the file")
    if path != path.encode("utf-8", "replace").decode():  # tables hold characters only
        raise ArchiveError(f"the name of archive {path!r} is not UTF-8; rename the file")
    if "{" in path or "}" in path:  # Snakemake's wildcards, which cannot be escaped
        raise ArchiveError(f"the name of archive {path!r} contains a brace; rename the file")


def _is_empty(path: str) -> bool:
    _check_name(path)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # reading a pipe would wait, a device may have no end
            raise ArchiveError(f"{path}: not a file but a pipe or device; archives must be files")
        with Path(path).open("rb") as file:
            return not file.read(1)
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error
