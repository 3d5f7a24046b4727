"""Occurrences that are divided on disk: against a sort of all of them, whatever fits the memory."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.inspection.occurrences import Occurrences


@given(
    st.integers(1, 3).flatmap(
        lambda ngrams: st.lists(st.tuples(*[st.sampled_from([0, 0, 0, 0, 1, 2, 3])] * ngrams), min_size=1, max_size=80)
    ),
    st.integers(1, 9),
    st.integers(1, 5),
    st.randoms(),
)
def test_groups_are_in_the_order_of_items(
    tmp_path_factory: pytest.TempPathFactory, items: list[tuple[int, ...]], most: int, step: int, chance: Random
) -> None:
    """Each item is in one group; no piece has more occurrences than fit; the places of a large item ascend."""
    ngrams = len(items[0])
    occurrences = [(step * place, item) for place, item in enumerate(items)]
    words = np.array([item[0] for item in items])
    ends = np.cumsum(np.maximum(1, np.bincount(words, minlength=4)))
    folder = tmp_path_factory.mktemp("divided") / "files"
    divided = Occurrences(folder, ngrams, ends, most, len(items))
    chance.shuffle(occurrences)
    for start in range(0, len(occurrences), 7):
        divided.add(np.array(occurrences[start : start + 7], dtype=divided.kind))
    told, groups = [], []
    for group in divided.groups():
        pieces = [[(int(row["place"]), tuple(row["words"].tolist())) for row in piece] for piece in group.pieces]
        assert max(map(len, pieces)) <= most
        assert len(pieces) == 1 or group.alone
        assert all(max(piece) < min(after) for piece, after in pairwise(pieces))
        rows = [row for piece in pieces for row in piece]
        assert group.count == len(rows)
        groups.append({item for _, item in rows})
        assert len(groups[-1]) == 1 or not group.alone
        told += sorted(rows, key=lambda row: row[::-1])
    assert told == sorted(occurrences, key=lambda row: row[::-1])
    assert sum(map(len, groups)) == len(set(items))
    assert not folder.exists()
