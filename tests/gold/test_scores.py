"""Averages and intervals of scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.gold.scores import Counts, intervals, macro, mean_interval, micro, scores

PAGES = st.lists(st.builds(Counts, *[st.integers(0, 1000)] * 3), min_size=1, max_size=30)


def test_scores_are_those_of_the_definition() -> None:
    """Precision 6/8, recall 6/9; F0.5 weighs precision twice as much as recall."""
    found = scores(Counts(6, 2, 3))
    assert found.precision == pytest.approx(75)
    assert found.recall == pytest.approx(100 * 2 / 3)
    assert found.f1 == pytest.approx(100 * 12 / 17)
    assert found.f05 == pytest.approx(100 * 1.25 * 0.75 * (2 / 3) / (0.25 * 0.75 + 2 / 3))


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 5, 0), (0, 0, 5)])
def test_nothing_found_scores_zero(counts: tuple[int, int, int]) -> None:
    """If there is nothing to divide by, the score is 0, not an error."""
    assert scores(counts).f1 == 0


def test_micro_weighs_pages_by_words_and_macro_alike() -> None:
    """With a long perfect page and a short wrong one."""
    pages = [Counts(99, 0, 0), Counts(0, 1, 1)]
    assert micro(pages).precision == pytest.approx(99)
    assert macro(pages).precision == pytest.approx(50)


def test_macro_takes_an_empty_page_left_empty_as_perfect() -> None:
    """If there is no content and none was found, nothing is wrong."""
    assert macro([Counts(0, 0, 0), Counts(1, 0, 0)]).f1 == pytest.approx(100)


@given(PAGES)
def test_intervals_are_ordered_and_reproducible(pages: list[Counts]) -> None:
    """Each interval is ascending and within 0 to 100; a second call gives the same one."""
    found = intervals(pages, samples=50)
    assert found == intervals(pages, samples=50)
    for low, high in found:
        assert 0 <= low <= high <= 100


@given(st.lists(PAGES, min_size=1, max_size=3), st.integers(0, 3))
def test_a_set_without_pages_scores_zero_in_the_mean(sets: list[list[Counts]], place: int) -> None:
    """Sets of nothing have the interval of 0; with one more set, the mean and its interval are lower."""
    assert mean_interval([]) == mean_interval([[]]) == mean_interval([[], []]) == intervals([])[0] == (0.0, 0.0)
    low, high = mean_interval([*sets, []], samples=50)
    share = len(sets) / (len(sets) + 1)
    assert (low, high) == pytest.approx([share * end for end in mean_interval(sets, samples=50)])
    low, high = mean_interval([*sets[:place], [], *sets[place:]], samples=50)
    assert 0 <= low <= high <= 100 * share + 1e-9


def test_intervals_of_equal_pages_are_points() -> None:
    """If every page has the same score, every sample has it."""
    (low, high), _ = intervals([Counts(3, 1, 1)] * 20)
    assert low == high == pytest.approx(75)
