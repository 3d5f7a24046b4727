"""Writing a Parquet table of documents without holding all their text: parts first, then one file."""

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import polars as pl

from corpusprep.files import replacing

PART_BYTES = 32_000_000  # of text in memory at a time
ROWS_A_GROUP = 50_000  # at most: ten times as many short rows took 150 MB more to write


class ParquetParts:
    """Gathers rows into `path`, which appears once the `with` block ends without an error."""

    def __init__(self, path: Path, schema: pl.Schema) -> None:
        self._path, self._schema = path, schema
        self._rows: list[tuple[Any, ...]] = []
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
            self._seal()

    def extend(self, rows: pl.DataFrame, text_bytes: int) -> None:
        """Adds the rows of a table, which take about so many bytes of memory together."""
        self._seal()
        self._write(rows.select(pl.col(name).cast(dtype) for name, dtype in self._schema.items()), text_bytes)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._folder:
            if kind is None:
                self._seal()
                if not self._parts:
                    self._write(self._schema.to_frame(), 0)
                rows_of_bytes = self._written * PART_BYTES // max(1, self._written_bytes)
                rows_a_group = max(1, min(ROWS_A_GROUP, rows_of_bytes))
                with replacing(self._path) as temporary:
                    parts = [self._part(number) for number in range(self._parts)]
                    pl.scan_parquet(parts).sink_parquet(temporary, compression="zstd", row_group_size=rows_a_group)

    def _part(self, number: int) -> Path:
        return Path(self._folder.name) / f"{number}.parquet"

    def _seal(self) -> None:
        if self._rows:
            self._write(pl.DataFrame(self._rows, schema=self._schema, orient="row"), self._bytes)
        self._rows, self._bytes = [], 0

    def _write(self, rows: pl.DataFrame, text_bytes: int) -> None:
        rows.write_parquet(self._part(self._parts))
        self._parts += 1
        self._written += rows.height
        self._written_bytes += text_bytes
