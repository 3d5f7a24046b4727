# cython: language_level=3, boundscheck=False, wraparound=False
"""Counts the words of good blocks in many classifications: the binding of native/statistics/context_words.hpp."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "pages/context.hpp" namespace "corpusprep" nogil:
    const uint8_t kGood

cdef extern from "statistics/context_words.hpp" namespace "corpusprep" nogil:
    cdef cppclass CppContextWords "corpusprep::ContextWords":
        CppContextWords(const uint8_t*, size_t, size_t) except +
        void add_page(const uint32_t*, const uint32_t*, size_t) noexcept
        size_t kinds() noexcept
        size_t classifications() noexcept
        uint64_t words(size_t) noexcept


cdef class ContextWords:
    cdef CppContextWords* kernel

    def __cinit__(self, const uint8_t[:, ::1] classes not None):
        if not (classes.shape[0] and classes.shape[1]):
            raise ValueError("there must be a kind of blocks and a classification")
        if np.max(classes) > kGood:
            raise ValueError(f"{np.max(classes)} is not the code of a class")
        self.kernel = new CppContextWords(&classes[0, 0], classes.shape[0], classes.shape[1])

    def __dealloc__(self):
        del self.kernel

    def add(self, const uint32_t[::1] kinds not None, const uint32_t[::1] words not None,
            const int64_t[::1] pages not None):
        cdef Py_ssize_t page, block, count = kinds.shape[0], last = pages.shape[0] - 1
        cdef bint valid = last >= 0 and pages[0] == 0 and pages[last] == count and words.shape[0] == count
        cdef uint64_t total
        for page in range(last):
            valid = valid and pages[page] <= pages[page + 1]
        if not valid:
            raise ValueError(f"offsets of pages must ascend from 0 to the number of blocks, {count}, as for their words")
        for block in range(count):
            if kinds[block] >= self.kernel.kinds():
                raise ValueError(f"a kind must be below {self.kernel.kinds()}, not {kinds[block]}")
        for page in range(last):
            total = 0
            for block in range(pages[page], pages[page + 1]):
                total += words[block]
            if total >> 32:
                raise ValueError(f"a page must have fewer than 2^32 words, not {total}")
        if count == 0:
            return
        with nogil:
            for page in range(last):
                if pages[page + 1] > pages[page]:
                    self.kernel.add_page(&kinds[pages[page]], &words[pages[page]], pages[page + 1] - pages[page])

    def words(self):
        return [self.kernel.words(i) for i in range(self.kernel.classifications())]
