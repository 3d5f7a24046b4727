"""Text that a page has twice."""

from collections.abc import Sequence

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from corpusprep import extract
from corpusprep._native import pages as native
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

WORDS = "and the dog was with the cat that had been in the house, as they said, when it came to us. " * 4


def plain_repeated(blocks: Sequence[tuple[str, int, int]]) -> list[bool]:
    """Which blocks of a page, text with words and words in links, are running text that it has twice."""
    running = [words >= 12 and linked / words < 0.4 for _, words, linked in blocks]
    seen: set[str] = set()
    again = []
    for (text, _, _), counts in zip(blocks, running, strict=True):
        again.append(counts and text in seen)
        if counts:
            seen.add(text)
    words = [block[1] for block in blocks]
    total = sum(count for count, counts in zip(words, running, strict=True) if counts)
    repeated = sum(count for count, copy in zip(words, again, strict=True) if copy)
    return again if repeated > total / 3 else [False] * len(blocks)


BLOCKS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "ab", "é", "ba"]), st.sampled_from([1, 11, 12, 30]), st.integers(0, 12)).map(
        lambda block: (block[0], block[1], min(block[2:] + block[1:2]))
    ),
    max_size=8,
)


@given(st.lists(BLOCKS, max_size=3))
@example([[("a", 12, 0), ("b", 12, 0), ("a", 12, 0)], [("a", 12, 0), ("a", 12, 4), ("a", 12, 5)]])
def test_repeated_text_is_that_of_the_definition(pages: list[list[tuple[str, int, int]]]) -> None:
    """Equal blocks of running text after the first, where they are more than a third of it."""
    blocks = [block for page in pages for block in page]
    texts = [text.encode() for text, _, _ in blocks]
    found = native.repeated_text(
        b"".join(texts),
        np.cumsum([0, *map(len, texts)], dtype=np.int64),
        np.cumsum([0, *map(len, pages)], dtype=np.int64),
        np.array([words for _, words, _ in blocks], np.uint32),
        np.array([linked for _, _, linked in blocks], np.uint32),
    )
    plain = [mark for page in pages for mark in plain_repeated(page)]
    assert (None if found is None else found.tolist()) == (plain if any(plain) else None)


def paragraphs(*numbers: int) -> str:
    """Paragraphs that differ in their numbers."""
    return "".join(f"<p>Number {number}: {WORDS}</p>" for number in numbers)


def test_an_article_for_the_screen_and_for_print_is_kept_once() -> None:
    """Whatever the algorithm; the second one has a verdict of its own."""
    page = f"<body><div>{paragraphs(1, 2, 3)}</div><div class=print><h1>x</h1>{paragraphs(1, 2, 3)}</div>"
    for algorithm in ("content", "justext"):
        found = extract(page, language="en", algorithm=algorithm)
        assert [block.verdict for block in found if block.words > 5] == ["kept"] * 3 + ["repeated"] * 3


def test_a_chorus_is_kept() -> None:
    """Three verses, and a chorus behind each: a third of the text is there again."""
    song = f"<body><div>{paragraphs(1, 9, 2, 9, 3, 9)}</div>"
    segmenter = Segmenter(())
    segmenter.add(html.parse(song))
    assert segmenter.take().repeated() is None
