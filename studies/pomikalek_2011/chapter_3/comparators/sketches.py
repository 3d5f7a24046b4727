"""Broder's sketches: estimates resemblance from samples of n-grams (Pomikálek 2011, 3.2.1).

Broder 1997, "On the resemblance and containment of documents"; Broder 2000, "Identifying and filtering near-duplicate
documents".
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator, FoundPairs, PairScore, above
from corpusprep.reuse.documents import Documents, Features, as_sets, offsets_of
from corpusprep.reuse.hashing import CHUNK, GOLDEN, Keys, mix64, seeds
from corpusprep.reuse.postings import sharing

SEED = 1997
#: Pairs whose sketches are merged at once.
_PAIRS_AT_ONCE = 1 << 12


def minima(features: Features, permutations: Keys) -> Keys:
    """Returns the lowest key of each document under each permutation x -> mix64(x ^ permutation).

    Mixing is a permutation of the 64-bit numbers. A family of min-wise independent permutations would be exponentially
    large (Broder, Charikar, Frieze and Mitzenmacher 1998). These are independent as far as mix64's output looks random.

    Returns:
        uint64, shape (documents, permutations); the row of a document without features is 2^64 - 1.
    """
    lowest = np.full((len(features), len(permutations)), ~np.uint64(0))
    filled = np.flatnonzero(features.sizes)
    starts = features.offsets[filled]
    first = 0
    while first < len(filled):
        begin = starts[first]
        last = max(first + 1, int(np.searchsorted(features.offsets[filled + 1], begin + CHUNK, side="right")))
        keys = features.keys[begin : features.offsets[filled[last - 1] + 1]]
        inner = starts[first:last] - begin
        for place, permutation in enumerate(permutations):
            lowest[filled[first:last], place] = np.minimum.reduceat(mix64(keys ^ permutation), inner)
        first = last
    return lowest


def columns_as_features(columns: Keys, filled: NDArray[np.bool_]) -> Features:
    """Returns rows of numbers as sets of features; features of different columns are never equal.

    Args:
        columns: uint64, shape (documents, columns).
        filled: bool, shape (documents,): documents that have features at all.
    """
    places = np.arange(1, columns.shape[1] + 1, dtype=np.uint64) * GOLDEN
    return Features(mix64(columns[filled] + places).ravel(), offsets_of(filled * columns.shape[1]))


class MinwiseSketches(FeatureComparator):
    """Keeps the lowest n-gram under each of t permutations; the score is the share of equal ones.

    Args:
        n: words in an n-gram.
        permutations: t.
        threshold: of the estimated resemblance (0.5 in figure 3.1).
        seed: of the permutations.
    """

    def __init__(self, n: int = 10, permutations: int = 100, threshold: float = 0.5, seed: int = SEED) -> None:
        self.name = f"min-wise sketches n={n} t={permutations}"
        self.n, self.threshold = n, threshold
        self._permutations = seeds(permutations, seed)

    def features(self, documents: Documents) -> Features:
        """Returns the t minima; documents without n-grams have none."""
        ngrams, _ = documents.ngrams(self.n)
        return columns_as_features(minima(ngrams, self._permutations), ngrams.sizes > 0)

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the share of equal minima."""
        return np.asarray(shared / len(self._permutations), np.float64)


class SmallestSketches(FeatureComparator):
    """Keeps the s lowest n-grams under one permutation: Broder's MIN_s (1997).

    The score is an unbiased estimate of the resemblance: of the s lowest n-grams of the two documents together, the
    share that occurs in both sketches.

    Args:
        n: words in an n-gram.
        size: s.
        threshold: of the resemblance.
        seed: of the permutation.
    """

    def __init__(self, n: int = 10, size: int = 100, threshold: float = 0.5, seed: int = SEED) -> None:
        self.name = f"smallest sketches n={n} s={size}"
        self.n, self.size, self.threshold = n, size, threshold
        self._permutation = seeds(1, seed)[0]

    def features(self, documents: Documents) -> Features:
        """Returns the s lowest distinct n-grams, ascending."""
        ngrams, _ = documents.ngrams(self.n)
        return smallest(Features(mix64(ngrams.keys ^ self._permutation), ngrams.offsets), self.size)

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs whose sketches share an n-gram and whose score reaches `threshold` (None: the default)."""
        lowest = self.threshold if threshold is None else threshold
        features = self.features(documents)

        def scored() -> Iterator[PairScore]:
            for document, others, shared in sharing(features):
                # The estimate uses at least this many n-grams of both, so the score is at most shared / compared.
                compared = np.minimum(self.size, np.maximum(features.sizes[document], features.sizes[others]))
                possible = others[shared >= lowest * compared]
                for start in range(0, len(possible), _PAIRS_AT_ONCE):
                    part = possible[start : start + _PAIRS_AT_ONCE]
                    yield PairScore(document, part, self._estimates(features, document, part))

        return FoundPairs(above(scored(), lowest), self.stored(features))

    def _estimates(self, sketches: Features, document: int, others: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the share of the s lowest n-grams of the union of two sketches that occur in both."""
        last = ~np.uint64(0)  # stands for no n-gram
        merged = np.full((len(others), 2 * self.size), last)
        own = sketches.keys[sketches.offsets[document] : sketches.offsets[document + 1]]
        merged[:, : len(own)] = own
        for row, other in enumerate(others.tolist()):
            other_keys = sketches.keys[sketches.offsets[other] : sketches.offsets[other + 1]]
            merged[row, self.size : self.size + len(other_keys)] = other_keys
        merged.sort(axis=1)
        there = merged != last
        repeated = np.zeros_like(there)
        repeated[:, 1:] = there[:, 1:] & (merged[:, 1:] == merged[:, :-1])
        distinct = np.cumsum(there & ~repeated, axis=1)
        smallest = distinct <= self.size
        of_both = np.count_nonzero(repeated & smallest, axis=1)
        return np.asarray(of_both / np.minimum(distinct[:, -1], self.size), np.float64)


def smallest(features: Features, size: int) -> Features:
    """Returns the `size` lowest distinct features of each document, ascending."""
    sets = as_sets(features)
    ranks = np.arange(len(sets.keys)) - np.repeat(sets.offsets[:-1], sets.sizes)
    return sets.keep(ranks < size)
