"""Writes Parquet tables. A table appears under its name when it is complete, never before, and sealed (sealing.py).

`write_table` writes a frame. `TableWriter` writes rows or frames one after another, in bounded memory. `write_scanned`
writes one table from tables that are there.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import polars as pl

from corpusprep.io.files import naming, replacing, scratch
from corpusprep.tables.row_groups import RowGroups
from corpusprep.tables.sealing import seal

#: Rows per row group of a frame. Readers read this many rows at once, whatever the length of the table.
ROWS_PER_GROUP = 1 << 15
#: The most rows per row group of a TableWriter; ten times as many short rows took 150 MB more to write.
MOST_ROWS_PER_GROUP = 50_000
PART_BYTES = 32_000_000  # of appended rows in memory at a time
FRAME_BYTES = 16_000_000  # of appended frames in memory at a time: writing 32 MB took 60 MB more than writing 8 MB
ROWS_PER_CHUNK = 50_000  # Python objects are held for one chunk only


class RowBuffer:
    """Gathers rows with a fixed schema in chunks, which polars holds more compactly than Python does."""

    def __init__(self, schema: pl.Schema) -> None:
        self._schema = schema
        self._chunks: list[pl.DataFrame] = []
        self._rows: list[tuple[Any, ...]] = []

    def append(self, *row: Any) -> None:
        """Adds a row: one value per column, in the order of the schema."""
        self._rows.append(row)
        if len(self._rows) >= ROWS_PER_CHUNK:
            self._convert()

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds the rows of a frame that has the columns of the schema, in any order and of compatible types."""
        self._convert()
        self._chunks.append(_conforming(frame, self._schema))

    def frame(self) -> pl.DataFrame:
        """Returns all rows and forgets them."""
        self._convert()
        frame = pl.concat([self._schema.to_frame(), *self._chunks])
        self._chunks = []
        return frame

    def _convert(self) -> None:
        if self._rows:
            self._chunks.append(pl.DataFrame(self._rows, schema=self._schema, orient="row"))
        self._rows = []


class TableWriter:
    """Writes a table row by row or frame by frame; it appears once the `with` block ends without an error."""

    def __init__(self, path: Path, schema: pl.Schema, rows_per_group: int = MOST_ROWS_PER_GROUP) -> None:
        """Prepares a table.

        Args:
            path: the table.
            schema: its columns and types.
            rows_per_group: the most rows per row group; groups of long rows have fewer.
        """
        self._path, self._most_rows = path, rows_per_group
        self._buffer = RowBuffer(schema)
        self._bytes = 0

    def __enter__(self) -> Self:
        self._scratch = contextlib.ExitStack()
        folder = self._scratch.enter_context(scratch(self._path))
        self._part, self._whole = folder / "part.parquet", folder / "whole.parquet"
        self._groups = self._scratch.enter_context(RowGroups(self._whole))
        return self

    def append(self, row: tuple[Any, ...], size: int) -> None:
        """Adds a row, in the order of the schema, that takes about `size` bytes of memory."""
        self._buffer.append(*row)
        self._bytes += size
        if self._bytes >= PART_BYTES:
            self._write_part()

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds the rows of a frame that has the columns of the schema, in any order and of compatible types."""
        self._buffer.extend(frame)
        self._bytes += int(frame.estimated_size())
        if self._bytes >= FRAME_BYTES:
            self._write_part()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._scratch:
            if kind is None:
                self._write_part(last=True)
                self._groups.finish()
                with replacing(self._path) as temporary:
                    self._whole.replace(temporary)
                    seal(temporary)

    def _write_part(self, *, last: bool = False) -> None:
        """Writes the rows in memory as row groups; rows that fill none wait, if others follow."""
        rows = self._buffer.frame()
        most = max(1, min(self._most_rows, rows.height * PART_BYTES // max(1, self._bytes)))
        complete = rows.height if last or rows.height < most else rows.height - rows.height % most
        with naming(self._path):
            rows[:complete].write_parquet(self._part, compression="zstd", row_group_size=most)
            self._groups.append(self._part)
        self._bytes = self._bytes * (rows.height - complete) // max(1, rows.height)
        if complete < rows.height:
            self._buffer.extend(rows[complete:])


def write_table(frame: pl.DataFrame, schema: pl.Schema, path: Path) -> None:
    """Writes `frame` with exactly the columns and types of `schema`, in its order."""
    with replacing(path) as temporary:
        _conforming(frame, schema).write_parquet(temporary, compression="zstd", row_group_size=ROWS_PER_GROUP)
        seal(temporary)


def write_scanned(frames: Sequence[pl.LazyFrame], schema: pl.Schema, path: Path, rows_per_group: int) -> None:
    """Writes the rows of tables that are read meanwhile, one after another, with exactly the columns of `schema`."""
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    with replacing(path) as temporary:
        rows = pl.concat([schema.to_frame().lazy(), *(frame.select(columns) for frame in frames)])
        rows.sink_parquet(temporary, compression="zstd", row_group_size=rows_per_group)
        seal(temporary)


def write_scratch(frame: pl.DataFrame, path: Path, rows_per_group: int | None = None) -> None:
    """Writes a temporary table that is read once: lz4 leaves more bytes than zstd, but takes less time."""
    frame.write_parquet(path, compression="lz4", row_group_size=rows_per_group, statistics=False)
    seal(path)


def _conforming(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
