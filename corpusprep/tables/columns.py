"""Gathering a stage's rows column by column, in chunks that polars holds compactly."""

from typing import Any

import polars as pl

ROWS_A_CHUNK = 50_000


class Columns:
    """Rows to come of a table with a fixed schema; Python objects are held for one chunk only."""

    def __init__(self, schema: pl.Schema) -> None:
        self._schema = schema
        self._chunks: list[pl.DataFrame] = []
        self._rows: list[tuple[Any, ...]] = []

    def append(self, *row: Any) -> None:
        """Adds a row: a value a column, in the schema's order."""
        self._rows.append(row)
        if len(self._rows) >= ROWS_A_CHUNK:
            self._seal()

    def frame(self) -> pl.DataFrame:
        """All rows so far."""
        self._seal()
        return pl.concat(self._chunks)

    def _seal(self) -> None:
        self._chunks.append(pl.DataFrame(self._rows, schema=self._schema, orient="row"))
        self._rows = []
