"""Winnowing: its selection, its density and its guarantee (Schleimer, Wilkerson and Aiken 2003)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of, random_texts, shingles

from corpusprep.reuse.documents import Features
from studies.pomikalek_2011.chapter_3.comparators.winnowing import Winnowing, selected


def plain(keys: list[int], window: int) -> set[int]:
    """The places selected by the paper's definition: the rightmost minimum of each window."""
    windows = [range(i, i + window) for i in range(len(keys) - window + 1)] or [range(len(keys))]
    return {min(places, key=lambda place: (keys[place], -place)) for places in windows if places}


@given(st.lists(st.lists(st.integers(0, 9), max_size=30), max_size=5), st.integers(1, 8))
def test_the_rightmost_lowest_of_each_window_is_selected(keys: list[list[int]], window: int) -> None:
    """Within each document, also with many equal keys."""
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in keys])]).astype(np.int64)
    features = Features(np.array([key for part in keys for key in part], np.uint64), offsets)
    wanted = {int(start) + place for start, part in zip(offsets, keys, strict=False) for place in plain(part, window)}
    assert set(np.flatnonzero(selected(features, window)).tolist()) == wanted


@settings(max_examples=50)
@given(copying(), st.integers(1, 4), st.integers(1, 6))
def test_long_enough_shared_passages_are_found(texts: list[list[str]], n: int, window: int) -> None:
    """Two documents that share window + n - 1 words in a row share a selected n-gram."""
    long = [shingles(text, window + n - 1) for text in texts]
    found = Winnowing(n, window).find(documents_of(texts), 0.0).scores()
    for i in range(len(texts)):
        for j in range(i + 1, len(texts)):
            assert (i, j) in found or not long[i] & long[j]


@pytest.mark.parametrize("window", [1, 4, 16, 50])
def test_density_of_random_text(window: int) -> None:
    """2 / (window + 1) of the n-grams are selected, within 3 %."""
    ngrams, _ = documents_of(random_texts(1, 100_000, seed=window)).ngrams(5)
    density = np.count_nonzero(selected(ngrams, window)) / len(ngrams.keys)
    assert density == pytest.approx(2 / (window + 1), rel=0.03)
