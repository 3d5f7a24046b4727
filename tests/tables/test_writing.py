"""Writing tables in parts."""

from pathlib import Path

import polars as pl
import pytest

from corpusprep.tables import writing
from corpusprep.tables.parquet_sizes import row_groups
from corpusprep.tables.writing import RowBuffer, TableWriter, write_table

SCHEMA = pl.Schema({"number": pl.UInt32, "text": pl.String})


@pytest.mark.parametrize("part_bytes", [1, 1000, writing.PART_BYTES])
def test_rows_and_frames_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part_bytes: int) -> None:
    """The table is the same for any size of parts; types are those of the schema."""
    monkeypatch.setattr(writing, "PART_BYTES", part_bytes)
    monkeypatch.setattr(writing, "FRAME_BYTES", part_bytes)
    with TableWriter(tmp_path / "table.parquet", SCHEMA) as table:
        for number in range(0, 90, 3):
            table.append((number, str(number)), 20)
            table.extend(pl.DataFrame({"text": [str(number + 1), None], "number": [number + 1, number + 2]}))
    written = pl.read_parquet(tmp_path / "table.parquet")
    assert written.schema == SCHEMA
    assert written["number"].to_list() == list(range(90))
    assert written["text"][:4].to_list() == ["0", "1", None, "3"]
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]


def test_long_rows_make_smaller_groups(tmp_path: Path) -> None:
    """A row group has at most as many rows as fit PART_BYTES."""
    with TableWriter(tmp_path / "table.parquet", SCHEMA) as table:
        for number in range(12):
            table.append((number, ""), writing.PART_BYTES // 4)
    assert {group.rows for group in row_groups(tmp_path / "table.parquet", ["number"])} == {4}


def test_an_error_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table before stays, and parts are removed."""
    monkeypatch.setattr(writing, "PART_BYTES", 1)
    write_table(pl.DataFrame({"number": [1], "text": ["a"]}), SCHEMA, tmp_path / "table.parquet")

    def fail() -> None:
        with TableWriter(tmp_path / "table.parquet", SCHEMA) as table:
            table.append((2, "b"), 10)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]
    assert pl.read_parquet(tmp_path / "table.parquet")["number"].to_list() == [1]


def test_a_buffer_forgets_what_it_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are returned once, in their order, over the bounds of chunks."""
    monkeypatch.setattr(writing, "ROWS_PER_CHUNK", 3)
    buffer = RowBuffer(SCHEMA)
    for number in range(10):
        buffer.append(number, None)
    assert buffer.frame()["number"].to_list() == list(range(10))
    assert buffer.frame().is_empty()
