"""Reads WACZ: ZIP files with archives in the folder `archive` (Web Archive Collection Zipped 1.1.1).

The archives stand in it as they are, so they are read in place. All other bytes (indexes, lists of pages, the directory
of the ZIP file) are records that are no responses. If the file is not as its directory says, all of it is read as one
damaged archive: records are found without a directory, too.
"""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

from corpusprep.archive.records import Record
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.errors import ArchiveError

MAGIC = b"PK\x03\x04"
_FOLDER = "archive/"
_LOCAL_HEADER = 30  # bytes, before the name and the extra field
_ENCRYPTED = 1  # of a member's flags
_NOT_ARCHIVES = (".cdx", ".cdxj", ".idx", ".json", ".txt")


def is_wacz(stored: StoredFile) -> bool:
    """Returns whether a ZIP file is a WACZ."""
    return bool(_members(stored))


def records(stored: StoredFile, read: Callable[[StoredFile], Iterator[Record]]) -> Iterator[Record]:
    """Reads the records of all archives in a WACZ, with their places in the ZIP file.

    Args:
        stored: the ZIP file.
        read: reads the records of an archive.

    Raises:
        ArchiveError: an archive in it is compressed once more, or encrypted.
    """
    places = _places(stored)
    if not places:
        yield from read(stored)
        return
    position = number = 0
    for start, size in places:
        yield _other(number, position, start)
        number += 1
        part = StoredFile(stored.path, start, size)
        try:
            for record in read(part):
                yield replace(record, number=number, offset=start + record.offset)
                number += 1
        finally:
            part.close()
        position = start + size
    if position < stored.size:
        yield _other(number, position, stored.size)


def _other(number: int, start: int, end: int) -> Record:
    return Record(number, start, end - start, "wacz", "", "", verdict="record_type")


def _places(stored: StoredFile) -> list[tuple[int, int]]:
    """Returns begin and size of each archive; nothing if one is not where the directory says, or is another."""
    places: list[tuple[int, int]] = []
    position = 0
    unreadable: zipfile.ZipInfo | None = None
    for member in _members(stored):
        if member.header_offset < position:
            return []
        header = stored.at(member.header_offset, _LOCAL_HEADER)
        flags, method, name_size, extra_size = (int.from_bytes(header[at : at + 2], "little") for at in (6, 8, 26, 28))
        start = member.header_offset + _LOCAL_HEADER + name_size + extra_size
        position = start + member.file_size
        own = header[: len(MAGIC)], method, flags & _ENCRYPTED
        if own != (MAGIC, member.compress_type, member.flag_bits & _ENCRYPTED) or position > stored.size:
            return []
        if method != zipfile.ZIP_STORED or flags & _ENCRYPTED:
            unreadable = unreadable or member
            position = start
        places.append((start, member.file_size))
    if unreadable:
        raise ArchiveError(
            f"{stored.path}: {unreadable.filename} is compressed or encrypted within the ZIP file; unpack it and name"
            " its archives, or make the WACZ again"
        )
    return places


def _members(stored: StoredFile) -> list[zipfile.ZipInfo]:
    """Returns the archives, in the order in which they stand in the file; none if there is no directory."""
    try:
        with zipfile.ZipFile(stored.path) as archive:
            found = archive.infolist()
    except Exception:  # whatever a damaged directory makes of the library: its errors have ten types
        return []
    members = [
        member
        for member in found
        if member.filename.startswith(_FOLDER)
        and not member.is_dir()
        and not member.filename.lower().removesuffix(".gz").endswith(_NOT_ARCHIVES)
    ]
    return sorted(members, key=lambda member: member.header_offset)
