# cython: language_level=3
"""Finds sequences of tokens in a vertical: the binding of native/inspection/token_search.hpp."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "<array>" namespace "std" nogil:
    cdef cppclass Bytes256 "std::array<std::uint8_t, 256>":
        uint8_t& operator[](size_t)
    cdef cppclass Words4 "std::array<std::uint64_t, 4>":
        uint64_t* data()


cdef extern from "inspection/token_search.hpp" namespace "corpusprep" nogil:
    cdef cppclass PlaceSet:
        PlaceSet()
        PlaceSet(const Words4&)
    cdef cppclass SearchWays:
        uint32_t bounds
        PlaceSet first
        vector[PlaceSet] next
        PlaceSet last
    cdef cppclass SearchPattern:
        vector[uint8_t] tests
        vector[SearchWays] ways
        vector[string] structures
        uint32_t barriers, inside
        bint longest
    cdef cppclass FoundSequence:
        int64_t document, block, begin, end, first, stop
    cdef cppclass Block "corpusprep::TokenSearch::Block":
        uint32_t document, offset
        size_t first_token
    cdef cppclass CppTokenSearch "corpusprep::TokenSearch":
        CppTokenSearch(SearchPattern, const Bytes256&, const Bytes256&, uint32_t, bint) except +
        void number(string_view) except +
        const vector[string]& fresh()
        void decide(const uint32_t*, size_t) except +
        void match(vector[FoundSequence]&) except +
        uint64_t tokens()
        const vector[Block]& blocks()
        size_t size()
        uint32_t type(size_t)
        size_t types()


cdef PlaceSet places_of(number) except *:
    """The places whose bits a number has; raises OverflowError for more bits than there can be places."""
    cdef bytes little = number.to_bytes(32, "little")
    cdef Words4 words
    memcpy(words.data(), <const char*> little, 32)
    return PlaceSet(words)


cdef class TokenSearch:
    cdef CppTokenSearch* search

    def __cinit__(
        self,
        tests,
        ways,
        bytes first_bytes not None,
        bytes last_bytes not None,
        uint32_t untested,
        bint all_columns,
        structures=(),
        uint32_t barriers=0,
        uint32_t inside=0,
        bint longest=False,
    ):
        cdef SearchPattern pattern
        cdef SearchWays some
        cdef Bytes256 firsts, lasts
        cdef size_t i
        if len(first_bytes) != 256 or len(last_bytes) != 256:
            raise ValueError("first_bytes and last_bytes must have 256 bytes")
        for i in range(256):
            firsts[i], lasts[i] = first_bytes[i], last_bytes[i]
        for test in tests:
            pattern.tests.push_back(test)
        for bounds, first, following, last in ways:
            some.bounds, some.first, some.last = bounds, places_of(first), places_of(last)
            some.next.clear()
            for behind in following:
                some.next.push_back(places_of(behind))
            pattern.ways.push_back(some)
        for name in structures:
            pattern.structures.push_back(name.encode())
        pattern.barriers, pattern.inside, pattern.longest = barriers, inside, longest
        self.search = new CppTokenSearch(pattern, firsts, lasts, untested, all_columns)

    def __dealloc__(self):
        del self.search

    @property
    def tokens(self):
        return self.search.tokens()

    @property
    def types(self):
        return self.search.types()

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
        cdef int64_t[:, ::1] rows = np.empty((found.size(), 6), dtype=np.int64)
        for i in range(found.size()):
            rows[i, 0], rows[i, 1] = found[i].document, found[i].block
            rows[i, 2], rows[i, 3] = found[i].begin, found[i].end
            rows[i, 4], rows[i, 5] = found[i].first, found[i].stop
        return np.asarray(rows)

    def blocks(self):
        cdef const vector[Block]* blocks = &self.search.blocks()
        cdef int64_t[:, ::1] rows = np.empty((blocks.size(), 3), dtype=np.int64)
        cdef size_t i
        for i in range(blocks.size()):
            rows[i, 0], rows[i, 1] = blocks[0][i].document, blocks[0][i].offset
            rows[i, 2] = <int64_t> blocks[0][i].first_token
        return np.asarray(rows)

    def numbers(self):
        cdef size_t count = self.search.size(), i
        cdef uint32_t[::1] numbers = np.empty(count, dtype=np.uint32)
        with nogil:
            for i in range(count):
                numbers[i] = self.search.type(i)
        return np.asarray(numbers)
