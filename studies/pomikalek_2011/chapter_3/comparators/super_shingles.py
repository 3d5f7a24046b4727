"""Super-shingles: hashes groups of a sketch (Broder 2000; Pomikálek 2011, 3.2.1)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features
from corpusprep.reuse.hashing import Keys, fold, seeds
from studies.pomikalek_2011.chapter_3.comparators.sketches import SEED, columns_as_features, minima


class SuperShingles(FeatureComparator):
    """Keeps a sketch of k * s minima as k hashes of groups of s; the score is the share of equal hashes.

    Args:
        n: words in an n-gram.
        groups: k; AltaVista used 6 (Broder 2000).
        group_size: s; AltaVista used 14.
        agreeing: r, the number of super-shingles that must agree; AltaVista used 2.
        seed: of the permutations.
    """

    def __init__(self, n: int = 10, groups: int = 6, group_size: int = 14, agreeing: int = 2, seed: int = SEED) -> None:
        self.name = f"super-shingles n={n} k={groups} s={group_size}"
        self.n, self.groups = n, groups
        self.threshold = agreeing / groups
        self.thresholds = tuple(equal / groups for equal in range(1, groups + 1))
        self._permutations = seeds(groups * group_size, seed)

    def features(self, documents: Documents) -> Features:
        """Returns the k super-shingles; documents without n-grams have none."""
        ngrams, _ = documents.ngrams(self.n)
        return columns_as_features(super_shingles(minima(ngrams, self._permutations), self.groups), ngrams.sizes > 0)

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the share of equal super-shingles."""
        return np.asarray(shared / self.groups, np.float64)


def super_shingles(sketches: Keys, groups: int) -> Keys:
    """Returns the hashes of `groups` groups of neighbouring columns.

    Args:
        sketches: uint64, shape (documents, groups * group size).
        groups: k.

    Returns:
        uint64, shape (documents, groups).
    """
    return fold(sketches.reshape(len(sketches) * groups, -1)).reshape(len(sketches), groups)
