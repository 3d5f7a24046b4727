"""The context kernel, compared with algorithm 2.3 as printed in the thesis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.block_corpora import algorithm_2_3

from corpusprep.pages.context import CODES, classify_context, context_sensitive

CLASSES = st.lists(st.sampled_from(list(CODES)), max_size=30)


@given(CLASSES)
def test_context_sensitive_is_algorithm_2_3(labels: list[str]) -> None:
    """Any page gets the same classes as by the algorithm of the thesis."""
    assert context_sensitive(labels) == algorithm_2_3(labels)


@given(st.lists(CLASSES, max_size=8))
def test_classify_context_of_many_pages_is_that_of_each(pages: list[list[str]]) -> None:
    """Pages in the same call do not influence each other."""
    codes = np.array([CODES[label] for labels in pages for label in labels], dtype=np.uint8)
    offsets = np.cumsum([0, *map(len, pages)])
    expected = [label == "good" for labels in pages for label in algorithm_2_3(labels)]
    assert classify_context(codes, offsets).tolist() == expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("short near-good short", "bad bad bad"),
        ("good short near-good short", "good good good bad"),
        ("short near-good short good", "bad good good good"),
        ("good short short good bad short good", "good good good good bad bad good"),
        ("good short short bad", "good bad bad bad"),
    ],
    ids=["edges-are-bad", "up-to-the-near-good", "from-the-near-good", "between-good", "only-short-beside-bad"],
)
def test_context_sensitive_of_the_thesis_cases(labels: str, expected: str) -> None:
    """The cases that 2.7.3 describes."""
    assert context_sensitive(labels.split()) == expected.split()


def test_context_sensitive_of_a_million_blocks_is_linear() -> None:
    """For a page of short blocks only, a search for neighbours would take quadratic time."""
    codes = np.ones(1_000_000, dtype=np.uint8)
    codes[-1] = CODES["good"]
    codes[0] = CODES["near-good"]
    assert classify_context(codes).all()


def test_context_sensitive_refuses_unknown_labels() -> None:
    """The message names the label and the allowed classes."""
    with pytest.raises(ValueError, match=r"'neargood' is not a class of blocks: bad, short, near-good, good"):
        context_sensitive(["good", "neargood"])


@pytest.mark.parametrize("offsets", [[], [0], [0, 2], [1, 3], [0, 2, 1, 3], [0, 4]])
def test_classify_context_refuses_offsets_that_do_not_cover_the_blocks(offsets: list[int]) -> None:
    """Offsets are checked before the kernel uses them."""
    with pytest.raises(ValueError, match="offsets"):
        classify_context(np.zeros(3, dtype=np.uint8), np.array(offsets, dtype=np.int64))


def test_classify_context_refuses_unknown_codes() -> None:
    """A code beyond the four classes is an error."""
    with pytest.raises(ValueError, match="4 is not the code of a class"):
        classify_context(np.array([0, 4], dtype=np.uint8))
