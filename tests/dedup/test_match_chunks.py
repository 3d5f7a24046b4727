"""Chunks of n-grams and the filter, depending on the memory."""

import pytest

from corpusprep._native import blocks as kernel
from corpusprep.dedup.match_chunks import SMALLEST_CHUNK, least_memory, match_chunks

GIGABYTE = 1 << 30


@pytest.mark.parametrize("keys", [0, 1, 1000, 10**7, 10**9, 10**12])
@pytest.mark.parametrize("ngrams", [0, 1000, 10**7, 10**9])
@pytest.mark.parametrize("free", [least_memory(), 100 << 20, GIGABYTE, 1 << 40])
def test_chunk_records_and_filter_fit_the_memory(free: int, keys: int, ngrams: int) -> None:
    """Chunks fit the memory for any corpus and batch, and have a minimum size."""
    chunks = match_chunks(free, keys, ngrams)
    assert chunks.ngrams * kernel.BYTES_PER_NGRAM + chunks.store + chunks.filter_bytes <= free
    assert SMALLEST_CHUNK <= chunks.ngrams <= kernel.MOST_NGRAMS
    assert chunks.parts >= 1


def test_a_filter_is_used_where_it_spares_more_than_it_costs() -> None:
    """There is no filter for a small batch of a large corpus, or if the memory is too little for a useful one."""
    assert match_chunks(GIGABYTE, 10**6, 10**7).filter_bytes == 1 << 21
    assert match_chunks(GIGABYTE, 10**9, 10**6).filter_bytes == 0
    assert match_chunks(GIGABYTE, 10**8, 10**9).readings < 10
    assert match_chunks(100 << 20, 10**10, 10**9).filter_bytes == 0
