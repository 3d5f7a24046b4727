"""Documents for tests of the comparators: random ones with shared passages, and plain sets of their n-grams."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from corpusprep.reuse.documents import Documents

#: Lists of documents, each a list of words: pieces of a few sources, so that documents share passages of all lengths.
_SOURCE = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=25)
_PIECE = st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(0, 25))
_RECIPES = st.lists(st.lists(_PIECE, max_size=4), min_size=1, max_size=7)


@st.composite
def copying(draw: st.DrawFn) -> list[list[str]]:
    """A list of documents that share passages."""
    sources = draw(st.lists(_SOURCE, min_size=4, max_size=4))
    recipes = draw(_RECIPES)
    return [[word for i, begin, length in recipe for word in sources[i][begin : begin + length]] for recipe in recipes]


def documents_of(texts: Sequence[Sequence[str]]) -> Documents:
    """The documents, with their numbers as names."""
    return Documents.from_tokens((str(number), text) for number, text in enumerate(texts))


def shingles(text: Sequence[str], n: int) -> set[tuple[str, ...]]:
    """The distinct n-grams of a text."""
    return {tuple(text[start : start + n]) for start in range(len(text) - n + 1)}


def random_texts(count: int, words: int, seed: int, vocabulary: int = 5000) -> list[list[str]]:
    """Documents of `words` random words."""
    drawn = np.random.default_rng(seed).integers(vocabulary, size=(count, words))
    return [[f"w{word}" for word in row] for row in drawn.tolist()]
