"""Appends the row groups of Parquet files to one file: their columns are copied as they are, compressed.

A footer (FileMetaData of Parquet) says where the columns of each row group begin. Polars writes a whole file at once:
without this, a table that is longer than memory would be written twice, first in parts.
"""

import shutil
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from corpusprep.tables import compact_thrift
from corpusprep.tables.compact_thrift import Structure
from corpusprep.tables.footers import END, MAGIC, footer, footer_start

# Fields by their numbers in parquet.thrift: of FileMetaData, of RowGroup, of ColumnChunk, of ColumnMetaData.
_ALL_ROWS, _ROW_GROUPS = 3, 4
_COLUMNS, _GROUP_OFFSET, _ORDINAL = 1, 5, 7
_CHUNK_OFFSET, _META_DATA, _OFFSET_INDEX, _COLUMN_INDEX = 2, 3, 4, 6
_DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, _BLOOM_FILTER = 9, 10, 11, 14


class RowGroups:
    """Writes a Parquet file from the row groups of others that have the same columns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._footer: Structure | None = None

    def __enter__(self) -> Self:
        self._file: BinaryIO = self._path.open("wb")
        self._file.write(MAGIC)
        return self

    def append(self, path: Path) -> None:
        """Copies the row groups of a file."""
        with path.open("rb") as part:
            start = footer_start(part)
            found = compact_thrift.Reader(footer(part)).structure()
            shift = self._file.tell() - len(MAGIC)
            part.seek(len(MAGIC))
            shutil.copyfileobj(part, self._file, 1 << 20)
            # Its own footer is written over by what follows.
            self._file.seek(shift + start)
        if self._footer is None:
            self._footer = found
            return
        groups = self._footer[_ROW_GROUPS][1][1]
        for group in found[_ROW_GROUPS][1][1]:
            _move(group, shift, len(groups))
            groups.append(group)
        kind, rows = self._footer[_ALL_ROWS]
        self._footer[_ALL_ROWS] = kind, rows + found[_ALL_ROWS][1]

    def finish(self) -> None:
        """Writes the footer, after at least one file."""
        if self._footer is None:
            raise ValueError("no file was appended")
        whole = compact_thrift.encode(self._footer)
        self._file.write(whole + END.pack(len(whole), MAGIC))
        self._file.truncate()
        self._file.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()


def _move(group: Structure, shift: int, ordinal: int) -> None:
    """Adds `shift` to all places in the file that a row group names."""
    _shift(group, shift, _GROUP_OFFSET)
    if _ORDINAL in group:
        group[_ORDINAL] = group[_ORDINAL][0], ordinal
    for chunk in group[_COLUMNS][1][1]:
        _shift(chunk, shift, _CHUNK_OFFSET, _OFFSET_INDEX, _COLUMN_INDEX)
        _shift(chunk[_META_DATA][1], shift, _DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, _BLOOM_FILTER)


def _shift(structure: Structure, shift: int, *fields: int) -> None:
    for field in fields:
        if field in structure:
            kind, place = structure[field]
            structure[field] = kind, place + shift
