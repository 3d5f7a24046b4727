"""Counts of the strings between spaces (native/statistics/string_counts.hpp)."""

import numpy as np
from numpy.typing import NDArray

class StringCounts:
    """Counts how often each string between spaces (U+0020) occurs in two sets of texts.

    A string of ASCII characters without white space counts as the word inside it: in lower case, without the characters
    at both ends that are neither letters nor digits. It does not count if it has no letter or more than `longest`
    characters. Any other string that is not empty counts unchanged.
    """

    def __init__(self, most_bytes: int, longest: int) -> None:
        """Starts without counts. `add` stops when they take `most_bytes` of memory, or up to twice as much.

        Raises:
            ValueError: `longest` is above 65,536.
        """

    def add(self, text: bytes, start: int, second: bool) -> int:
        """Counts the strings of `text` from `start` on for the first or the second set.

        Returns:
            Where it stopped: at the end of the text, or before a space. Then `take` must be called next.

        Raises:
            ValueError: `start` is not in the text.
        """

    def take(self) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
        """Takes the counts and starts again without counts.

        Returns:
            The n different strings one after another, n + 1 offsets, and counts of shape (2, n): string i is
            text[offsets[i]:offsets[i + 1]] and occurs counts[s, i] times in set s.
        """
