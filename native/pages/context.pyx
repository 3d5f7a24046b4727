# cython: language_level=3, boundscheck=False, wraparound=False
"""Context-sensitive classification (native/pages/context.hpp)."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t


cdef extern from "pages/context.hpp" namespace "corpusprep" nogil:
    void classify "corpusprep::classify_context"(const uint8_t*, size_t, uint8_t*) noexcept


def classify_context(const uint8_t[::1] classes, const int64_t[::1] offsets):
    cdef Py_ssize_t page
    result = np.empty(classes.shape[0], dtype=np.uint8)
    cdef uint8_t[::1] good = result
    if classes.shape[0] == 0:
        return result
    with nogil:
        for page in range(offsets.shape[0] - 1):
            if offsets[page + 1] > offsets[page]:
                classify(&classes[offsets[page]], offsets[page + 1] - offsets[page], &good[offsets[page]])
    return result
