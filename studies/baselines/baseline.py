"""Classifies everything as main content: the baseline (Pomikálek 2011, 2.9.3)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import LABELS, Algorithm, Classes, Registration
from corpusprep.pages.segmentation import Blocks


class Baseline(Algorithm):
    """Keeps every block."""

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks as good."""
        count = len(blocks)
        return Classes(
            np.full(count, LABELS.index("good"), np.uint8), np.ones(count, np.bool_), np.zeros(count, np.uint8)
        )


ALGORITHMS = (
    Registration(
        name="baseline",
        make=Baseline,
        description="Keeps every block.",
        source="Pomikálek 2011, 2.9.3",
        evaluated={"baseline": ""},
    ),
)
