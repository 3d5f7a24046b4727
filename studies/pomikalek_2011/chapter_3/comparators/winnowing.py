"""Winnowing: each window's lowest hash (Schleimer, Wilkerson and Aiken 2003, section 3; Pomikálek 2011, 3.2.4)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features, as_sets
from corpusprep.reuse.hashing import Keys


class Winnowing(FeatureComparator):
    """Keeps the hashes that winnowing selects; the score is the resemblance of the selections.

    In random text the share 2 / (window + 1) of n-grams is selected (the paper; the thesis prints 2 / window).
    Documents with window + n - 1 consecutive words in common share a selected n-gram.

    Args:
        n: words in an n-gram, the noise threshold: shorter matches are not found (the paper's k).
        window: n-grams in a window (the paper's w).
        threshold: of the resemblance.
    """

    def __init__(self, n: int = 5, window: int = 16, threshold: float = 0.5) -> None:
        self.name = f"winnowing n={n} w={window}"
        self.n, self.window, self.threshold = n, window, threshold

    def features(self, documents: Documents) -> Features:
        """Returns the distinct selected n-grams."""
        ngrams, _ = documents.ngrams(self.n)
        return as_sets(ngrams.keep(selected(ngrams, self.window)))


def selected(ngrams: Features, window: int) -> NDArray[np.bool_]:
    """Returns which n-grams winnowing selects: the lowest of each window, the rightmost of equal ones.

    A document shorter than a window is one window.

    Returns:
        bool, shape (n-grams,).
    """
    chosen = np.zeros(len(ngrams.keys), np.bool_)
    sizes = ngrams.sizes
    starts = np.arange(len(ngrams.keys))
    whole = starts + window <= np.repeat(ngrams.offsets[1:], sizes)
    chosen[_rightmost_lowest(ngrams.keys, window, starts[whole])] = True
    for document in np.flatnonzero((sizes > 0) & (sizes < window)).tolist():
        begin, end = ngrams.offsets[document], ngrams.offsets[document + 1]
        chosen[end - 1 - np.argmin(ngrams.keys[begin:end][::-1])] = True
    return chosen


def _rightmost_lowest(keys: Keys, window: int, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the position of the lowest of the `window` keys from each start on."""
    lowest, places = keys[starts], starts.copy()
    for step in range(1, window):
        following = keys[starts + step]
        better = following <= lowest
        lowest[better] = following[better]
        places[better] = starts[better] + step
    return places
