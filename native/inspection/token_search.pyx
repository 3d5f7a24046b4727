# cython: language_level=3
"""Finds sequences of tokens in a vertical: the binding of native/inspection/token_search.hpp."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "<array>" namespace "std" nogil:
    cdef cppclass Bytes256 "std::array<std::uint8_t, 256>":
        uint8_t& operator[](size_t)


cdef extern from "inspection/token_search.hpp" namespace "corpusprep" nogil:
    cdef cppclass SearchElement:
        uint32_t least
        uint32_t most
    cdef cppclass FoundSequence:
        int64_t document, block, begin, end
    cdef cppclass CppTokenSearch "corpusprep::TokenSearch":
        CppTokenSearch(vector[SearchElement], const Bytes256&, const Bytes256&, uint32_t, bint) except +
        void number(string_view) except +
        const vector[string]& fresh()
        void decide(const uint32_t*, size_t) except +
        void match(vector[FoundSequence]&) except +
        uint64_t tokens()


cdef class TokenSearch:
    cdef CppTokenSearch* search

    def __cinit__(self, elements, bytes first_bytes not None, bytes last_bytes not None, uint32_t untested, bint all_columns):
        cdef vector[SearchElement] given
        cdef SearchElement element
        cdef Bytes256 firsts, lasts
        cdef size_t i
        if len(first_bytes) != 256 or len(last_bytes) != 256:
            raise ValueError("first_bytes and last_bytes must have 256 bytes")
        for i in range(256):
            firsts[i], lasts[i] = first_bytes[i], last_bytes[i]
        for least, most in elements:
            element.least, element.most = least, most
            given.push_back(element)
        self.search = new CppTokenSearch(given, firsts, lasts, untested, all_columns)

    def __dealloc__(self):
        del self.search

    @property
    def tokens(self):
        return self.search.tokens()

    def find(self, bytes piece not None, decide):
        cdef string_view view = string_view(<const char*> piece, len(piece))
        cdef vector[FoundSequence] found
        cdef uint32_t[::1] bits
        cdef size_t count, i
        with nogil:
            self.search.number(view)
        count = self.search.fresh().size()
        if count:
            bits = np.ascontiguousarray(decide([self.search.fresh()[i] for i in range(count)]), dtype=np.uint32)
            if <size_t> bits.shape[0] != count:
                raise ValueError("not as many decisions as types")
            self.search.decide(&bits[0], count)
        with nogil:
            self.search.match(found)
        cdef int64_t[:, ::1] rows = np.empty((found.size(), 4), dtype=np.int64)
        for i in range(found.size()):
            rows[i, 0], rows[i, 1] = found[i].document, found[i].block
            rows[i, 2], rows[i, 3] = found[i].begin, found[i].end
        return np.asarray(rows)
