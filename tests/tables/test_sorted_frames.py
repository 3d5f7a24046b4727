"""Sorting frames in bounded memory."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep.tables.sorted_frames import SortedFrames

ROWS = st.lists(
    st.tuples(st.floats(-2, 2, width=16), st.text(max_size=3)), unique_by=lambda row: row[1].encode(), max_size=30
)


@settings(max_examples=40, deadline=None)
@given(ROWS, st.integers(1, 40), st.integers(1, 8), st.integers(0, 12))
def test_rows_are_in_order(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, str]], most: int, at_once: int, limit: int
) -> None:
    """The largest numbers first, ties by name; for any memory; nothing is left behind."""
    folder = tmp_path_factory.mktemp("sorted")
    table = pl.DataFrame(rows, schema={"number": pl.Float64, "name": pl.String}, orient="row")
    order = [-pl.col("number"), pl.col("name")]
    with SortedFrames(folder / "table", order, most, limit) as frames:
        for piece in [table.clear(), *table.iter_slices(at_once)]:
            frames.add(piece)
        pieces = list(frames.sorted())
        assert frames.added == len(rows)
    expected = sorted(rows, key=lambda row: (-row[0], row[1].encode()))
    assert pl.concat(pieces).rows() == expected[: limit or None]
    assert list(folder.iterdir()) == []
