"""Sums by key against a plain count, with memory for all keys, for some and for none."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep.tables.key_sums import KeySums

SCHEMA = {"key": pl.String, "first": pl.Int64, "second": pl.Int64}

numbers = st.integers(0, 1 << 40)
frames = st.lists(st.lists(st.tuples(st.text("aéß𐐀\uffff\x00", max_size=3), numbers, numbers), max_size=12), max_size=8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for temporary files."""
    return tmp_path_factory.mktemp("sums")


@given(rows=frames, held=st.sampled_from([1, 200, 1 << 20]))
@settings(max_examples=40)
def test_sums_are_those_of_a_plain_count(folder: Path, rows: list[list[tuple[str, int, int]]], held: int) -> None:
    """One row per key, in the order of the keys' bytes."""
    first, second = Counter[str](), Counter[str]()
    with KeySums(folder, held) as sums:
        for frame in rows:
            sums.add(pl.DataFrame(frame, SCHEMA, orient="row"))
            for key, one, other in frame:
                first[key] += one
                second[key] += other
        found = list(sums.sums())
    expected = [(key, first[key], second[key]) for key in sorted(first, key=str.encode)]
    assert [row for piece in found for row in piece.iter_rows()] == expected
    assert all(piece.schema == SCHEMA for piece in found)
    assert not list(folder.iterdir())
