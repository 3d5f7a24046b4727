# cython: language_level=3, boundscheck=False, wraparound=False
"""Counts the words of good blocks in many classifications: the binding of native/statistics/context_words.hpp."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "pages/context.hpp" namespace "corpusprep" nogil:
    const uint8_t kGood

cdef extern from "statistics/context_words.hpp" namespace "corpusprep" nogil:
    cdef cppclass CppContextWords "corpusprep::ContextWords":
        CppContextWords(const uint8_t*, size_t, size_t) except +
        void add_page(const uint32_t*, const uint32_t*, size_t) noexcept
        size_t kinds() noexcept
        size_t classifications() noexcept
        uint64_t words(size_t) noexcept

    cdef cppclass CppBlockKinds "corpusprep::BlockKinds":
        CppBlockKinds(vector[double], vector[double], vector[double], vector[uint32_t]) except +
        uint32_t of(bint, double, double, double) noexcept


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


cdef class BlockKinds:
    cdef CppBlockKinds* kernel

    def __cinit__(self, link_densities not None, words not None, stopword_densities not None, kinds not None):
        axes = link_densities, words, stopword_densities
        if any((np.diff(axis) < 0).any() for axis in axes):
            raise ValueError("thresholds must ascend")
        places = 2 * np.prod([len(axis) + 1 for axis in axes])
        if len(kinds) != places:
            raise ValueError(f"there must be {places} kinds for these thresholds, not {len(kinds)}")
        self.kernel = new CppBlockKinds(link_densities, words, stopword_densities, kinds)

    def __dealloc__(self):
        del self.kernel

    def runs(self, const uint8_t[::1] bad not None, const double[::1] link_densities not None,
             const int64_t[::1] words not None, const double[::1] stopword_densities not None,
             const int64_t[::1] counted not None, const int64_t[::1] pages not None):
        cdef Py_ssize_t block, page = 0, run = -1, count = bad.shape[0], last = pages.shape[0] - 1
        cdef uint32_t kind
        cdef bint fits = last >= 0 and pages[0] == 0 and pages[last] == count
        fits = fits and link_densities.shape[0] == words.shape[0] == stopword_densities.shape[0] == count
        fits = fits and counted.shape[0] == count
        for page in range(last):
            fits = fits and pages[page] <= pages[page + 1]
        if not fits:
            raise ValueError(f"offsets of pages must ascend from 0 to the number of blocks, {count}, as all measures")
        kinds, sums = np.empty(count, np.uint32), np.zeros(count, np.int64)
        starts = np.empty(pages.shape[0], np.int64)
        cdef uint32_t[::1] kind_of = kinds
        cdef int64_t[::1] sum_of = sums, start_of = starts
        with nogil:
            for page in range(last):
                start_of[page] = run + 1
                for block in range(pages[page], pages[page + 1]):
                    kind = self.kernel.of(bad[block], link_densities[block], <double> words[block],
                                          stopword_densities[block])
                    if run < start_of[page] or kind_of[run] != kind:
                        run += 1
                        kind_of[run] = kind
                    sum_of[run] += counted[block]
            start_of[last] = run + 1
        return kinds[:run + 1], sums[:run + 1], starts
