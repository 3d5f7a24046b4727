"""The hashes of native/common/hash.hpp in plain Python."""

import functools

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix64(x: int) -> int:
    """The finaliser of SplitMix64."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


@functools.cache
def word_key(word: bytes) -> int:
    """The key of a word: the hash of its bytes, in little-endian groups of eight."""
    key = mix64((GOLDEN + len(word)) & MASK)
    whole = len(word) // 8 * 8
    for start in range(0, whole, 8):
        key = (mix64(key ^ int.from_bytes(word[start : start + 8], "little")) * GOLDEN) & MASK
    return mix64(key ^ int.from_bytes(word[whole:], "little"))
