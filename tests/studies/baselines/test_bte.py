"""BTE against a search of all ranges."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.plain_pages import MARKUP, events, page, pages

from studies.baselines.bte import BTE
from studies.baselines.pieces import page_pieces


def best_range(root: etree._Element | None) -> list[str]:
    """The words in the range with the highest value of 2.6.1's objective, of all ranges of tokens."""
    tokens: list[str | None] = []  # None is a tag
    for event in events(root):
        tokens.extend(event.text.split() if event.kind == "text" else [None])
    bits = np.array([token is None for token in tokens], int)
    best = (-1, 0)
    chosen: list[str | None] = []
    for j in range(len(bits)):
        for i in range(j + 1):
            value = int(bits[:i].sum() + (1 - bits[i : j + 1]).sum() + bits[j + 1 :].sum())
            words = int((1 - bits[i : j + 1]).sum())
            if words and (value, words) > best:
                best, chosen = (value, words), tokens[i : j + 1]
    return [token for token in chosen if token is not None]


SHORT = MARKUP.filter(lambda markup: len(markup) < 150)


@given(SHORT)
def test_no_range_is_better(markup: str) -> None:
    """The pieces that are kept are the words of the best range."""
    blocks, root = page(markup)
    assert blocks.structure is not None
    good = BTE().classify_pieces(blocks)
    texts = blocks.structure.texts(blocks.text)
    assert " ".join(text for text, kept in zip(texts, good, strict=True) if kept).split() == best_range(root)


@given(st.lists(MARKUP, max_size=4))
def test_pages_do_not_see_each_other(markups: list[str]) -> None:
    """Several pages at once are classified as each alone."""
    together = pages(markups)
    bounds = page_pieces(together).tolist()
    good = BTE().classify_pieces(together).tolist()
    alone = [BTE().classify_pieces(page(markup)[0]).tolist() for markup in markups]
    assert [good[a:b] for a, b in itertools.pairwise(bounds)] == alone


def test_a_block_is_good_by_most_of_its_words() -> None:
    """A range may end within a block; the block follows the greater part of its words."""
    markup = "<p>" + "w " * 30 + "<b></b><b></b><b></b> <i>x</i></p><ul><li><a>n</a><li><a>n</a></ul>"
    blocks, _ = page(markup)
    assert BTE().classify_pieces(blocks).tolist() == [True, False, False, False]
    assert BTE().classify(blocks).good.tolist() == [True, False, False]
