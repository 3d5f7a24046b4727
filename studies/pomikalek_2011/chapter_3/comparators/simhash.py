"""Charikar's simhash (Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3).

With the settings of Henzinger 2006 and of Manku, Jain and Das Sarma 2007; Pomikálek 2011, 3.2.2.
"""

import math
from collections.abc import Iterator

import numpy as np

from corpusprep.reuse.comparator import FoundPairs, PairScore
from corpusprep.reuse.documents import Documents, Features
from corpusprep.reuse.hashing import Keys, mix64, seeds
from studies.pomikalek_2011.chapter_3.comparators import hamming

SEED = 2002


class Simhash:
    """Bit strings that are similar for similar vectors; the score is the share of equal bits.

    A document is the vector of its word or n-gram frequencies. Empty documents have no fingerprint.

    Args:
        bits: b, a multiple of 64. Henzinger used 384 (48 bytes), Manku 64.
        distance: most bits in which duplicates differ. Henzinger: 12 of 384, Manku: 3 of 64.
        n: words in an n-gram; 1 for words.
        tables: groups of bits at each level of Manku's tables; empty for Henzinger's groups. The tables find distances
            up to `distance`; Henzinger's groups are used for greater ones.
        seed: of the projections.
    """

    def __init__(
        self, bits: int = 64, distance: int = 3, n: int = 1, tables: tuple[int, ...] = (4, 4), seed: int = SEED
    ) -> None:
        self.name = f"simhash n={n} b={bits}"
        self.bits, self.distance, self.n, self.tables = bits, distance, n, tables
        self.threshold = 1 - distance / bits
        steps = range(bits // 2, -1, -max(bits // 64, 1))
        self.thresholds = tuple(sorted({1 - step / bits for step in steps} | {self.threshold}))
        self._seeds = seeds(bits // 64, seed)

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs whose share of equal bits reaches `threshold` (None: the share of `distance`).

        Raises:
            ValueError: the threshold is 0 or less.
        """
        lowest = self.threshold if threshold is None else threshold
        if lowest <= 0:
            raise ValueError("a threshold of 0 or less would find all pairs; use a higher one")
        features = documents.ngrams(self.n)[0]
        filled = np.flatnonzero(features.sizes)
        fingerprints = simhashes(features, self._seeds)[filled]
        distance = math.floor((1 - lowest) * self.bits + 1e-6)
        probes = hamming.group_probes(self.bits, distance)
        stored = fingerprints.nbytes
        if self.tables and distance <= self.distance:
            probes = hamming.table_probes(self.bits, self.distance, self.tables)
            stored *= len(probes)

        def scored() -> Iterator[PairScore]:
            for row, others, apart in hamming.near(fingerprints, distance, probes):
                yield PairScore(int(filled[row]), filled[others], 1 - apart / self.bits)

        return FoundPairs(scored(), stored)


def simhashes(features: Features, projections: Keys) -> Keys:
    """Returns the fingerprints of documents, from the frequencies of their features.

    Bit j is 1 if the signed sum of the features' frequencies is not negative. Bit j of a feature's random vector gives
    its sign.

    Args:
        features: features of the documents, with repetition.
        projections: uint64; each gives the 64 bits of mix64(feature ^ projection).

    Returns:
        uint64, shape (documents, projections); all bits are 1 where there are no features.
    """
    order = np.lexsort((features.keys, features.owners))
    keys, owners = features.keys[order], features.owners[order]
    starts = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1])]))
    starts = starts[: len(keys)]
    frequencies = np.diff(starts, append=len(keys))
    keys, owners = keys[starts], owners[starts]
    filled = np.flatnonzero(features.sizes)
    firsts = np.searchsorted(owners, filled)
    fingerprints = np.full((len(features), len(projections)), ~np.uint64(0))
    for column, projection in enumerate(projections):
        vectors = mix64(keys ^ projection)
        bits = np.zeros(len(filled), np.uint64)
        for place in range(64):
            signs = ((vectors >> np.uint64(place)) & np.uint64(1)).astype(np.int64) * 2 - 1
            sums = np.add.reduceat(signs * frequencies, firsts) if len(filled) else firsts
            bits |= (sums >= 0).astype(np.uint64) << np.uint64(place)
        fingerprints[filled, column] = bits
    return fingerprints
