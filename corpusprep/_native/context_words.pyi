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

class BlockKinds:
    """Kinds of blocks: those of one kind have the same classes at all thresholds that are tried."""

    def __init__(
        self,
        link_densities: NDArray[np.float64],
        words: NDArray[np.float64],
        stopword_densities: NDArray[np.float64],
        kinds: NDArray[np.uint32],
    ) -> None:
        """Takes ascending thresholds, and the kind of blocks that lie between them.

        Args:
            link_densities: thresholds; a block lies behind those that are lower than its measure.
            words: thresholds of the number of words.
            stopword_densities: thresholds.
            kinds: one per place, of a C-contiguous array with the axes `bad` (no, yes), link density, words and
                stop-word density.

        Raises:
            ValueError: thresholds descend, or there is another number of kinds.
        """

    def runs(
        self,
        bad: NDArray[np.uint8],
        link_densities: NDArray[np.float64],
        words: NDArray[np.int64],
        stopword_densities: NDArray[np.float64],
        counted: NDArray[np.int64],
        pages: NDArray[np.int64],
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
        """Joins successive blocks of one kind within a page.

        Args:
            bad: whether a rule before all thresholds makes the block bad.
            link_densities: as shares of 1.
            words: of each block.
            stopword_densities: as shares of 1.
            counted: the words that count, of each block.
            pages: shape (pages + 1,): page p has the blocks pages[p] up to pages[p + 1].

        Returns:
            Kind and counted words of each run, and the bounds of pages in runs, shape (pages + 1,).

        Raises:
            ValueError: the arrays do not fit.
        """
