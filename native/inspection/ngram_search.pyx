# cython: language_level=3
"""Finds given n-grams in a vertical: the binding of native/inspection/ngram_search.hpp."""

import numpy as np

from libc.stdint cimport uint32_t, uint64_t
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "inspection/ngram_search.hpp" namespace "corpusprep" nogil:
    cdef cppclass FoundNgram:
        uint32_t document, first_block, last_block, key
    cdef cppclass CppNgramSearch "corpusprep::NgramSearch":
        CppNgramSearch(size_t, const vector[uint64_t]&, bint, const vector[string]&) except +
        void feed(string_view, vector[FoundNgram]&) except +


cdef class NgramSearch:
    cdef CppNgramSearch* search

    def __cinit__(self, size_t n, keys, bint count_punctuation, stop_words):
        cdef vector[uint64_t] given = keys
        cdef vector[string] words = [word.encode() for word in stop_words]
        self.search = new CppNgramSearch(n, given, count_punctuation, words)

    def __dealloc__(self):
        del self.search

    def feed(self, bytes chunk not None):
        cdef string_view view = string_view(<const char*> chunk, len(chunk))
        cdef vector[FoundNgram] found
        cdef size_t i
        with nogil:
            self.search.feed(view, found)
        cdef uint32_t[:, ::1] rows = np.empty((found.size(), 4), dtype=np.uint32)
        for i in range(found.size()):
            rows[i, 0], rows[i, 1] = found[i].document, found[i].first_block
            rows[i, 2], rows[i, 3] = found[i].last_block, found[i].key
        return np.asarray(rows)
