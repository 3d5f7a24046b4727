"""Row groups of several Parquet files in one."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from corpusprep.tables import compact_thrift
from corpusprep.tables.row_groups import RowGroups

NUMBERS = st.integers(-(2**63), 2**63 - 1)
VALUES = st.recursive(
    st.tuples(st.just(6), NUMBERS)
    | st.tuples(st.just(compact_thrift.BINARY), st.binary(max_size=200))
    | st.tuples(st.just(compact_thrift.DOUBLE), st.binary(min_size=8, max_size=8))
    | st.tuples(st.just(compact_thrift.TRUE), st.just(True))
    | st.tuples(st.just(compact_thrift.LIST), st.tuples(st.just(5), st.lists(NUMBERS, max_size=20))),
    lambda values: st.tuples(
        st.just(compact_thrift.STRUCTURE),
        st.dictionaries(st.integers(1, 40), values, max_size=4).map(lambda fields: dict(sorted(fields.items()))),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_structures_are_read_as_they_were_written(value: tuple[int, object]) -> None:
    """Of all types that footers have."""
    structure = {3: value, 30: (6, 1)}
    assert compact_thrift.Reader(compact_thrift.encode(structure)).structure() == structure


@pytest.mark.parametrize("compression", ["zstd", "uncompressed"])
def test_row_groups_follow_each_other(tmp_path: Path, compression: str) -> None:
    """Each can be read alone; an empty file adds none of the rows; a long footer leaves nothing behind."""
    frames = [
        pl.DataFrame({"number": range(start, end), "text": [None, *map(str, range(start + 1, end))][: end - start]})
        for start, end in ((0, 700), (700, 701), (701, 701), (701, 900))
    ]
    frames = [frame.cast({"number": pl.Int64, "text": pl.String}) for frame in frames]
    with RowGroups(tmp_path / "whole.parquet") as groups:
        for frame in frames:
            frame.write_parquet(tmp_path / "part.parquet", compression=compression, row_group_size=7)
            groups.append(tmp_path / "part.parquet")
        groups.finish()
    assert_frame_equal(pl.read_parquet(tmp_path / "whole.parquet"), pl.concat(frames))
    assert_frame_equal(
        pl.scan_parquet(tmp_path / "whole.parquet").slice(695, 20).collect(), pl.concat(frames).slice(695, 20)
    )
    assert pl.scan_parquet(tmp_path / "whole.parquet").filter(number=880).collect()["text"].to_list() == ["880"]


def test_one_file_is_copied(tmp_path: Path) -> None:
    """Byte for byte: its footer is written as it was read."""
    pl.DataFrame({"number": range(100)}).write_parquet(tmp_path / "part.parquet", row_group_size=9)
    with RowGroups(tmp_path / "whole.parquet") as groups:
        groups.append(tmp_path / "part.parquet")
        groups.finish()
    assert (tmp_path / "whole.parquet").read_bytes() == (tmp_path / "part.parquet").read_bytes()


def test_a_file_without_row_groups_is_not_finished(tmp_path: Path) -> None:
    """It would have no columns."""
    with RowGroups(tmp_path / "whole.parquet") as groups, pytest.raises(ValueError, match="no file"):
        groups.finish()
