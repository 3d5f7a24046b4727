"""Context-sensitive classification (native/pages/context.hpp)."""

import numpy as np
from numpy.typing import NDArray

def classify_context(classes: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns 1 for good and 0 for bad blocks.

    Page p is classes[offsets[p]:offsets[p + 1]]; the offsets must ascend within the array.
    """
