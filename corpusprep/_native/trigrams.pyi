"""Scoring texts by trigrams and words (native/languages/text_scores.hpp): for corpusprep.languages.trigrams."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Code points, from 0, that a folding is a table of; what stands in it for one that needs Unicode's algorithms.
FOLDED: int
NOT_FOLDED: int

def is_word(text: str) -> bool:
    """Returns whether a text is one word: not empty, only letters and numbers that are not decimal digits."""

class NativeWords:
    """The words of several lists, numbered from 0; each list is UTF-8 with a line feed between words."""

    def __init__(self, lists: Sequence[bytes]) -> None: ...
    def __len__(self) -> int: ...
    def numbers(self, place: int) -> bytes:
        """The numbers of the words of the list at that place, in its order, 32 bits each."""

class NativeScorer:
    """Trigrams of several models (corpusprep.languages.trigrams.TrigramModel); one row of weights per word."""

    def __init__(
        self,
        keys: Sequence[NDArray[np.uint64]],
        weights: Sequence[NDArray[np.uint32]],
        folded: NDArray[np.uint32],
        words: NativeWords,
        word_weights: NDArray[np.int32],
    ) -> None: ...
    def sums(self, text: str, reduced: bool) -> tuple[int, list[int], int, list[int]] | None:
        """Running trigrams, each model's sum, running words, each column's; None if the text must be reduced first."""
