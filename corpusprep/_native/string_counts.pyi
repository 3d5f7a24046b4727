"""Counting the strings between spaces."""

import numpy as np
from numpy.typing import NDArray

class StringCounts:
    """How often each string between spaces (U+0020) stands in two sets of texts.

    A string of ASCII characters without white space is counted as the word that it holds: in lower case, less what is
    neither letter nor digit at its ends; not at all without a letter, or if more than `longest` characters are left.
    Any other string is counted as it is, but an empty one.
    """

    def __init__(self, most_bytes: int, longest: int) -> None:
        """Counts of nothing yet; `add` stops once they take `most_bytes` of memory, or up to twice as many.

        Raises:
            ValueError: `longest` is above 65,536.
        """

    def add(self, text: bytes, start: int, second: bool) -> int:
        """Counts the strings of `text` from `start` on, in the second set or the first.

        Returns:
            Where it stopped: at the text's end, or before a space; there, `take` must be called before it goes on.

        Raises:
            ValueError: `start` is not in the text.
        """

    def take(self) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
        """The counts, which begin anew.

        Returns:
            The n different strings one after another, n + 1 offsets, and counts of shape (2, n): string i is
            text[offsets[i]:offsets[i + 1]], and stood counts[s, i] times in set s.
        """
