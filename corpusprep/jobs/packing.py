"""Packs files of a finished corpus that only commands which look into it need: one tar file per batch.

`packed/<batch>.tar` has all files of a batch but the table of its blocks, the largest, and the corpus itself;
`packed/corpus.tar` has logs and times that belong to no batch. The files in it are compressed already. They keep their
times of change, so that after unpacking no step runs again. Packing and unpacking may be killed, and go on when they
are called again.
"""

import os
import re
import shutil
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from corpusprep.archive.batches import BUNDLE_NAME, NAME, batch_names
from corpusprep.errors import PACKED, StageFileError
from corpusprep.io.files import replacing
from corpusprep.jobs import finished
from corpusprep.tables.batch_files import corpus_file, is_packed

#: What stays as it is: blocks, which other corpora read in place, and the corpus itself.
STAYING = ("boilerplate", "corpus", "export", PACKED)
#: Folders whose files are packed, whatever their names.
_WHOLE = ("logs", "times")
_REST = "corpus"
_NAMED = re.compile(rf"(?:[a-z]+-)*({BUNDLE_NAME})(?:\..+)?")


def pack_file(folder: Path, batch: str) -> Path:
    """Returns the path of the packed files of a batch."""
    return folder / PACKED / f"{batch}.tar"


def pack(folder: Path) -> int:
    """Packs the files of a finished corpus. Returns the number of files that were packed.

    Raises:
        StageFileError: the folder has no finished corpus, or files have been made again since.
    """
    finished.read(folder)
    files = _files(folder, set(batch_names(corpus_file(folder, "plan"))))
    for name, paths in sorted(files.items()):
        tar = pack_file(folder, name)
        if tar.exists():
            _require_same(folder, tar, paths)
        else:
            _write(folder, tar, paths)
        for path in paths:
            path.unlink()
    _remove_empty(folder)
    return sum(map(len, files.values()))


def unpack(folder: Path) -> int:
    """Puts the packed files of a corpus back. Returns their number.

    Raises:
        StageFileError: there are none, or a pack is damaged.
    """
    if not is_packed(folder):
        raise StageFileError(f"{folder}: nothing is packed here")
    count = 0
    for tar in sorted((folder / PACKED).glob("*.tar")):
        for name, modified, content in _members(tar):
            count += 1
            extract(folder / name, modified, content)
        tar.unlink()
    shutil.rmtree(folder / PACKED)
    return count


def members(folder: Path, batch: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Yields the packed files of a batch: name relative to the folder, time of change in ns, content.

    Raises:
        StageFileError: the pack is damaged.
    """
    if (tar := pack_file(folder, batch)).exists():
        yield from _members(tar)


def extract(path: Path, modified: int, content: IO[bytes]) -> None:
    """Writes a packed file."""
    with replacing(path) as temporary:
        with temporary.open("wb") as file:
            shutil.copyfileobj(content, file, 1 << 20)
        os.utime(temporary, ns=(modified, modified))


def _files(folder: Path, batches: set[str]) -> dict[str, list[Path]]:
    """Returns the files to pack by the name of their pack, sorted."""
    files: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if parts[0] in STAYING or len(parts) == 1 or not path.is_file() or path.name.endswith(".partial"):
            continue
        named = [match[1] for match in map(_NAMED.fullmatch, reversed(parts)) if match]
        if batch := next((name for name in named if name in batches and re.fullmatch(NAME, name)), None):
            files[batch].append(path)
        elif parts[0] in _WHOLE:
            files[_REST].append(path)
    return files


def _write(folder: Path, tar: Path, paths: Sequence[Path]) -> None:
    with replacing(tar) as temporary, tarfile.open(temporary, "w", format=tarfile.PAX_FORMAT) as packed:
        for path in paths:
            status = path.stat()
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size, entry.mtime = status.st_size, status.st_mtime
            # A number of seconds is not exact enough for what Snakemake compares.
            entry.pax_headers = {"CORPUSPREP.mtime_ns": str(status.st_mtime_ns)}
            with path.open("rb") as file:
                packed.addfile(entry, file)


def _require_same(folder: Path, tar: Path, paths: Sequence[Path]) -> None:
    """Compares files with those of a pack that was written before packing was killed."""
    known = {name: modified for name, modified, _ in _members(tar)}
    for path in paths:
        if known.get(path.relative_to(folder).as_posix()) != path.stat().st_mtime_ns:
            raise StageFileError(f"{path}: made again since {tar.name} was packed; remove {tar}, or this file")


def _members(tar: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    try:
        with tarfile.open(tar, "r:") as packed:
            for entry in packed:
                content = packed.extractfile(entry)
                if content is None or not _is_inside(entry.name):
                    raise ValueError(entry.name)
                yield entry.name, int(entry.pax_headers["CORPUSPREP.mtime_ns"]), content
    except (tarfile.TarError, ValueError, LookupError, EOFError) as error:
        raise StageFileError(f"{tar}: damaged, or not written by corpusprep ({error})") from None


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and len(path.parts) > 1


def _remove_empty(folder: Path) -> None:
    """Removes folders that have no file any more."""
    for place, _, _ in os.walk(folder, topdown=False):
        path = Path(place)
        if path != folder and not any(path.iterdir()):
            path.rmdir()
