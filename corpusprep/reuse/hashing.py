"""Computes the hashes of the kernels' hash.hpp for whole arrays.

They depend only on the words' bytes, so that results do not depend on the run or the machine.
"""

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

#: An odd number with irregular bits: multiplication by it is a bijection that spreads numbers close to each other.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_NGRAM_SEED = np.uint64(0x2545F4914F6CDD1D)
#: Keys processed at once: 512 kB, which fit into a processor's cache.
CHUNK = 1 << 16


def mix64(values: Keys) -> Keys:
    """Applies hash.hpp's mix64, the finaliser of SplitMix64 (Steele, Lea and Flood 2014), a permutation."""
    mixed = values ^ (values >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def seeds(count: int, seed: int) -> Keys:
    """Returns `count` pseudo-random numbers; each makes mix64(key ^ number) another permutation.

    Returns:
        uint64, shape (count,).
    """
    places = np.arange(1, count + 1, dtype=np.uint64)
    return mix64(mix64(np.full(count, seed, np.uint64) + GOLDEN) + places * GOLDEN)


def fold(columns: Keys) -> Keys:
    """Returns the key of each row, hash.hpp's ngram_key of its cells; their order counts.

    Args:
        columns: uint64, shape (rows, n).

    Returns:
        uint64, shape (rows,).
    """
    keys = np.full(len(columns), _NGRAM_SEED, np.uint64)
    for column in columns.T:
        keys = mix64((keys + column) * GOLDEN)
    return keys


def ngram_keys(word_keys: Keys, n: int) -> Keys:
    """Returns hash.hpp's ngram_key of the n words from each position on.

    Args:
        word_keys: uint64, shape (words,).
        n: 1 or more.

    Returns:
        uint64, shape (words - n + 1,), or (0,) if there are fewer than n words.
    """
    count = max(len(word_keys) - n + 1, 0)
    keys = np.full(count, _NGRAM_SEED, np.uint64)
    for start in range(0, count, CHUNK):
        part = keys[start : start + CHUNK]
        for place in range(start, start + n):
            part[:] = mix64((part + word_keys[place : place + len(part)]) * GOLDEN)
    return keys
