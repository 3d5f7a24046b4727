"""Character trigram models of clean and dirty text (native/pages/ncleaner.hpp)."""

import numpy as np
from numpy.typing import NDArray

#: The number of classes of characters (corpusprep._native.unicode).
CHARACTER_CLASSES: int

class Symbols:
    """Maps characters to symbols, 1 to 255: `characters` ascend and have `symbols`, all others those of `classes`."""

    def __init__(
        self, characters: NDArray[np.uint32], symbols: NDArray[np.uint8], classes: NDArray[np.uint8]
    ) -> None: ...
    def encode(self, text: bytes, offsets: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Returns the symbols of all segments, and where those of each segment start and end; without the GIL."""

class CharacterModel:
    """Weights of trigrams of symbols. Raises ValueError if the arrays do not fit together."""

    def __init__(
        self,
        characters: NDArray[np.uint32],
        symbols: NDArray[np.uint8],
        classes: NDArray[np.uint8],
        pairs: NDArray[np.int16],
        contexts: NDArray[np.int16],
        trigrams: NDArray[np.uint32],
        weights: NDArray[np.int16],
    ) -> None: ...
    def measure(
        self, text: bytes, offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
        """Returns the sum of weights, the vertical bars and the letters of each segment; without the GIL.

        Segment s is text[offsets[s]:offsets[s + 1]].
        """
