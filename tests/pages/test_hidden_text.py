"""Scores of blocks that are not shown, against plain Python."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native import pages as native


@dataclass(slots=True, frozen=True)
class ScoredText:
    """A block of a page: its score per mille, the size of its text, and whether it is not shown."""

    score: int
    size: int
    hidden: bool


def without_hidden(page: list[ScoredText]) -> list[int]:
    """The scores of a page: 0 for hidden blocks if more of the main content is shown than hidden."""
    shown, hidden = (sum(one.size for one in page if one.hidden is side and one.score >= 500) for side in (False, True))
    return [0 if one.hidden and shown > hidden else one.score for one in page]


blocks = st.builds(
    ScoredText,
    score=st.sampled_from([0, 250, 499, 500, 501, 1000]),
    size=st.sampled_from([0, 1, 2, 3, 2**32 - 1]),
    hidden=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(blocks, max_size=8))
def test_hidden_blocks_go_as_in_plain_python(page: list[ScoredText]) -> None:
    """For any scores and sizes; none overflows."""
    found = native.leave_out_hidden(
        np.array([one.score for one in page], np.uint16),
        np.array([one.size for one in page], np.uint32),
        np.array([one.hidden for one in page], np.uint8),
    )
    assert found.tolist() == without_hidden(page)


def test_columns_of_different_lengths_are_refused() -> None:
    """None is read beyond its end."""
    with pytest.raises(ValueError, match="different lengths"):
        native.leave_out_hidden(np.zeros(2, np.uint16), np.zeros(1, np.uint32), np.zeros(2, np.uint8))
