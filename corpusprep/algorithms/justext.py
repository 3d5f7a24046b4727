"""jusText: blocks are classified by length, links and stop words, then by their context (Pomikálek 2011, 2.7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.algorithms.interface import LABELS, VERDICTS, Classes
from corpusprep.context import classify_context
from corpusprep.segmentation import Blocks

_BAD, _SHORT, _NEAR_GOOD, _GOOD = (LABELS.index(label) for label in ("bad", "short", "near-good", "good"))


@dataclass(slots=True, frozen=True)
class Thresholds:
    """The parameters of algorithm 2.2: lengths in words, densities as shares of 1."""

    max_link_density: float = 0.2
    length_low: int = 10
    stopwords_low: float = 0.30
    length_high: int = 30
    stopwords_high: float = 0.32


#: The four settings that the thesis evaluates (2.9.5, table 2.7).
PRESETS = {
    "A": Thresholds(),
    "B": Thresholds(length_low=0, length_high=26),
    "C": Thresholds(stopwords_low=0.25, length_high=25, stopwords_high=0.25),
    "D": Thresholds(stopwords_low=0.20, length_high=20, stopwords_high=0.25),
}


@dataclass(slots=True, frozen=True)
class Measures:
    """What the algorithm asks of n blocks: the columns of Blocks of the same names, and the pages they are of."""

    pages: NDArray[np.int64]
    words: NDArray[np.uint32]
    link_density: NDArray[np.float64]
    stopword_density: NDArray[np.float64]
    copyright: NDArray[np.bool_]
    in_select: NDArray[np.bool_]


class JusText:
    """Algorithms 2.2 and 2.3 with the preprocessing rules of 2.7.1."""

    structure = False

    def __init__(self, thresholds: Thresholds = PRESETS["A"]) -> None:
        self.thresholds = thresholds

    def classify(self, blocks: Blocks) -> Classes:
        """Classifies all blocks of all pages."""
        return self.classify_measures(
            Measures(
                pages=blocks.pages,
                words=blocks.words,
                link_density=blocks.link_density,
                stopword_density=blocks.stopword_density,
                copyright=blocks.copyright,
                in_select=blocks.in_select,
            )
        )

    def classify_measures(self, blocks: Measures) -> Classes:
        """The same from what the algorithm asks of blocks."""
        limits = self.thresholds
        short = blocks.words < limits.length_low
        grammatical = blocks.stopword_density > limits.stopwords_high
        # The first condition that holds decides: 2.7.1's rules, then algorithm 2.2 from its top.
        cases = (
            (blocks.copyright, _BAD, "copyright"),
            (blocks.in_select, _BAD, "select"),
            (blocks.link_density > limits.max_link_density, _BAD, "link_density"),
            (short & (blocks.link_density > 0), _BAD, "short_link"),
            (short, _SHORT, "short"),
            (grammatical & (blocks.words > limits.length_high), _GOOD, "kept"),
            (grammatical | (blocks.stopword_density > limits.stopwords_low), _NEAR_GOOD, "near_good"),
        )
        conditions = [condition for condition, _, _ in cases]
        context_free = np.select(conditions, [label for _, label, _ in cases], _BAD).astype(np.uint8)
        reasons = np.select(
            conditions, [VERDICTS.index(verdict) for _, _, verdict in cases], VERDICTS.index("stop_words")
        )
        good = classify_context(context_free, blocks.pages).astype(np.bool_)
        return Classes(context_free, good, np.where(good, 0, reasons).astype(np.uint8))
