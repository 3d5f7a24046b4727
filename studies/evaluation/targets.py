"""Other choices of the element that has a page's main content: what bounds Baisa's density method (2009, 2.3)."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from corpusprep.gold.scores import Counts, scores
from corpusprep.pages.segmentation import Blocks
from studies.baselines.pieces import PieceAlgorithm, structure_of
from studies.evaluation.decisions import Spans


class ChosenChild(PieceAlgorithm):
    """Enters the child element that ranks highest, while it has enough of its parent's characters.

    Args:
        share: the child needs more than this share of its parent's characters; 0.5 in Baisa's algorithm 1.
        by_elements: children rank by characters per element, whatever its tag; otherwise by their characters.
    """

    def __init__(self, share: float = 0.5, *, by_elements: bool = False) -> None:
        self._share = share
        self._by_elements = by_elements

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece is in its page's target node, shape (pieces,)."""
        structure = structure_of(blocks)
        good = np.zeros(len(structure), np.bool_)
        characters = _characters(blocks)
        ranks = characters.astype(np.float64)
        if self._by_elements:
            ranks /= structure.element_ends - np.arange(len(characters))
        for first, end in itertools.pairwise(structure.page_elements.tolist()):
            target = first
            while first < end and target < (stop := int(structure.element_ends[target])):
                children = list(_children(structure.element_ends, target, stop))
                child = max(children, key=lambda option: float(ranks[option]), default=None)
                if child is None or not characters[child] > self._share * characters[target]:
                    good[structure.element_pieces[target] : structure.element_piece_ends[target]] = True
                    break
                target = child
        return good


def best_elements(blocks: Blocks, compared: Callable[[int, str], Counts]) -> NDArray[np.bool_]:
    """Returns whether each piece is in the one element of its page that has the highest F1, shape (pieces,).

    No choice of one element per page, by whatever rule, has a higher mean F1.

    Args:
        blocks: with their structure.
        compared: a page's number and a text of it -> its counts against the gold text.
    """
    structure = structure_of(blocks)
    spans = Spans.of_pieces(blocks)
    good = np.zeros(len(structure), np.bool_)
    characters = _characters(blocks)
    for page, (first, end) in enumerate(itertools.pairwise(structure.page_elements.tolist())):
        tried: dict[tuple[int, int], float] = {}
        for element in range(first, end):
            span = int(structure.element_pieces[element]), int(structure.element_piece_ends[element])
            if span not in tried and characters[element]:
                inside = np.zeros(len(structure), np.bool_)
                inside[slice(*span)] = True
                tried[span] = scores(compared(page, spans.page_text(page, inside))).f1
        if tried:
            good[slice(*max(tried, key=lambda span: tried[span]))] = True
    return good


def _characters(blocks: Blocks) -> NDArray[np.int64]:
    """Returns the characters of each element's text nodes, without white space around them."""
    structure = structure_of(blocks)
    totals = np.concatenate([[0], np.cumsum(structure.characters(blocks.text))])
    return np.asarray(totals[structure.element_piece_ends] - totals[structure.element_pieces], np.int64)


def _children(ends: NDArray[np.int64], element: int, end: int) -> Iterator[int]:
    child = element + 1
    while child < end:
        yield child
        child = int(ends[child])
