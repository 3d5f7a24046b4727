"""Scores texts by trigrams and words (native/languages/)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Number of code points, from 0, in a folding; its value for those that need the full algorithms of Unicode.
FOLDED: int
NOT_FOLDED: int

def is_word(text: str) -> bool:
    """Returns whether a text is one word: not empty, only letters and numbers that are not decimal digits."""

class NativeWords:
    """The words of several lists, numbered from 0. Each list is UTF-8 with a line feed between words."""

    def __init__(self, lists: Sequence[bytes]) -> None: ...
    def __len__(self) -> int: ...
    def numbers(self, place: int) -> bytes:
        """Returns the numbers of the words of a list, in its order, 32 bits each."""

class NativeScorer:
    """Scores by trigrams of several models (languages.trigrams.TrigramModel) and by words with rows of weights."""

    def __init__(
        self,
        keys: Sequence[NDArray[np.uint64]],
        weights: Sequence[NDArray[np.uint32]],
        folded: NDArray[np.uint32],
        words: NativeWords,
        word_weights: NDArray[np.int32],
    ) -> None: ...
    def sums(self, text: str, reduced: bool) -> tuple[int, list[int], int, list[int]] | None:
        """Returns running trigrams, the sum of each model, running words, the sum of each column.

        Returns None if the text must be reduced first.
        """
