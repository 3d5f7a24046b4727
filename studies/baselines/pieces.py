"""The base of algorithms that classify pieces of text between tags, and the classes of blocks that follow."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import VERDICTS, Algorithm, Classes, without_context
from corpusprep.pages.segmentation import Blocks
from corpusprep.pages.structure import Structure


class PieceAlgorithm(Algorithm):
    """An algorithm with its own, finer segmentation.

    A block is good if more than half of its words are in good pieces. The evaluation on gold data uses the pieces.
    """

    needs_structure = True

    @abstractmethod
    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece of blocks.structure is main content, shape (pieces,)."""

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        return classes_of_pieces(blocks, self.classify_pieces(blocks, references))


def classes_of_pieces(blocks: Blocks, good: NDArray[np.bool_]) -> Classes:
    """Returns the classes of blocks from the classes of their pieces, shape (pieces,)."""
    structure = structure_of(blocks)
    totals = np.concatenate([[0], np.cumsum(np.where(good, structure.words, 0), dtype=np.int64)])
    good_words = np.diff(totals[structure.block_pieces])
    return without_context(np.where(2 * good_words > blocks.words, 0, VERDICTS.index("boilerplate")).astype(np.uint8))


def structure_of(blocks: Blocks) -> Structure:
    """Returns the structure of blocks.

    Raises:
        ValueError: the blocks were cut without it.
    """
    if blocks.structure is None:
        raise ValueError("the algorithm needs Segmenter(…, structure=True)")
    return blocks.structure


def page_pieces(blocks: Blocks) -> NDArray[np.int64]:
    """Returns where each page's pieces start, shape (pages + 1,)."""
    return structure_of(blocks).block_pieces[blocks.pages]
