"""Finds the element of a page with many characters and few tags: Baisa's density method (Baisa 2009, 2.3)."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import Registration, parameter
from corpusprep.pages.segmentation import Blocks
from studies.baselines.pieces import PieceAlgorithm, structure_of


@dataclass(slots=True, frozen=True)
class DensityParameters:
    """The mode."""

    least_density: float = parameter(
        0.0, "Characters per structural element below which a page has no main content (Baisa's -r: 10).", minimum=0
    )


class Density(PieceAlgorithm):
    """Keeps the contents of the target node of a page (algorithm 1).

    From the root on, the child element with the highest density is entered as long as it has more than half of
    its parent's characters. Density: characters of the subtree's text nodes, white space around them left
    out, over its structural elements (block-level ones and line breaks, itself among them; at least 1). The first of
    equally dense children is taken.
    """

    def __init__(self, parameters: DensityParameters | None = None) -> None:
        self.parameters = parameters or DensityParameters()

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece is in its page's target node, shape (pieces,)."""
        structure = structure_of(blocks)
        good = np.zeros(len(structure), np.bool_)
        for target, density in targets(blocks):
            if target is not None and density >= self.parameters.least_density:
                good[structure.element_pieces[target] : structure.element_piece_ends[target]] = True
        return good


def targets(blocks: Blocks) -> Iterator[tuple[int | None, float]]:
    """Yields each page's target node, None without elements, and its density."""
    structure = structure_of(blocks)
    characters = np.concatenate([[0], np.cumsum(structure.characters(blocks.text))])
    tags = np.concatenate([[0], np.cumsum(structure.element_structural, dtype=np.int64)])
    ends = structure.element_ends
    subtree_characters = characters[structure.element_piece_ends] - characters[structure.element_pieces]
    densities = subtree_characters / np.maximum(tags[ends] - tags[:-1], 1)
    for first, end in itertools.pairwise(structure.page_elements.tolist()):
        if first == end:
            yield None, 0.0
            continue
        target = first
        while (child := _densest_child(target, ends, densities)) is not None:
            if not subtree_characters[child] > 0.5 * subtree_characters[target]:
                break
            target = child
        yield target, float(densities[target])


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
        parameters=DensityParameters(),
        evaluated={"density": ""},
    ),
)
