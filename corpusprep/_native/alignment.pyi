"""Word alignment (native/research/alignment.hpp)."""

import numpy as np
from numpy.typing import NDArray

def matching_blocks(text: NDArray[np.int32], gold: NDArray[np.int32], words: int, popular: bool) -> NDArray[np.int64]:
    """Returns the matching blocks of difflib for two sequences of word numbers: starts in text and gold, length."""
