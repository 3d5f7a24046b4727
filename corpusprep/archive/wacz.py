"""Reads WACZ: ZIP files with archives in the folder `archive` (Web Archive Collection Zipped 1.1.1).

The archives stand in it as they are, so they are read in place. All other bytes (indexes, lists of pages, the directory
of the ZIP file) are records that are no responses.
"""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from corpusprep.archive.records import Record
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.errors import ArchiveError

MAGIC = b"PK\x03\x04"
_FOLDER = "archive/"
_LOCAL_HEADER = 30  # bytes, before the name and the extra field
_NOT_ARCHIVES = (".cdx", ".cdxj", ".idx", ".json", ".txt")


def is_wacz(path: Path) -> bool:
    """Returns whether a ZIP file is a WACZ."""
    try:
        with zipfile.ZipFile(path) as archive:
            return bool(_members(archive))
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def records(stored: StoredFile, read: Callable[[StoredFile], Iterator[Record]]) -> Iterator[Record]:
    """Reads the records of all archives in a WACZ, with their places in the ZIP file.

    Args:
        stored: the ZIP file.
        read: reads the records of an archive.

    Raises:
        ArchiveError: an archive in it is compressed once more, or encrypted.
    """
    with zipfile.ZipFile(stored.path) as archive:
        members = _members(archive)
    position = number = 0
    for member in members:
        if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
            raise ArchiveError(
                f"{stored.path}: {member.filename} is compressed or encrypted within the ZIP file; unpack it and name"
                " its archives, or make the WACZ again"
            )
        header = stored.at(member.header_offset, _LOCAL_HEADER)
        sizes = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        start = member.header_offset + _LOCAL_HEADER + sizes
        if start < position or start > stored.size:
            continue
        yield _other(number, position, start)
        number += 1
        part = StoredFile(stored.path, start, member.file_size)
        try:
            for record in read(part):
                yield replace(record, number=number, offset=start + record.offset)
                number += 1
        finally:
            part.close()
        position = start + part.size
    if position < stored.size:
        yield _other(number, position, stored.size)


def _other(number: int, start: int, end: int) -> Record:
    return Record(number, start, end - start, "wacz", "", "", verdict="record_type")


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Returns the archives, in the order in which they stand in the file."""
    members = [
        member
        for member in archive.infolist()
        if member.filename.startswith(_FOLDER)
        and not member.is_dir()
        and not member.filename.lower().removesuffix(".gz").endswith(_NOT_ARCHIVES)
    ]
    return sorted(members, key=lambda member: member.header_offset)
