"""Plans the chunks in which a batch's n-grams are matched against all duplicate n-grams, with or without a filter."""

import math
from dataclasses import dataclass

from corpusprep._native import blocks as kernel

SMALLEST_CHUNK = 1 << 18  # n-grams; the keys are read once per chunk, so smaller chunks would only be slower
DUPLICATES = 0.07  # estimated share of duplicates among n-grams; only speed depends on it
NGRAM_COST = 20  # cost of sorting an n-gram and finding its key, in units of reading one key


@dataclass(frozen=True, slots=True)
class MatchChunks:
    """Sizes for kernel.Matcher.

    Attributes:
        ngrams: n-grams per chunk.
        parts: estimated number of chunks.
        store: bytes of records in memory.
        filter_bytes: bytes of the filter of keys, 0 without a filter.
    """

    ngrams: int
    parts: int
    store: int
    filter_bytes: int

    @property
    def readings(self) -> int:
        """Number of times that all keys are read."""
        return self.parts + bool(self.filter_bytes)


def least_memory() -> int:
    """Returns the bytes of the smallest chunk, with the records of its documents."""
    return SMALLEST_CHUNK * kernel.BYTES_PER_NGRAM * 8 // 7


def match_chunks(free: int, keys: int, ngrams: int) -> MatchChunks:
    """Returns sizes for matching `ngrams` n-grams against `keys` keys in `free` bytes, least_memory() or more.

    With a filter, most n-grams need not be sorted, so there are fewer chunks. But it reads all keys once more, which is
    too slow for a small batch of a large corpus.
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
    # All keys are read once per chunk; reading a key costs about 1/8 of the first access to an n-gram's memory.
    fastest = math.isqrt(keys * matched // 8)
    chunk = min((left - store) // kernel.BYTES_PER_NGRAM, fastest, kernel.MOST_NGRAMS)
    chunk = max(SMALLEST_CHUNK, chunk)
    return MatchChunks(chunk, max(1, math.ceil(matched / chunk)), store, filter_bytes)


def _passing(keys: int, filter_bytes: int) -> float:
    """Returns the share of n-grams that a filter passes: duplicates, and others by the share of set bits."""
    return min(1.0, DUPLICATES + keys / (8 * filter_bytes)) if filter_bytes else 1.0
