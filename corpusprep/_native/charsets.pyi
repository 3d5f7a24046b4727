"""What a page's bytes say of its encoding (native/include/corpusprep/charsets.hpp): for corpusprep.charsets."""

import numpy as np
from numpy.typing import NDArray

def utf8_share(data: bytes) -> float:
    """Share of the characters outside ASCII that are valid UTF-8; 1 where there is none."""

class ByteTrigrams:
    """Vectors of encodings over byte trigrams: keys uint32 (n,), weights uint32 (n or more, encodings)."""

    def __init__(self, keys: NDArray[np.uint32], weights: NDArray[np.uint32]) -> None: ...
    def products(self, data: bytes, most: int) -> list[int]:
        """Each encoding's scalar product with the page, over its `most` first trigrams beyond ASCII."""
