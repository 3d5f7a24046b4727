"""Reads the number of rows and the sizes of columns from the footer of a Parquet file (FileMetaData).

Memory is planned with these figures before polars reads a row. The footer is a structure in Thrift's compact protocol,
of which only row counts and column sizes are used.

Why the footer is read here: a writer could store the size of its largest piece as metadata of the file, but it knows
only sizes in memory, not compressed ones. For URLs of 930 characters the bound of `document_order.reading_memory` would
be 129 MB instead of 99 MB, and `documents` would no longer run in 240 MB. polars' own row count takes 15 MB of memory
before anything is planned; this one takes 0.5 ms for 611 row groups and no memory.
"""

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpusprep.errors import StageFileError
from corpusprep.tables.compact_thrift import LIST, Reader, Structure
from corpusprep.tables.footers import footer
from corpusprep.tables.sealing import check

#: Fields of FileMetaData, RowGroup, ColumnChunk and ColumnMetaData, by their numbers in parquet.thrift.
_ALL_ROWS, _ROW_GROUPS, _COLUMNS, _ROWS, _META_DATA, _PATH, _UNCOMPRESSED, _COMPRESSED = 3, 4, 1, 3, 3, 3, 6, 7

#: What reading a footer raises if it is damaged.
DAMAGED_FOOTER = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Sizes of a row group.

    Attributes:
        rows: number of rows.
        stored: bytes of the requested columns in the file.
        decompressed: bytes of the same columns, decompressed.
    """

    rows: int
    stored: int
    decompressed: int


def row_groups(path: Path, columns: Collection[str]) -> list[RowGroup]:
    """Returns the row groups of a table, in order, with the sizes of some of its columns.

    Raises:
        StageFileError: the file is missing or is not Parquet.
    """
    with _reading(path) as reader:
        groups = []
        for group in _elements(reader.structure(), _ROW_GROUPS):
            chunks = [chunk[_META_DATA][1] for chunk in _elements(group, _COLUMNS)]
            chunks = [chunk for chunk in chunks if _elements(chunk, _PATH)[0].decode() in columns]
            stored, decompressed = (sum(chunk[size][1] for chunk in chunks) for size in (_COMPRESSED, _UNCOMPRESSED))
            groups.append(RowGroup(group[_ROWS][1], stored, decompressed))
    return groups


def group_heights(path: Path) -> list[int]:
    """Returns the rows of each row group of any Parquet file, in order.

    Raises one of DAMAGED_FOOTER if the file is not whole, and OSError if it cannot be read.
    """
    with path.open("rb") as file:
        groups = _elements(Reader(footer(file)).structure(), _ROW_GROUPS)
    heights = [group[_ROWS][1] for group in groups]
    if not all(isinstance(rows, int) and rows >= 0 for rows in heights):
        raise ValueError(heights)
    return heights


def height(path: Path) -> int:
    """Returns the number of rows of a table, without reading its row groups (56 ms for 611 of them).

    Raises:
        StageFileError: the file is missing or is not Parquet.
    """
    with _reading(path) as reader:
        rows = reader.structure(last=_ALL_ROWS)[_ALL_ROWS][1]
        if not isinstance(rows, int):
            raise TypeError(rows)
    return rows


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[Reader]:
    """Checks the seal of a table and opens a reader of its footer; errors name the file."""
    check(path)
    try:
        with path.open("rb") as file:
            reader = Reader(footer(file))
        yield reader
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
    except DAMAGED_FOOTER:
        raise StageFileError(f"{path}: not a table of this stage and version (no Parquet footer)") from None


def _elements(structure: Structure, field: int) -> list[Any]:
    """Returns the elements of a list; none if there is no such field."""
    kind, (_, elements) = structure.get(field, (LIST, (0, [])))
    if kind != LIST:
        raise TypeError(kind)
    return list(elements)
