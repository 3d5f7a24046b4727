"""What a page's bytes say of its encoding (native/encoding/): for corpusprep.encoding.charsets."""

import numpy as np
from numpy.typing import NDArray

def utf8_share(data: bytes, least: float = 0.0) -> float:
    """Share of the characters outside ASCII that are valid UTF-8; 1 where there is none. Under `least` only that."""

def count_high_bytes(data: bytes) -> tuple[int, int]:
    """How many bytes are beyond ASCII, and how many of these are 0x80 to 0x9F: controls in ISO 8859."""

class ByteTrigrams:
    """Vectors of encodings over byte trigrams: keys uint32 (n,), weights uint32 (n or more, encodings)."""

    def __init__(self, keys: NDArray[np.uint32], weights: NDArray[np.uint32]) -> None: ...
    def products(self, data: bytes, most: int) -> list[int]:
        """Each encoding's scalar product with the page, over its `most` first trigrams beyond ASCII."""
    def any(self, data: bytes, most: int, encoding: int) -> bool:
        """Whether the product of the encoding with that number is more than 0; stops where it is."""
