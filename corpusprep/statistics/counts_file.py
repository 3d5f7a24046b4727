"""The file of a batch's counts: sums by table and key, added up over all batches later.

It has one row per table and key, with up to seven numbers. The rows of a table are consecutive, in ascending order of
their keys. The first row gives the version; the tables with few keys come last.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.key_sums import ROWS_PER_PIECE, SortedRun
from corpusprep.tables.reading import read_rows, reading
from corpusprep.tables.writing import TableWriter

#: Stored as the table name of the first row. A change of what a table counts needs a new version.
VERSION = "corpusprep counts, version 5"

_NUMBERS = [name for name in schemas.COUNTS if name.startswith("n")]


@dataclass(frozen=True)
class CountsFile:
    """The counts of one batch.

    Attributes:
        path: the file.
        places: table -> its first row, and its number of rows.
    """

    path: Path
    places: dict[str, tuple[int, int]]

    @classmethod
    def open(cls, path: Path) -> "CountsFile":
        """Finds the tables in a file.

        Raises:
            StageFileError: the file is missing or damaged, or was written by another version.
        """
        with reading(path):
            rows = pl.scan_parquet(path, glob=False)
            stored = rows.collect_schema()
            names = rows.select("table").collect()["table"].rle().struct.unnest() if stored == schemas.COUNTS else None
        if names is None or not names.height or names["value"][0] != VERSION:
            raise StageFileError(
                f"{path}: not a file of counts of this version; run `corpusprep step statistics count` again"
            )
        ends = names["len"].cum_sum()
        places = {
            name: (end - length, length) for name, length, end in zip(names["value"], names["len"], ends, strict=True)
        }
        if len(places) != names.height:
            raise StageFileError(f"{path}: damaged; run `corpusprep step statistics count` again")
        return cls(path, places)

    def run(self, table: str, numbers: Sequence[str]) -> SortedRun:
        """Returns the rows of a table: `key`, and its numbers by name."""
        start, height = self.places.get(table, (0, 0))
        return SortedRun(self.path, start, height, {"key": "key", **dict(zip(numbers, _NUMBERS, strict=False))})

    def filtered(self, table: str, numbers: Sequence[str], where: pl.Expr, most: int) -> pl.DataFrame:
        """Returns the first rows of a table that meet a condition, up to `most`: `key`, and its numbers by name.

        Of the other rows only the columns are decoded that the condition names.

        Raises:
            StageFileError: the file is damaged.
        """
        columns = self.run(table, numbers).columns
        with reading(self.path):
            rows = pl.scan_parquet(self.path, glob=False).filter(pl.col("table") == table)
            named = rows.select(pl.col(stored).alias(name) for name, stored in columns.items())
            return named.filter(where).head(most).collect()

    def small(self, numbers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yields the rows of several tables, with one read for all of them.

        Args:
            numbers: table -> names of its numbers.
        """
        runs = [self.run(name, numbers[name]) for name in self.places if name in numbers]
        if not runs:
            return
        first, end = min(run.start for run in runs), max(run.start + run.height for run in runs)
        rows = read_rows(self.path, [pl.all()], first, end - first)
        for table, run in zip((name for name in self.places if name in numbers), runs, strict=True):
            columns = (pl.col(stored).alias(name) for name, stored in run.columns.items())
            yield table, rows[run.start - first : run.start - first + run.height].select(columns)


def write(path: Path, tables: Iterable[tuple[str, Sequence[str], Iterable[pl.DataFrame]]]) -> None:
    """Writes the counts of a batch.

    Args:
        path: the file.
        tables: per table: its name, the names of its numbers, and its sums in pieces, with ascending keys.
    """
    with TableWriter(path, schemas.COUNTS, rows_per_group=ROWS_PER_PIECE) as out:
        out.extend(_row(pl.DataFrame({"key": [""]}), VERSION, ()))
        for name, numbers, pieces in tables:
            for piece in pieces:
                out.extend(_row(piece, name, numbers))


def _row(sums: pl.DataFrame, table: str, numbers: Sequence[str]) -> pl.DataFrame:
    named = dict(zip(_NUMBERS, numbers, strict=False))
    return sums.select(
        pl.lit(table).alias("table"),
        "key",
        *(pl.col(named[name]).alias(name) if name in named else pl.lit(None).alias(name) for name in _NUMBERS),
    )
