"""Scores a text by the cosine of trigram frequencies, as the thesis's language filter does (Pomikálek 2011, 3.6.2).

The thesis used a Python module that compares the counts of all triples of characters in a text and in a sample of the
language, and kept documents with a score of 0.6 or more. Here trigrams come from the language models: words
in lower case, with a space on each side, without digits and punctuation; the shares of the language are computed back
from the models' weights. Unlike the mean weight (scoring.py), the cosine grows with the length of the text.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpusprep.languages.trigrams import FULL_SHARE, WEIGHT_UNIT, Keys, trigrams

if TYPE_CHECKING:
    from corpusprep.languages.model import LanguageModel

#: The thesis's threshold (3.6.2, footnote 11).
THRESHOLD = 0.6


class SimilarityScorer:
    """Scores texts for a language and its rivals; a language with several spellings gets the score of the best one."""

    threshold = THRESHOLD

    def __init__(self, model: "LanguageModel", rivals: "Sequence[LanguageModel]") -> None:
        self._models = [
            [(spelling.keys, _direction(spelling.weights)) for spelling in scored.trigrams]
            for scored in (model, *rivals)
        ]

    def scores(self, text: str) -> list[float]:
        """Returns the cosine of the text and the language, then of each rival, 0 to 1; 0 for a text without letters."""
        keys, counts = np.unique(trigrams(text)[0], return_counts=True)
        if not len(keys):
            return [0.0] * len(self._models)
        length = math.sqrt(math.fsum(count * count for count in counts.tolist()))
        return [max(_cosine(keys, counts, length, *spelling) for spelling in spellings) for spellings in self._models]


def _direction(weights: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
    """Returns the shares of a spelling's trigrams as a vector of length 1."""
    roots = np.square(weights / WEIGHT_UNIT)
    shares = FULL_SHARE * np.square(roots)
    direction: npt.NDArray[np.float64] = shares / max(math.sqrt(math.fsum(np.square(shares).tolist())), 1e-300)
    return direction


def _cosine(
    keys: Keys, counts: npt.NDArray[np.int64], length: float, known: Keys, shares: npt.NDArray[np.float64]
) -> float:
    """Returns the cosine of a text and a spelling; sums are exact, so the same on every machine."""
    if not len(known):
        return 0.0
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    products = np.where(known[places] == keys, shares[places], 0.0) * counts
    return min(1.0, math.fsum(products.tolist()) / length)
