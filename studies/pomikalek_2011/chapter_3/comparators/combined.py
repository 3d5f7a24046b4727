"""Henzinger's combination: super-shingles, filtered by simhashes (Henzinger 2006; Pomikálek 2011, 3.2.5).

"Finding near-duplicate Web pages: a large-scale evaluation of algorithms", section 5.
"""

from collections.abc import Iterator

import numpy as np

from corpusprep.reuse.comparator import FoundPairs, PairScore
from corpusprep.reuse.documents import Documents
from corpusprep.reuse.hashing import seeds
from studies.pomikalek_2011.chapter_3.comparators.simhash import SEED, simhashes
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import SuperShingles


class FilteredSuperShingles:
    """Finds pairs by super-shingles, and keeps those whose simhashes agree in enough bits.

    The score is the super-shingles' score.

    Args:
        bits: of the simhashes of words, a multiple of 64; 384 in Henzinger's paper.
        agreeing: the least number of equal bits; 355 in Henzinger's paper.
        n: words in an n-gram of the super-shingles.
    """

    def __init__(self, bits: int = 384, agreeing: int = 355, n: int = 10) -> None:
        self._super_shingles = SuperShingles(n)
        self.name = f"{self._super_shingles.name}, simhash b={bits} from {agreeing}"
        self.threshold, self.thresholds = self._super_shingles.threshold, self._super_shingles.thresholds
        self._bits, self._agreeing = bits, agreeing
        self._seeds = seeds(bits // 64, SEED)

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs whose share of equal super-shingles reaches `threshold` (None: 2 of 6), and filters them."""
        pairs = self._super_shingles.find(documents, threshold)
        fingerprints = simhashes(documents.ngrams(1)[0], self._seeds)

        def kept() -> Iterator[PairScore]:
            for document, others, scores, _ in pairs.rows:
                apart = np.bitwise_count(fingerprints[others] ^ fingerprints[document]).sum(axis=1, dtype=np.int64)
                near = self._bits - apart >= self._agreeing
                if near.any():
                    yield PairScore(document, others[near], scores[near])

        return FoundPairs(kept(), pairs.stored + fingerprints.nbytes)
