"""Classifies blocks by the rules of jusText's Python package (PyPI, justext 3): lengths in characters, headings.

Differences from the thesis: lengths and link density are counted in characters; a threshold of stop words is
reached, not passed; a short heading close above a good block becomes near-good, and one that the context made
bad becomes good. Stop words are counted as everywhere in this project: among alphabetic words, lower case or with a
first capital.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.context import classify_context
from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm, Classes, Registration, parameter
from corpusprep.pages.segmentation import Blocks
from studies.baselines.pieces import structure_of

_BAD, _SHORT, _NEAR_GOOD, _GOOD = (LABELS.index(label) for label in ("bad", "short", "near-good", "good"))


@dataclass(slots=True, frozen=True)
class PypiThresholds:
    """The package's defaults: lengths and distance in characters, densities as shares of 1."""

    max_link_density: float = parameter(0.2, "Share of linked characters above which a block is bad.", 0, 1)
    length_low: int = parameter(70, "Characters below which a block is short.", 0)
    stopwords_low: float = parameter(0.30, "Stop-word density from which a block is near-good.", 0, 1)
    length_high: int = parameter(200, "Characters above which a grammatical block is good.", 0)
    stopwords_high: float = parameter(0.32, "Stop-word density from which a block is grammatical.", 0, 1)
    max_heading_distance: int = parameter(200, "Characters between a heading and its good block, at most.", 0)


class JusTextPypi(Algorithm):
    """Classifies this project's blocks as the package does."""

    needs_structure = True

    def __init__(self, thresholds: PypiThresholds) -> None:
        self.thresholds = thresholds

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        limits = self.thresholds
        lengths, linked = _characters(blocks)
        link_density = linked / lengths
        short = lengths < limits.length_low
        grammatical = blocks.stopword_density >= limits.stopwords_high
        cases = (
            (link_density > limits.max_link_density, _BAD, "link_density"),
            (blocks.copyright, _BAD, "copyright"),
            (blocks.in_select, _BAD, "select"),
            (short & (linked > 0), _BAD, "short_link"),
            (short, _SHORT, "short"),
            (grammatical & (lengths > limits.length_high), _GOOD, "kept"),
            (grammatical | (blocks.stopword_density >= limits.stopwords_low), _NEAR_GOOD, "near_good"),
        )
        conditions = [condition for condition, _, _ in cases]
        context_free = np.select(conditions, [label for _, label, _ in cases], _BAD).astype(np.uint8)
        reasons = np.select(
            conditions, [VERDICTS.index(verdict) for _, _, verdict in cases], VERDICTS.index("stop_words")
        )
        headed = self._headings(blocks, lengths, context_free == _SHORT, context_free == _GOOD)
        context_free[headed] = _NEAR_GOOD
        good = classify_context(context_free, blocks.pages).astype(np.bool_)
        good |= self._headings(blocks, lengths, ~good & (context_free != _BAD), good)
        return Classes(context_free, good, np.where(good, 0, reasons).astype(np.uint8))

    def _headings(
        self, blocks: Blocks, lengths: NDArray[np.int64], candidates: NDArray[np.bool_], good: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Returns the headings among the candidates with a good block at most max_heading_distance characters below."""
        headings = np.zeros(len(blocks), np.bool_)
        places = np.append(np.flatnonzero(good), len(blocks))
        chosen = np.flatnonzero(candidates & blocks.heading)
        nearest = places[np.searchsorted(places, chosen, "right")]  # the good block below, len(blocks) if there is none
        page_ends = blocks.pages[np.searchsorted(blocks.pages, chosen, "right")]
        totals = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        near = totals[nearest] - totals[chosen + 1] <= self.thresholds.max_heading_distance
        headings[chosen[(nearest < page_ends) & near]] = True
        return headings


def _characters(blocks: Blocks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns each block's characters, and those inside <a> without the white space between text nodes."""
    structure = structure_of(blocks)
    first_bytes = (np.frombuffer(blocks.text, np.uint8) & 0xC0) != 0x80
    totals = np.concatenate([[0], np.cumsum(first_bytes, dtype=np.int64)])
    linked = np.where(structure.linked, structure.characters(blocks.text), 0)
    link_totals = np.concatenate([[0], np.cumsum(linked, dtype=np.int64)])
    return np.diff(totals[blocks.offsets]), np.diff(link_totals[structure.block_pieces])


ALGORITHMS = (
    Registration(
        name="justext-pypi",
        make=JusTextPypi,
        description="Keeps blocks as jusText's Python package does: lengths in characters, and headings.",
        source="PyPI, justext 3",
        parameters=PypiThresholds(),
        evaluated={"jusText, PyPI’s defaults": ""},
    ),
)
