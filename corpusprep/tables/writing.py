"""Writing a Parquet table of documents without holding all their text: parts first, then one file."""

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import polars as pl

from corpusprep.io.files import replacing

PART_BYTES = 32_000_000  # of rows in memory at a time
TABLE_BYTES = 16_000_000  # of tables that come whole: writing 32 took 60 MB more than writing 8
ROWS_A_GROUP = 50_000  # at most: ten times as many short rows took 150 MB more to write


class ParquetParts:
    """Gathers rows into `path`, which appears once the `with` block ends without an error."""

    def __init__(self, path: Path, schema: pl.Schema, rows_a_group: int = ROWS_A_GROUP) -> None:
        self._path, self._schema, self._most_rows = path, schema, rows_a_group
        self._rows: list[tuple[Any, ...]] = []
        self._tables: list[pl.DataFrame] = []
        self._bytes = self._parts = self._written = self._written_bytes = 0

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(
            dir=self._path.parent, prefix=f".{self._path.name}.", suffix=".partial"
        )
        return self

    def append(self, row: tuple[Any, ...], text_bytes: int) -> None:
        """Adds a row, in the schema's order, that takes about so many bytes of memory."""
        self._rows.append(row)
        self._bytes += text_bytes
        if self._bytes >= PART_BYTES:
            self._write_part()

    def extend(self, rows: pl.DataFrame) -> None:
        """Adds the rows of a table."""
        self._seal()
        self._tables.append(rows.select(pl.col(name).cast(dtype) for name, dtype in self._schema.items()))
        self._bytes += int(rows.estimated_size())
        if self._bytes >= TABLE_BYTES:
            self._write_part()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._folder:
            if kind is None:
                with replacing(self._path) as temporary:
                    if self._parts:
                        self._write_part()
                        parts = pl.scan_parquet([self._part(number) for number in range(self._parts)])
                        parts.sink_parquet(temporary, compression="zstd", row_group_size=self._rows_a_group())
                    else:
                        table = self._waiting()
                        table.write_parquet(temporary, compression="zstd", row_group_size=self._rows_a_group())

    def _part(self, number: int) -> Path:
        return Path(self._folder.name) / f"{number}.parquet"

    def _rows_a_group(self) -> int:
        return max(1, min(self._most_rows, self._written * PART_BYTES // max(1, self._written_bytes)))

    def _seal(self) -> None:
        if self._rows:
            self._tables.append(pl.DataFrame(self._rows, schema=self._schema, orient="row"))
        self._rows = []

    def _waiting(self) -> pl.DataFrame:
        """The rows that are in memory; they are no longer held here."""
        self._seal()
        rows = pl.concat([self._schema.to_frame(), *self._tables])
        self._written += rows.height
        self._written_bytes += self._bytes
        self._tables, self._bytes = [], 0
        return rows

    def _write_part(self) -> None:
        # Parts are read once, at the end: what little lz4 leaves over is written faster than zstd compresses it.
        self._waiting().write_parquet(self._part(self._parts), compression="lz4")
        self._parts += 1
