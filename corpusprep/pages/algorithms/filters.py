"""Filters by link density, word count and stop-word density, one of them or several (Pomikálek 2011, 2.9.3).

Blocks are jusText's; each is judged by itself. A link density above its threshold, a word count or a
stop-word density below its threshold say boilerplate.
"""

from dataclasses import dataclass

import numpy as np

from corpusprep.pages.algorithms.interface import VERDICTS, Classes, without_context
from corpusprep.pages.segmentation import Blocks


@dataclass(slots=True, frozen=True)
class FilterThresholds:
    """The thresholds of a filter; the defaults let everything pass."""

    max_link_density: float = 1.0
    length_low: int = 0  # words
    stopwords_low: float = 0.0


#: The thesis's combined filter (tables 2.5 to 2.9), and the best thresholds of each feature (table 2.3, F1).
TOKEN_STOPWORD = FilterThresholds(length_low=20, stopwords_low=0.30)
LINK_DENSITY = FilterThresholds(max_link_density=0.12)
WORD_COUNT = FilterThresholds(length_low=18)
STOPWORD = FilterThresholds(stopwords_low=0.30)


class FeatureFilter:
    """A block is good if it passes every threshold."""

    structure = False

    def __init__(self, thresholds: FilterThresholds) -> None:
        self.thresholds = thresholds

    def classify(self, blocks: Blocks) -> Classes:
        """Classifies all blocks; the reason is the first threshold, in the order of FilterThresholds, that says no."""
        limits = self.thresholds
        cases = (
            (blocks.link_density > limits.max_link_density, "link_density"),
            (blocks.words < limits.length_low, "boilerplate"),
            (blocks.stopword_density < limits.stopwords_low, "stop_words"),
        )
        verdicts = np.select([case for case, _ in cases], [VERDICTS.index(reason) for _, reason in cases], 0)
        return without_context(verdicts.astype(np.uint8))
