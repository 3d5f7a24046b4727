"""Sizes of tables, read from their footers."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpusprep.errors import StageFileError
from corpusprep.tables.parquet_sizes import height, row_groups
from corpusprep.tables.sealing import seal

ROWS = 1000


def table(path: Path, compression: str = "uncompressed") -> Path:
    """A table of numbers, texts, lists and dates, in groups of 300 rows."""
    numbers = pl.int_range(ROWS, eager=True, dtype=pl.Int64)
    frame = pl.DataFrame(
        {
            "number": (numbers * 2654435761) % (1 << 40),
            "text": [f"{number}" * 40 for number in range(ROWS)],
            "numbers": [[number] * (number % 3) for number in range(ROWS)],
            "true": [number % 2 == 0 for number in range(ROWS)],
        }
    )
    frame.write_parquet(path, compression=compression, row_group_size=300)  # type: ignore[arg-type]
    seal(path)
    return path


def test_groups_are_those_that_were_written(tmp_path: Path) -> None:
    """Row groups have the rows that were written, and plain columns about the bytes of their values."""
    groups = row_groups(table(tmp_path / "table.parquet"), ["number", "text"])
    assert [group.rows for group in groups] == [300, 300, 300, 100]
    text = sum(len(f"{number}" * 40) + 4 for number in range(300))
    assert height(tmp_path / "table.parquet") == ROWS
    assert groups[0].stored == groups[0].decompressed
    assert 0 <= groups[0].decompressed - 300 * 8 - text < 1000


def test_only_the_columns_that_were_asked_for_count(tmp_path: Path) -> None:
    """Columns that were not requested or do not exist have no bytes."""
    path = table(tmp_path / "table.parquet")
    both, one, none = (
        sum(group.decompressed for group in row_groups(path, columns))
        for columns in (["number", "text"], ["number"], ["word"])
    )
    assert both > one > none == 0


def test_stored_bytes_are_the_compressed(tmp_path: Path) -> None:
    """Repetitive text has fewer stored than decompressed bytes."""
    group = row_groups(table(tmp_path / "table.parquet", "zstd"), ["text"])[0]
    assert 0 < group.stored < group.decompressed / 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The error names the file and what to do."""
    with pytest.raises(StageFileError, match=r"none\.parquet: no such file"):
        row_groups(tmp_path / "none.parquet", ["text"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_damage_is_an_error_or_goes_unnoticed(tmp_path: Path, data: st.DataObject) -> None:
    """A file that is cut short or changed is read, or refused with an error that names it."""
    intact = tmp_path / "table.parquet"
    whole = (intact if intact.exists() else table(intact)).read_bytes()
    damaged = bytearray(whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole)
    for _ in range(data.draw(st.integers(1, 5)) if damaged else 0):
        damaged[-1 - data.draw(st.integers(0, min(len(damaged) - 1, 2000)))] = data.draw(st.integers(0, 255))
    path = tmp_path / "damaged.parquet"
    path.write_bytes(damaged)
    refusal = ""
    try:
        height(path)
        row_groups(path, ["number", "text"])
    except StageFileError as error:
        refusal = str(error)
    assert not refusal or str(path) in refusal
