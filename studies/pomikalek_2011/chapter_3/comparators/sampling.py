"""Fingerprints of sampled n-grams: modular sampling (Manber 1994), lowest hashes and rarest prefixes (Heintze 1996).

"Finding similar files in a large file system" and "Scalable document fingerprinting"; Pomikálek 2011, 3.2.4.

Both papers use substrings of bytes or letters. Here n-grams of words are used, as in all comparators.
"""

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features, as_sets
from studies.pomikalek_2011.chapter_3.comparators.sketches import smallest


class ModularSampling(FeatureComparator):
    """Keeps the n-grams whose hash is 0 modulo 2^bits; the score is their resemblance (Broder's MOD_m, 1997).

    Even a long document may have no such n-gram. Then it is never found.

    Args:
        n: words in an n-gram; Manber's 50 bytes are about 9 words.
        bits: low bits of the hash that must be 0. 32 words are about 200 bytes, so one n-gram in 32 is the power of two
            nearest to Manber's one substring in 256 bytes.
        threshold: of the resemblance.
    """

    def __init__(self, n: int = 10, bits: int = 5, threshold: float = 0.5) -> None:
        self.name = f"modular sampling n={n} p={1 << bits}"
        self.n, self.threshold = n, threshold
        self._mask = np.uint64((1 << bits) - 1)

    def features(self, documents: Documents) -> Features:
        """Returns the distinct sampled n-grams."""
        ngrams, _ = documents.ngrams(self.n)
        return as_sets(ngrams.keep((ngrams.keys & self._mask) == 0))


class LowestHashes(FeatureComparator):
    """Keeps the lowest hashes of each document; the score is the share of them in both documents (Heintze).

    Args:
        n: words in an n-gram.
        size: hashes per document; 100 in Heintze's paper.
        threshold: of the share.
    """

    def __init__(self, n: int = 10, size: int = 100, threshold: float = 0.5) -> None:
        self.name = f"lowest hashes n={n} of {size}"
        self.n, self.size, self.threshold = n, size, threshold

    def features(self, documents: Documents) -> Features:
        """Returns the lowest distinct n-grams, at most `size`."""
        return smallest(documents.ngrams(self.n)[0], self.size)

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the share of the longer fingerprint that occurs in both."""
        return np.asarray(shared / np.maximum(one, other), np.float64)


class RarestPrefixes(LowestHashes):
    """Keeps the n-grams of each document whose first word is rarest in the collection; ties by hash (Heintze).

    Rare n-grams seldom agree by chance. Heintze took the first five letters of a substring. The score is that of
    LowestHashes.

    Args:
        n: words in an n-gram.
        size: n-grams per document.
        threshold: of the score.
    """

    def __init__(self, n: int = 10, size: int = 100, threshold: float = 0.5) -> None:
        super().__init__(n, size, threshold)
        self.name = f"rarest prefixes n={n} of {size}"

    def features(self, documents: Documents) -> Features:
        """Returns the distinct n-grams with the rarest first words, at most `size` per document."""
        ngrams, starts = documents.ngrams(self.n)
        counts = np.bincount(documents.words, minlength=len(documents.lexicon))[documents.words[starts]]
        order = np.lexsort((ngrams.keys, counts, ngrams.owners))
        keys, owners = ngrams.keys[order], ngrams.owners[order]
        # Equal n-grams have equal first words, so they are neighbours.
        first = np.ones(len(keys), np.bool_)
        first[1:] = (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1])
        distinct = Features(keys, ngrams.offsets).keep(first)
        places = np.arange(len(distinct.keys)) - np.repeat(distinct.offsets[:-1], distinct.sizes)
        return as_sets(distinct.keep(places < self.size))
