"""Takes a sample of a corpus's archives, the same in every run.

Whole archives are taken, in the order of hashes of their names, until there are enough bytes. If there are too many,
records are taken from these archives, by hashes of their numbers. A record is copied as it is stored.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from corpusprep.archive.batches import stored_size
from corpusprep.archive.inputs import kind
from corpusprep.archive.records import records
from corpusprep.archive.stored_streams import GZIP_MAGIC, StoredFile

#: A sample is taken as it is if it is at most this many times too large.
ENOUGH = 1.25
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@dataclass(slots=True, frozen=True)
class ArchiveSample:
    """Archives to read in place of all, with `stored_bytes` of the originals."""

    archives: tuple[Path, ...]
    stored_bytes: int


def take(archives: Sequence[Path], share: float, folder: Path) -> ArchiveSample:
    """Takes a sample of about `share` of the archives' bytes; archives of selected records are written to `folder`.

    Raises:
        ArchiveError: an archive cannot be read.
    """
    sizes = {path: stored_size(path) for path in archives}
    wanted = share * sum(sizes.values())
    chosen: list[Path] = []
    size = 0
    for path in sorted(archives, key=lambda path: _hash(path.name, path)):
        if size >= wanted:
            break
        chosen.append(path)
        size += sizes[path]
    if size <= ENOUGH * wanted:
        return ArchiveSample(tuple(sorted(chosen)), size)
    parts = [_records_of(path, wanted / size, folder / f"sample-{number}") for number, path in enumerate(chosen)]
    return ArchiveSample(tuple(part for part, _ in parts), sum(length for _, length in parts))


def _hash(*parts: object) -> float:
    """From 0 to 1."""
    digest = blake2b("\n".join(map(str, parts)).encode(errors="surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def _records_of(path: Path, share: float, output: Path) -> tuple[Path, int]:
    """A part of an archive, and its size; the archive itself where records cannot be taken out by themselves."""
    if kind(path) != "archive":
        return path, stored_size(path)
    size = 0
    with contextlib.closing(StoredFile(path)) as stored, output.open("wb") as written:
        magic = stored.at(0, 4)
        compressed = GZIP_MAGIC if magic.startswith(GZIP_MAGIC) else ZSTD_MAGIC if magic == ZSTD_MAGIC else b""
        for record in records(path):
            # The first says what kind of archive it is.
            if record.number and _hash(path.name, record.number) >= share:
                continue
            data = stored.at(record.offset, record.length)
            if record.verdict == "damaged" or not data.startswith(compressed):
                return path, stored.size
            written.write(data)
            size += record.length
    return output, size
