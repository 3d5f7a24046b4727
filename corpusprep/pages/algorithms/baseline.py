"""The baseline: everything is main content (Pomikálek 2011, 2.9.3)."""

import numpy as np

from corpusprep.pages.algorithms.interface import LABELS, Classes
from corpusprep.pages.segmentation import Blocks


class Baseline:
    """Keeps every block."""

    structure = False

    def classify(self, blocks: Blocks) -> Classes:
        """Classifies all blocks as good."""
        count = len(blocks)
        return Classes(
            np.full(count, LABELS.index("good"), np.uint8), np.ones(count, np.bool_), np.zeros(count, np.uint8)
        )
