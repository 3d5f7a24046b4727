# cython: language_level=3, boundscheck=False, wraparound=False
"""Word alignment of two texts (native/research/alignment.hpp)."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector


cdef extern from "research/alignment.hpp" namespace "corpusprep" nogil:
    cdef struct MatchingBlock:
        int64_t text
        int64_t gold
        int64_t length

    vector[MatchingBlock] c_matching_blocks "corpusprep::matching_blocks"(
        const int32_t*, size_t, const int32_t*, size_t, size_t, cbool
    ) except +


def matching_blocks(const int32_t[::1] text, const int32_t[::1] gold, size_t words, cbool popular):
    cdef vector[MatchingBlock] blocks
    cdef size_t i
    if text.shape[0] and gold.shape[0]:
        with nogil:
            blocks = c_matching_blocks(&text[0], text.shape[0], &gold[0], gold.shape[0], words, popular)
    result = np.empty((blocks.size(), 3), dtype=np.int64)
    cdef int64_t[:, ::1] rows = result
    for i in range(blocks.size()):
        rows[i, 0] = blocks[i].text
        rows[i, 1] = blocks[i].gold
        rows[i, 2] = blocks[i].length
    return result
