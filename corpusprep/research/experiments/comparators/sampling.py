"""Fingerprints of sampled n-grams: modular sampling (Manber 1994) and the lowest hashes (Heintze 1996).

"Finding similar files in a large file system" and "Scalable document fingerprinting"; Pomikálek 2011, 3.2.4.

Both papers take substrings of bytes or letters; these take n-grams of words, as do all comparators here.
"""

import numpy as np
from numpy.typing import NDArray

from corpusprep.research.experiments.comparators.interface import FeatureComparator
from corpusprep.research.experiments.comparators.sketches import smallest
from corpusprep.research.experiments.documents import Documents, Features, as_sets


class ModularSampling(FeatureComparator):
    """The n-grams whose hash is 0 modulo 2^bits; the score is the resemblance of these (Broder's MOD_m, 1997).

    A long document may hold none of them, and is then never found.

    Args:
        n: words in an n-gram; Manber's 50 bytes are some 9 words.
        bits: low bits of the hash that must be 0. One word in 32 starts in some 200 bytes, which is as near to
            Manber's one substring in 256 bytes as a power of two comes.
        threshold: of the resemblance.
    """

    def __init__(self, n: int = 10, bits: int = 5, threshold: float = 0.5) -> None:
        self.name = f"modular sampling n={n} p={1 << bits}"
        self.n, self.threshold = n, threshold
        self._mask = np.uint64((1 << bits) - 1)

    def features(self, documents: Documents) -> Features:
        """The distinct n-grams that are sampled."""
        ngrams, _ = documents.ngrams(self.n)
        return as_sets(ngrams.keep((ngrams.keys & self._mask) == 0))


class LowestHashes(FeatureComparator):
    """The lowest hashes of each document; the score is the share of them that both documents have (Heintze).

    Args:
        n: words in an n-gram.
        size: hashes kept of a document; Heintze's 100.
        threshold: of the share.
    """

    def __init__(self, n: int = 10, size: int = 100, threshold: float = 0.5) -> None:
        self.name = f"lowest hashes n={n} of {size}"
        self.n, self.size, self.threshold = n, size, threshold

    def features(self, documents: Documents) -> Features:
        """The lowest distinct n-grams, at most `size`."""
        return smallest(documents.ngrams(self.n)[0], self.size)

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of the longer fingerprint, the share that both hold."""
        return np.asarray(shared / np.maximum(one, other), np.float64)
