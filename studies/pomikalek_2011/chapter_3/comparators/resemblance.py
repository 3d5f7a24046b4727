"""Computes exact resemblance and containment of all pairs of documents that share an n-gram.

Broder 1997, "On the resemblance and containment of documents"; Pomikálek 2011, 3.2.1 and 3.6.2.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features, as_sets
from corpusprep.reuse.postings import sharing


class Resemblance(FeatureComparator):
    """The share of the distinct n-grams of two documents that occur in both.

    Args:
        n: words in an n-gram; 10 in the thesis (3.6.2).
        threshold: the thesis removes pairs above 0.9 (3.6.4, "rsmbl. de-dupl").
    """

    def __init__(self, n: int = 10, threshold: float = 0.9) -> None:
        self.name = f"resemblance n={n}"
        self.n, self.threshold = n, threshold

    def features(self, documents: Documents) -> Features:
        """Returns all distinct n-grams."""
        return as_sets(documents.ngrams(self.n)[0])


class Containment(Resemblance):
    """The share of the shorter document's distinct n-grams that also occur in the other document.

    Broder's c(A, B) is the share of A's n-grams; the larger of c(A, B) and c(B, A) belongs to the document with fewer
    n-grams. Clough and Stevenson (2011, "Developing a corpus of plagiarised short answers") use it to compare answers
    with sources.
    """

    def __init__(self, n: int = 10, threshold: float = 0.5) -> None:
        super().__init__(n, threshold)
        self.name = f"containment n={n}"

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the containment of the smaller document in the other."""
        return np.asarray(shared / np.minimum(one, other), np.float64)


def pairs_above(documents: Documents, thresholds: Sequence[float], n: int = 10) -> tuple[NDArray[np.int64], float]:
    """Counts the pairs whose resemblance is greater than each threshold: the curve of figure 3.6.

    Pairs are not stored, so memory does not grow with their number.

    Returns:
        int64, shape (thresholds,); the highest resemblance of all pairs, 0 if no two documents share an n-gram.
    """
    comparator = Resemblance(n)
    features = comparator.features(documents)
    sizes = features.sizes
    order = np.argsort(thresholds)
    ascending = np.asarray(thresholds, np.float64)[order]
    counts, highest = np.zeros(len(ascending), np.int64), 0.0
    for document, others, shared in sharing(features):
        score = np.sort(comparator.score(shared, np.full(len(others), sizes[document]), sizes[others]))
        counts += len(score) - np.searchsorted(score, ascending, side="right")
        highest = max(highest, float(score[-1]))
    result = np.empty_like(counts)
    result[order] = counts
    return result, highest
