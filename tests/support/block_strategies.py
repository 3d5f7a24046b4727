"""Strategies for small corpora of blocks."""

from hypothesis import strategies as st
from support import block_corpora as corpora
from support.block_corpora import Document


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    """Many near-duplicates: blocks from a small set, some changed, in pages of random classes."""
    word = st.sampled_from(["a", "b", "c", "ä", "longer-than-eight", "the", ","])
    text = st.lists(word, max_size=9).map(tuple)
    pool = draw(st.lists(text, min_size=1, max_size=5))
    block = st.builds(corpora.Block, st.sampled_from(list(corpora.CODES)), st.sampled_from(pool) | text)
    pages = st.builds(Document, st.lists(block, max_size=7).map(tuple), st.sampled_from([True, True, True, False]))
    return draw(st.lists(pages, max_size=9))


@st.composite
def splits(draw: st.DrawFn) -> tuple[list[Document], list[list[int]]]:
    """Documents, and a split of them into batches in any order."""
    corpus = draw(documents())
    assignment = draw(st.lists(st.integers(0, 400), min_size=len(corpus), max_size=len(corpus)))
    return corpus, corpora.split(corpus, assignment)
