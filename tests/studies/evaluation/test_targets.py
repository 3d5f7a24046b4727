"""Other choices of a page's target node, and the bound of all of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.plain_pages import MARKUP, page, pages

from corpusprep.gold.scores import Counts, scores
from corpusprep.gold.words import compare, words_of
from studies.baselines.density import Density
from studies.baselines.pieces import structure_of
from studies.evaluation.decisions import Spans
from studies.evaluation.targets import ChosenChild, best_elements

#: The list is denser than the text, but has fewer characters than half of the page.
DENSE = f"<div><p>{'text ' * 20}</p><p>{'text ' * 20}</p></div><div>{'menu ' * 25}</div>"


def kept(algorithm: ChosenChild | Density, markup: str) -> list[str]:
    """The texts of the pieces that are kept."""
    blocks, _ = page(markup)
    good = algorithm.classify_pieces(blocks)
    return [text for text, wanted in zip(structure_of(blocks).texts(blocks.text), good, strict=True) if wanted]


def test_the_largest_child_is_entered_where_the_densest_is_too_small() -> None:
    """The densest child stops algorithm 1 at the body; the largest one is entered, and its children as they suffice."""
    assert len(kept(Density(), DENSE)) == 3
    assert [text[:4] for text in kept(ChosenChild(), DENSE)] == ["text", "text"]
    assert [text[:4] for text in kept(ChosenChild(0.4), DENSE)] == ["text"]


def test_all_elements_may_count_for_the_density() -> None:
    """A text with many inline elements is then less dense than a shorter one without."""
    markup = f"<div>{'<b>te</b> <i>xt</i> ' * 30}</div><div>{'menu ' * 20}</div>"
    assert len(kept(Density(), markup)) == 60
    assert len(kept(ChosenChild(by_elements=True), markup)) == 61


@given(st.lists(MARKUP, min_size=1, max_size=3), st.lists(st.sampled_from("abcdef"), max_size=6))
def test_no_element_that_an_algorithm_chooses_is_better_than_the_best(markups: list[str], gold: list[str]) -> None:
    """For each page, F1 of the best element is that of density and of the largest child, or higher."""
    blocks = pages(markups)

    def compared(page: int, text: str) -> Counts:
        return compare(words_of(text), gold)

    spans = Spans.of_pieces(blocks)

    def f1(good: NDArray[np.bool_]) -> list[float]:
        return [scores(compared(number, spans.page_text(number, good))).f1 for number in range(len(markups))]

    best = f1(best_elements(blocks, compared))
    for algorithm in (Density(), ChosenChild()):
        assert all(a >= b for a, b in zip(best, f1(algorithm.classify_pieces(blocks)), strict=True))
