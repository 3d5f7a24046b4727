"""Finds given n-grams in a vertical (native/inspection/ngram_search.hpp)."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

class NgramSearch:
    """Finds n-grams by their keys. The lock of Python is released while it reads."""

    def __init__(self, n: int, keys: Sequence[int], count_punctuation: bool, stop_words: Iterable[str]) -> None:
        """Takes keys of n-grams (ngrams.ngram_key), and the settings that decide which tokens count."""

    def feed(self, chunk: bytes) -> NDArray[np.uint32]:
        """Takes the next bytes of a vertical, split anywhere; returns the n-grams of documents that have ended.

        Returns:
            Shape (n-grams, 4): number of the document in the vertical, numbers of its first and last block in the
            document (all from 0), and the place of the key in `keys`.
        """
