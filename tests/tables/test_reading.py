"""Reading tables in pieces."""

from pathlib import Path

import polars as pl
import pytest

from corpusprep.errors import StageFileError
from corpusprep.tables.reading import TablePieces, read_rows, read_table
from corpusprep.tables.writing import write_table

SCHEMA = pl.Schema({"number": pl.UInt32, "text": pl.String})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of 100 rows."""
    path = tmp_path / "table.parquet"
    numbers = pl.int_range(100, eager=True)
    write_table(pl.DataFrame({"text": numbers.cast(pl.String), "number": numbers}), SCHEMA, path)
    return path


@pytest.mark.parametrize("rows", [1, 7, 50, 100, 1000])
def test_pieces_are_the_whole_table(table: Path, rows: int) -> None:
    """The pieces have the given number of rows, and together they are the table."""
    pieces = list(TablePieces(table, ["number", "text"], rows))
    assert {piece.height for piece in pieces[:-1]} <= {rows}
    assert pl.concat(pieces).equals(read_table(table, SCHEMA))


def test_a_condition_leaves_rows_out(table: Path) -> None:
    """It is applied to stored columns, also those that are not returned."""
    doubled = (2 * pl.col("number")).alias("doubled")
    pieces = TablePieces(table, [doubled], 30, pl.col("text").str.ends_with("9"))
    assert [piece["doubled"].to_list() for piece in pieces] == [[18, 38, 58], [78, 98, 118], [138, 158, 178], [198]]
    assert pieces.ended
    assert pieces.height == 100


def test_a_table_without_rows_has_no_pieces(tmp_path: Path) -> None:
    """Its columns are known nevertheless."""
    write_table(SCHEMA.to_frame(), SCHEMA, tmp_path / "empty.parquet")
    pieces = TablePieces(tmp_path / "empty.parquet", ["text"], 10)
    assert pieces.ended
    assert not list(pieces)
    assert pieces.empty.schema == {"text": pl.String}


def test_some_rows(table: Path) -> None:
    """Rows from the middle, and fewer at the end."""
    assert read_rows(table, ["number"], 10, 3)["number"].to_list() == [10, 11, 12]
    assert read_rows(table, ["number"], 98, 10)["number"].to_list() == [98, 99]


def test_what_is_wrong_is_named(table: Path, tmp_path: Path) -> None:
    """Missing files and columns and files that are not Parquet are errors that name the file."""
    with pytest.raises(
        StageFileError, match=r"none\.parquet: no such file; run the workflow, or the stage that writes it$"
    ):
        TablePieces(tmp_path / "none.parquet", ["number"], 10)
    with pytest.raises(StageFileError, match=r"table\.parquet: not a table of this stage and version"):
        TablePieces(table, ["word"], 10)
    table.write_bytes(b"number")
    with pytest.raises(StageFileError, match=r"table\.parquet: not a table of this stage and version"):
        read_rows(table, ["number"], 0, 1)
