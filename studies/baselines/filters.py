"""Filters blocks by link density, word count and stop-word density (Pomikálek 2011, 2.9.3).

Blocks are jusText's. Each is classified by itself: with a link density above its threshold, or with a word count or a
stop-word density below its threshold, it is boilerplate.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import VERDICTS, Algorithm, Classes, Registration, parameter, without_context
from corpusprep.pages.segmentation import Blocks


@dataclass(slots=True, frozen=True)
class FilterThresholds:
    """The thresholds of a filter; by default every block passes."""

    max_link_density: float = parameter(1.0, "Link density above which a block is boilerplate.", 0, 1)
    length_low: int = parameter(0, "Words below which a block is boilerplate.", 0)
    stopwords_low: float = parameter(0.0, "Stop-word density below which a block is boilerplate.", 0, 1)


#: The thesis's combined filter (tables 2.5 to 2.9), and the best thresholds of each feature (table 2.3, F1).
TOKEN_STOPWORD = FilterThresholds(length_low=20, stopwords_low=0.30)
LINK_DENSITY = FilterThresholds(max_link_density=0.12)
WORD_COUNT = FilterThresholds(length_low=18)
STOPWORD = FilterThresholds(stopwords_low=0.30)


class FeatureFilter(Algorithm):
    """A block is good if it passes every threshold."""

    def __init__(self, thresholds: FilterThresholds) -> None:
        self.thresholds = thresholds

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks; the reason is the first threshold, in the order of FilterThresholds, that it fails."""
        limits = self.thresholds
        cases = (
            (blocks.link_density > limits.max_link_density, "link_density"),
            (blocks.words < limits.length_low, "boilerplate"),
            (blocks.stopword_density < limits.stopwords_low, "stop_words"),
        )
        verdicts = np.select([case for case, _ in cases], [VERDICTS.index(reason) for _, reason in cases], 0)
        return without_context(verdicts.astype(np.uint8))


_SOURCE = "Pomikálek 2011, 2.9.3"
ALGORITHMS = (
    Registration(
        name="token-stopword-filter",
        make=FeatureFilter,
        description="Keeps blocks with enough words and a high enough stop-word density.",
        source=f"{_SOURCE}, tables 2.5 to 2.9",
        parameters=TOKEN_STOPWORD,
        evaluated={"tc20-sw0.30-filter": ""},
    ),
    Registration(
        name="link-density-filter",
        make=FeatureFilter,
        description="Keeps blocks with a low enough link density.",
        source=f"{_SOURCE}, table 2.3",
        parameters=LINK_DENSITY,
    ),
    Registration(
        name="word-count-filter",
        make=FeatureFilter,
        description="Keeps blocks with enough words.",
        source=f"{_SOURCE}, table 2.3",
        parameters=WORD_COUNT,
    ),
    Registration(
        name="stopword-filter",
        make=FeatureFilter,
        description="Keeps blocks with a high enough stop-word density.",
        source=f"{_SOURCE}, table 2.3",
        parameters=STOPWORD,
    ),
)
