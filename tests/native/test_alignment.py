"""The alignment kernel, compared with difflib."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.gold.alignment import matching_blocks

TEXTS = st.lists(st.sampled_from("abcd"), max_size=40)


def merged(blocks: list[list[int]]) -> list[tuple[int, int, int]]:
    """Returns the blocks of difflib: adjacent ones are joined, and the empty last one is left out."""
    out: list[tuple[int, int, int]] = []
    for text, gold, length in blocks:
        if out and out[-1][0] + out[-1][2] == text and out[-1][1] + out[-1][2] == gold:
            out[-1] = (*out[-1][:2], out[-1][2] + length)
        else:
            out.append((text, gold, length))
    return out


@given(TEXTS, TEXTS)
def test_matching_blocks_are_difflibs(text: list[str], gold: list[str]) -> None:
    """Any two texts with few different words have the same alignment as in difflib."""
    expected = SequenceMatcher(None, text, gold, autojunk=False).get_matching_blocks()[:-1]
    assert merged(matching_blocks(text, gold).tolist()) == [tuple(block) for block in expected]


@given(TEXTS, st.lists(st.integers(0, 300).map(str), min_size=190, max_size=230), st.integers(0, 80))
def test_popular_words_are_difflibs(text: list[str], gold: list[str], start: int) -> None:
    """The same with the heuristic for popular words, on both sides of its limit of 200 words."""
    gold = gold[:start] + ["a", "b"] * 5 + gold[start:]
    text = text + gold[start // 2 : start + 20 : 2] + text
    expected = SequenceMatcher(None, text, gold).get_matching_blocks()[:-1]
    assert merged(matching_blocks(text, gold, popular=True).tolist()) == [tuple(block) for block in expected]


@pytest.mark.parametrize(("text", "gold"), [([], []), (["a"], []), ([], ["a"]), (["a"], ["b"])])
def test_nothing_in_common_is_no_block(text: list[str], gold: list[str]) -> None:
    """Empty texts and texts without a common word have no block."""
    assert matching_blocks(text, gold).shape == (0, 3)
