"""Reads Parquet tables: whole, some rows of them, or all rows in pieces of bounded size."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.tables.sealing import check


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Checks the seal of a table; turns errors that occur while it is read into a StageFileError that names `path`."""
    check(path)
    try:
        yield
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
    except pl.exceptions.PolarsError as error:
        message = str(error).partition("\n")[0]
        raise StageFileError(f"{path}: not a table of this stage and version ({message})") from None


def read_table(path: Path, schema: pl.Schema, columns: list[str] | None = None) -> pl.DataFrame:
    """Reads all rows of a table, with all columns of `schema` or only `columns`.

    Raises:
        StageFileError: the file is missing, is not Parquet, or lacks a column.
    """
    with reading(path):
        return pl.read_parquet(path, columns=columns or schema.names(), glob=False)


def read_rows(path: Path, columns: Iterable[str | pl.Expr], start: int, rows: int) -> pl.DataFrame:
    """Reads up to `rows` rows of a table, beginning with row `start`.

    Raises:
        StageFileError: the file is missing, is not Parquet, or lacks a column.
    """
    with reading(path):
        return pl.scan_parquet(path, glob=False).slice(start, rows).select(*columns).collect()


class TablePieces:
    """Reads a table in pieces, in the order of its rows. Iterating gives the pieces that have not been read yet.

    The memory depends on the size of a piece, not on the length of the table.

    Attributes:
        path: the table.
        height: number of rows in the table.
        empty: a piece without rows, which shows the columns and their types.

    Raises:
        StageFileError: the file is missing, is not Parquet, or lacks a column; also while reading.
    """

    def __init__(
        self, path: Path, columns: Iterable[str | pl.Expr], rows_at_once: int, where: pl.Expr | None = None
    ) -> None:
        """Opens the table and reads no row yet.

        Args:
            path: the table.
            columns: names or expressions that make the columns of a piece.
            rows_at_once: rows of the table per piece.
            where: condition on stored columns; other rows are left out, so a piece may be shorter, or empty.
        """
        self.path = path
        self._columns, self._rows_at_once, self._where = list(columns), rows_at_once, where
        self._next_row = 0
        with reading(path):
            self._table = pl.scan_parquet(path, glob=False)
            self.height = int(self._table.select(pl.len()).collect().item())
            self.empty = self._table.select(*self._columns).head(0).collect()

    @property
    def ended(self) -> bool:
        """Whether all rows have been read."""
        return self._next_row >= self.height

    def read(self) -> pl.DataFrame:
        """Reads the next piece; at the end of the table an empty one."""
        with reading(self.path):
            rows = self._table.slice(self._next_row, self._rows_at_once)
            if self._where is not None:
                rows = rows.filter(self._where)
            piece = rows.select(*self._columns).collect()
        self._next_row += self._rows_at_once
        return piece

    def __iter__(self) -> Iterator[pl.DataFrame]:
        while not self.ended:
            yield self.read()
