"""Finds the element of a page with many characters and few tags: Baisa's density method (Baisa 2009, 2.3)."""

import itertools

import numpy as np
from numpy.typing import NDArray

from corpusprep.pages.algorithms.interface import Registration
from corpusprep.pages.algorithms.pieces import PieceAlgorithm, structure_of
from corpusprep.pages.segmentation import Blocks


class Density(PieceAlgorithm):
    """Keeps the contents of the target node of a page (algorithm 1).

    From the root on, the child element with the highest density is entered as long as it has more than half of
    its parent's characters. Density: characters of the subtree's text nodes, white space around them left
    out, over its structural elements (block-level ones and line breaks, itself among them; at least 1). The first of
    equally dense children is taken.
    """

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece is in its page's target node, shape (pieces,)."""
        structure = structure_of(blocks)
        characters = np.concatenate([[0], np.cumsum(structure.characters(blocks.text))])
        tags = np.concatenate([[0], np.cumsum(structure.element_structural, dtype=np.int64)])
        ends = structure.element_ends
        subtree_characters = characters[structure.element_piece_ends] - characters[structure.element_pieces]
        densities = subtree_characters / np.maximum(tags[ends] - tags[:-1], 1)
        good = np.zeros(len(structure), np.bool_)
        for first, end in itertools.pairwise(structure.page_elements.tolist()):
            if first == end:
                continue
            target = first
            while (child := _densest_child(target, ends, densities)) is not None:
                if not subtree_characters[child] > 0.5 * subtree_characters[target]:
                    break
                target = child
            good[structure.element_pieces[target] : structure.element_piece_ends[target]] = True
        return good


def _densest_child(element: int, ends: NDArray[np.int64], densities: NDArray[np.float64]) -> int | None:
    """Returns the child element with the highest density, the first of equals; None if there is no child element."""
    best, child, end = None, element + 1, int(ends[element])
    while child < end:
        if best is None or densities[child] > densities[best]:
            best = child
        child = int(ends[child])
    return best


ALGORITHMS = (
    Registration(
        name="density",
        make=Density,
        description="Keeps the element of a page with many characters and few tags.",
        source="Baisa 2009, 2.3",
        evaluated={"density": ""},
    ),
)
