"""Scoring texts by character trigrams (native/include/corpusprep/trigrams.hpp): for corpusprep.trigrams."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Code points, from 0, that a folding is a table of; what stands in it for one that needs Unicode's algorithms.
FOLDED: int
NOT_FOLDED: int

class NativeScorer:
    """Trigrams of several models; arguments as in corpusprep.trigrams.TrigramModel, `folded` of FOLDED values."""

    def __init__(
        self, keys: Sequence[NDArray[np.uint64]], weights: Sequence[NDArray[np.uint32]], folded: NDArray[np.uint32]
    ) -> None: ...
    def sums(self, text: str, reduced: bool) -> tuple[int, list[int]] | None:
        """Running trigrams and each model's sum; None if the text must be reduced first and is not."""
