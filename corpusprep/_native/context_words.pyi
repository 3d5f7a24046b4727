"""Words of good blocks in many classifications (native/statistics/context_words.hpp)."""

import numpy as np
from numpy.typing import NDArray

class ContextWords:
    """Counts the words of good blocks in several context-free classifications of the same blocks."""

    def __init__(self, classes: NDArray[np.uint8]) -> None:
        """Takes the classes of each kind of block: shape (kinds, classifications), codes of `context`.

        Raises:
            ValueError: a value is no code, or there is none.
        """

    def add(self, kinds: NDArray[np.uint32], words: NDArray[np.uint32], pages: NDArray[np.int64]) -> None:
        """Adds blocks. Page p has the blocks pages[p] up to pages[p + 1].

        Args:
            kinds: of each block.
            words: that count, of each block.
            pages: shape (pages + 1,).

        Raises:
            ValueError: there is no such kind, the arrays do not fit, or a page has 2^32 words or more.
        """

    def words(self) -> list[int]:
        """Returns the words of good blocks in each classification."""
