"""Blocks without a page: only counts, for tests of the algorithms."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from corpusprep.pages.segmentation import Blocks


@dataclass(frozen=True)
class PlainBlock:
    """The properties of a block that algorithm 2.2 uses."""

    words: int = 40
    link_words: int = 0
    alphabetic_words: int = 40
    stop_words: int = 20
    in_select: bool = False
    copyright: bool = False


def columns(pages: list[list[PlainBlock]]) -> Blocks:
    """Pages of plain blocks, column by column."""
    blocks = [block for page in pages for block in page]
    counts = ("words", "link_words", "alphabetic_words", "stop_words")
    return Blocks(
        text=b"",
        offsets=np.zeros(len(blocks) + 1, np.int64),
        pages=np.cumsum([0, *map(len, pages)]),
        tags=np.zeros(len(blocks), np.uint8),
        flags=np.array([2 * block.in_select + 4 * block.copyright for block in blocks], np.uint8),
        **{name: np.array([getattr(block, name) for block in blocks], np.uint32) for name in counts},
    )


@st.composite
def plain_blocks(draw: st.DrawFn) -> PlainBlock:
    """A block with counts around the thresholds."""
    words = draw(st.integers(1, 45))
    alphabetic = draw(st.integers(0, words))
    return PlainBlock(
        words,
        link_words=draw(st.sampled_from([0, 0, 1, words])),
        alphabetic_words=alphabetic,
        stop_words=draw(st.integers(0, alphabetic)),
        in_select=draw(st.integers(0, 9)) == 0,
        copyright=draw(st.integers(0, 9)) == 0,
    )
