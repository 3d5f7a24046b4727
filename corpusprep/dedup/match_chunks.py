"""How a batch's n-grams are matched against all duplicate ones: in chunks that fit the memory, filtered or not."""

import math
from dataclasses import dataclass

from corpusprep._native import blocks as kernel

SMALLEST_CHUNK = 1 << 18  # n-grams; the keys are read once a chunk, so smaller ones would only be slow
DUPLICATES = 0.07  # of n-grams; 93 in 100 or more are unique. Nothing but speed hangs on it
NGRAM_COST = 20  # of sorting an n-gram and finding its key: of reading so many keys


@dataclass(frozen=True, slots=True)
class MatchChunks:
    """Sizes for kernel.Matcher.

    Attributes:
        ngrams: of a chunk.
        parts: chunks, as far as it can be known.
        store: bytes of records held at once.
        filter_bytes: of the filter of keys, 0 without one.
    """

    ngrams: int
    parts: int
    store: int
    filter_bytes: int

    @property
    def readings(self) -> int:
        """How often all keys are read."""
        return self.parts + bool(self.filter_bytes)


def least_memory() -> int:
    """Bytes that the smallest chunk takes, with the records of its documents."""
    return SMALLEST_CHUNK * kernel.BYTES_PER_NGRAM * 8 // 7


def match_chunks(free: int, keys: int, ngrams: int) -> MatchChunks:
    """Sizes for `ngrams` n-grams against `keys` keys in `free` bytes, least_memory() or more.

    A filter spares sorting most n-grams, so fewer chunks do; but it is one more reading of the keys, which a small
    batch of a large corpus does not pay back.
    """
    filters = {0, kernel.filter_bytes(keys, (free - least_memory()) // 2)}
    choices = {filter_bytes: _with_filter(free, keys, ngrams, filter_bytes) for filter_bytes in sorted(filters)}

    def cost(filter_bytes: int) -> float:
        return choices[filter_bytes].readings * keys + NGRAM_COST * ngrams * _passing(keys, filter_bytes)

    return choices[min(choices, key=cost)]


def _with_filter(free: int, keys: int, ngrams: int, filter_bytes: int) -> MatchChunks:
    left = free - filter_bytes
    store = left // 8
    matched = math.ceil(ngrams * _passing(keys, filter_bytes))
    # All keys are read once a chunk, at about an eighth of what it costs to touch the memory of an n-gram first.
    fastest = math.isqrt(keys * matched // 8)
    chunk = min((left - store) // kernel.BYTES_PER_NGRAM, fastest, kernel.MOST_NGRAMS)
    chunk = max(SMALLEST_CHUNK, chunk)
    return MatchChunks(chunk, max(1, math.ceil(matched / chunk)), store, filter_bytes)


def _passing(keys: int, filter_bytes: int) -> float:
    """The share of n-grams that a filter passes: duplicates, and others as many as it has bits set."""
    return min(1.0, DUPLICATES + keys / (8 * filter_bytes)) if filter_bytes else 1.0
