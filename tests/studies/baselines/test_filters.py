"""The filters and the baseline against a plain reading of 2.9.3."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_blocks import PlainBlock, columns, plain_blocks

from corpusprep.cleaners.interface import VERDICTS
from corpusprep.cleaners.registry import algorithm


def plain_filter(name: str, block: PlainBlock) -> bool:
    """The best thresholds of table 2.3; above the link density, below the others is boilerplate."""
    link_density = block.link_words / block.words
    stopword_density = block.stop_words / block.alphabetic_words if block.alphabetic_words else 0
    match name:
        case "link-density-filter":
            return not link_density > 0.12
        case "word-count-filter":
            return not block.words < 18
        case "stopword-filter":
            return not stopword_density < 0.30
        case "token-stopword-filter":
            return not (block.words < 20 or stopword_density < 0.30)
    return True


FILTERS = ("baseline", "link-density-filter", "word-count-filter", "stopword-filter", "token-stopword-filter")


@given(st.lists(st.lists(plain_blocks(), max_size=12), max_size=4), st.sampled_from(FILTERS))
def test_filters_judge_each_block_by_itself(pages: list[list[PlainBlock]], name: str) -> None:
    """Classes and verdicts of all pages at once are those of each block alone."""
    classes = algorithm(name).classify(columns(pages))
    expected = [plain_filter(name, block) for page in pages for block in page]
    assert classes.good.tolist() == expected
    assert (classes.context_free == 3).tolist() == expected
    assert (classes.verdicts == 0).tolist() == expected


@pytest.mark.parametrize(
    ("name", "threshold", "block", "verdict"),
    [
        ("link-density-filter", {"max_link_density": 0.5}, PlainBlock(link_words=20), "kept"),
        ("link-density-filter", {}, PlainBlock(link_words=20), "link_density"),
        ("word-count-filter", {"length_low": 41}, PlainBlock(), "boilerplate"),
        ("stopword-filter", {"stopwords_low": 0.51}, PlainBlock(), "stop_words"),
    ],
)
def test_thresholds_and_reasons(name: str, threshold: dict[str, float], block: PlainBlock, verdict: str) -> None:
    """A threshold can be changed; the verdict says which feature spoke."""
    assert VERDICTS[algorithm(name, **threshold).classify(columns([[block]])).verdicts[0]] == verdict
