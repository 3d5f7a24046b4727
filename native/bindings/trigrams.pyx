# cython: language_level=3
"""Scoring texts by character trigrams: the binding of native/include/corpusprep/trigrams.hpp."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cpp_bool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)


cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass bytes_span "std::span<const std::uint8_t>":
        bytes_span(const uint8_t*, size_t)
    cdef cppclass units_span "std::span<const std::uint16_t>":
        units_span(const uint16_t*, size_t)
    cdef cppclass codes_span "std::span<const std::uint32_t>":
        codes_span()
        codes_span(const uint32_t*, size_t)
    cdef cppclass keys_span "std::span<const std::uint64_t>":
        keys_span()
        keys_span(const uint64_t*, size_t)
    cdef cppclass keys_spans "std::span<const std::span<const std::uint64_t>>":
        keys_spans(const keys_span*, size_t)
    cdef cppclass weights_spans "std::span<const std::span<const std::uint32_t>>":
        weights_spans(const codes_span*, size_t)
    cdef cppclass folded_span "std::span<const std::uint32_t, corpusprep::CaseFolding::kSize>":
        folded_span(const uint32_t*, size_t)


cdef extern from "corpusprep/trigrams.hpp" namespace "corpusprep" nogil:
    const size_t FOLDING_SIZE "corpusprep::CaseFolding::kSize"
    const uint32_t UNKNOWN "corpusprep::CaseFolding::kUnknown"
    cdef cppclass CaseFolding:
        CaseFolding(folded_span) except +
    cdef cppclass TrigramTable:
        TrigramTable(keys_spans, weights_spans) except +
        size_t add_reduced(bytes_span, uint64_t*) noexcept
        size_t add_reduced(units_span, uint64_t*) noexcept
        size_t add_reduced(codes_span, uint64_t*) noexcept
        cpp_bool add(bytes_span, const CaseFolding&, uint64_t*, size_t&) noexcept
        cpp_bool add(units_span, const CaseFolding&, uint64_t*, size_t&) noexcept
        cpp_bool add(codes_span, const CaseFolding&, uint64_t*, size_t&) noexcept


FOLDED = FOLDING_SIZE
NOT_FOLDED = UNKNOWN


cdef class NativeScorer:
    cdef unique_ptr[CaseFolding] folding
    cdef unique_ptr[TrigramTable] table
    cdef size_t models

    def __cinit__(self, keys, weights, const uint32_t[::1] folded):
        cdef vector[keys_span] key_spans
        cdef vector[codes_span] weight_spans
        cdef const uint64_t[::1] key_view
        cdef const uint32_t[::1] weight_view
        if folded.shape[0] != <Py_ssize_t> FOLDING_SIZE:
            raise ValueError(f"the folding is of {folded.shape[0]} code points, and must be of {FOLDING_SIZE}")
        self.folding.reset(new CaseFolding(folded_span(&folded[0], FOLDING_SIZE)))
        for key_array, weight_array in zip(keys, weights, strict=True):
            key_view, weight_view = key_array, weight_array
            if key_view.shape[0] != weight_view.shape[0]:
                raise ValueError(f"{key_view.shape[0]} trigrams, but {weight_view.shape[0]} weights")
            if key_view.shape[0]:
                key_spans.push_back(keys_span(&key_view[0], key_view.shape[0]))
                weight_spans.push_back(codes_span(&weight_view[0], weight_view.shape[0]))
            else:
                key_spans.push_back(keys_span())
                weight_spans.push_back(codes_span())
        self.models = key_spans.size()
        self.table.reset(new TrigramTable(
            keys_spans(key_spans.data(), self.models), weights_spans(weight_spans.data(), self.models)
        ))

    def sums(self, str text not None, bint reduced):
        cdef vector[uint64_t] sums = vector[uint64_t](self.models)
        cdef size_t running = 0, length = len(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef TrigramTable* table = self.table.get()
        cdef cpp_bool known = True
        with nogil:
            if kind == 1:
                if reduced:
                    running = table.add_reduced(bytes_span(<const uint8_t*> data, length), sums.data())
                else:
                    known = table.add(
                        bytes_span(<const uint8_t*> data, length), self.folding.get()[0], sums.data(), running
                    )
            elif kind == 2:
                if reduced:
                    running = table.add_reduced(units_span(<const uint16_t*> data, length), sums.data())
                else:
                    known = table.add(
                        units_span(<const uint16_t*> data, length), self.folding.get()[0], sums.data(), running
                    )
            elif reduced:
                running = table.add_reduced(codes_span(<const uint32_t*> data, length), sums.data())
            else:
                known = table.add(
                    codes_span(<const uint32_t*> data, length), self.folding.get()[0], sums.data(), running
                )
        return (running, sums) if known else None
