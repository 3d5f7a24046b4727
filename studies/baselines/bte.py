"""Finds the range of a page with many words and few tags: BTE (Finn et al. 2001; Pomikálek 2011, 2.6.1)."""

import itertools

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import Registration
from corpusprep.pages.segmentation import Blocks
from studies.baselines.pieces import PieceAlgorithm, page_pieces, structure_of

_VALUE = 1 << 32  # a token's share of the objective; the bits below count words, to choose among equal values


class BTE(PieceAlgorithm):
    """Keeps the range of tokens that maximises the words inside and the tags outside.

    A token is a start tag, an end tag or a white-space separated word of a text node; tags inside removed
    elements (<head>, <script>, …) do not count, and an empty element such as <br> is one tag. Of ranges with the
    same value the one with more words is taken, then the first. The best range begins and ends with a word at a
    border of text nodes (2.9.2), so only such ranges are tried, in linear time.
    """

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece is in its page's range, shape (pieces,)."""
        structure = structure_of(blocks)
        words = (structure.words + structure.glued).astype(np.int64) * (_VALUE + 1)
        ends = np.cumsum(words - structure.markup.astype(np.int64) * _VALUE)
        starts = ends - words
        good = np.zeros(len(structure), np.bool_)
        for first, end in itertools.pairwise(page_pieces(blocks).tolist()):
            if first == end:
                continue
            lowest = np.minimum.accumulate(starts[first:end])
            last = int(np.argmax(ends[first:end] - lowest))
            begin = int(np.argmin(starts[first : first + last + 1]))
            good[first + begin : first + last + 1] = True
        return good


ALGORITHMS = (
    Registration(
        name="bte",
        make=BTE,
        description="Keeps the range of a page with many words and few tags.",
        source="Finn et al. 2001; Pomikálek 2011, 2.6.1",
        evaluated={"BTE": ""},
    ),
)
