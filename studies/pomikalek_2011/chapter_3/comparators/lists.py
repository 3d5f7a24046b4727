"""Pugh and Henzinger's lists: distributes a document's words to lists (US patent 7,366,718; Pomikálek 2011, 3.2.3)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features
from corpusprep.reuse.hashing import GOLDEN, Keys, mix64, seeds
from studies.pomikalek_2011.chapter_3.comparators.sketches import columns_as_features

SEED = 2003


class WordLists(FeatureComparator):
    """A hash of each of n lists of a document's words, in their order; the score is the share of lists that agree.

    Without `probability` each word goes to exactly one list. With it, each word goes to each list with that
    probability, by the list's own hash function. A word always goes to the same lists. Empty lists do not count.

    Args:
        lists: n.
        probability: p, or None.
        agreeing: number of lists that must agree; 1 in the patent.
        seed: of the hash functions.
        full: adaptive lists: of a document with more words, words go to a list with a probability that is halved each
            time the length doubles. Documents whose lengths lie on two sides of such a step rarely agree.
    """

    def __init__(
        self,
        lists: int = 8,
        probability: float | None = None,
        agreeing: int = 1,
        seed: int = SEED,
        full: int | None = None,
    ) -> None:
        self.name = f"word lists n={lists}" + (f" p={probability:g}" if probability is not None else "")
        self.name += f" to {full} words" if full is not None else ""
        self.lists, self.probability, self.full = lists, probability, full
        self.threshold = agreeing / lists
        self.thresholds = tuple(sorted({equal / lists for equal in range(1, lists + 1)}))
        self._seeds = seeds(lists, seed)

    def features(self, documents: Documents) -> Features:
        """Returns the hashes of the lists that are not empty."""
        hashes = np.zeros((len(documents), self.lists), np.uint64)
        for number in range(self.lists):
            words = documents.keys.keep(self._taken(documents, number))
            filled = np.flatnonzero(words.sizes)
            ranks = np.arange(len(words.keys)) - np.repeat(words.offsets[:-1], words.sizes)
            # A sum of numbers that depend on word and rank: unlike for a polynomial, no collisions are known.
            placed = mix64(words.keys ^ mix64((ranks.astype(np.uint64) + np.uint64(1)) * GOLDEN))
            if len(filled):
                hashes[filled, number] = np.add.reduceat(placed, words.offsets[filled])
        return _without_zeros(hashes)

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the share of equal lists."""
        return np.asarray(shared / self.lists, np.float64)

    def chosen(self, word_keys: Keys, number: int) -> NDArray[np.bool_]:
        """Returns which words go to a list."""
        if self.probability is None:
            return np.asarray(mix64(word_keys ^ self._seeds[0]) % np.uint64(self.lists) == np.uint64(number))
        return np.asarray(self._places(word_keys, number) < self.probability)

    def _taken(self, documents: Documents, number: int) -> NDArray[np.bool_]:
        """Returns which tokens go to a list, shape (tokens,)."""
        if self.full is None or self.probability is None:
            return self.chosen(documents.word_keys, number)[documents.words]
        doublings = np.ceil(np.log2(np.maximum(documents.sizes, self.full) / self.full))
        places = self._places(documents.word_keys, number)[documents.words]
        return np.asarray(places < (self.probability / 2**doublings)[documents.owners])

    def _places(self, word_keys: Keys, number: int) -> NDArray[np.float64]:
        """Returns a number of 0 to 1 per word, by the hash function of a list."""
        return np.asarray(mix64(word_keys ^ self._seeds[number]) / 2.0**64)


def _without_zeros(hashes: Keys) -> Features:
    """Returns each row's hashes as features of their columns, without 0, the mark of an empty list."""
    features = columns_as_features(hashes, np.ones(len(hashes), np.bool_))
    return features.keep((hashes != 0).ravel())
