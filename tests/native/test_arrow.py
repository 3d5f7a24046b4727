"""Columns of text that polars takes without creating a Python object per text."""

import gc
import itertools
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep._native.arrow import Texts


def column(texts: list[str]) -> Texts:
    """A column of these texts."""
    data = [text.encode() for text in texts]
    return Texts(b"".join(data), np.array([0, *itertools.accumulate(map(len, data))], np.int64))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_come_back(texts: list[str]) -> None:
    """Texts of any length and script, or no texts."""
    assert pl.Series(column(texts), dtype=pl.String).to_list() == texts


def test_a_column_owns_its_buffers() -> None:
    """The column owns the buffers."""
    long = "a text that is too long to stand inside its view"
    series = pl.Series(column([long, "b"] * 1000))
    gc.collect()
    assert series.to_list() == [long, "b"] * 1000


def test_texts_are_freed() -> None:
    """They are freed when a column is gone, and when capsules were never used."""
    texts = column(["a" * 100])
    before = sys.getrefcount(texts)
    series = pl.Series(texts)
    capsules = texts.__arrow_c_array__()
    assert sys.getrefcount(texts) > before
    del series, capsules
    assert sys.getrefcount(texts) == before


@pytest.mark.parametrize("offsets", [[], [1, 0], [0, 9], [-1, 2], [0, 3, 2]])
def test_offsets_are_checked(offsets: list[int]) -> None:
    """Otherwise the kernel would read outside the text."""
    with pytest.raises(ValueError, match="offsets"):
        Texts(b"text", np.array(offsets, np.int64))
