# cython: language_level=3
"""What the bytes of a page show about its encoding: the binding of utf8.hpp and byte_trigrams.hpp."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libcpp.memory cimport unique_ptr
from libcpp.optional cimport optional
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass numbers "std::span<const std::uint32_t>":
        numbers(const uint32_t*, size_t)


cdef extern from "encoding/utf8.hpp" namespace "corpusprep" nogil:
    double c_utf8_share "corpusprep::utf8_share"(string_view, double) noexcept
    optional[string] c_pair_surrogates "corpusprep::pair_surrogates"(string_view) except +
    cdef struct HighBytes:
        size_t all
        size_t controls
    HighBytes c_count_high_bytes "corpusprep::count_high_bytes"(string_view) noexcept
    size_t c_count_controls "corpusprep::count_controls"(string_view) noexcept
    cdef cppclass CodePoints "std::array<char16_t, 128>":
        uint16_t& operator[](size_t)
    cdef cppclass DecodedText:
        string text
        size_t undecodable
    DecodedText c_decode_single_bytes "corpusprep::decode_single_bytes"(string_view, const CodePoints&) except +

cdef extern from "encoding/byte_trigrams.hpp" namespace "corpusprep" nogil:
    cdef cppclass CppByteTrigrams "corpusprep::ByteTrigrams":
        CppByteTrigrams(numbers keys, numbers weights, size_t encodings) except +
        void add(string_view, size_t, uint64_t*) noexcept
        bint any(string_view, size_t, size_t) noexcept


def utf8_share(bytes data not None, double least=0.0):
    cdef string_view view = string_view(<const char*> data, len(data))
    cdef double share
    with nogil:
        share = c_utf8_share(view, least)
    return share


def pair_surrogates(bytes data not None):
    cdef string_view view = string_view(<const char*> data, len(data))
    cdef optional[string] mended
    with nogil:
        mended = c_pair_surrogates(view)
    if not mended.has_value():
        return data
    return mended.value()


def count_high_bytes(bytes data not None):
    cdef string_view view = string_view(<const char*> data, len(data))
    cdef HighBytes found
    with nogil:
        found = c_count_high_bytes(view)
    return found.all, found.controls


def count_controls(bytes data not None, Py_ssize_t most):
    cdef string_view view = string_view(<const char*> data, min(len(data), max(most, 0)))
    cdef size_t found
    with nogil:
        found = c_count_controls(view)
    return found


def decode_single_bytes(bytes data not None, str characters not None):
    cdef string_view view = string_view(<const char*> data, len(data))
    cdef CodePoints code_points
    cdef DecodedText decoded
    cdef Py_UCS4 character
    cdef size_t place = 0
    if len(characters) != 128:
        raise ValueError(f"128 characters are needed, not {len(characters)}")
    for character in characters:
        if character > 0xFFFF:
            raise ValueError("characters beyond U+FFFF are in no encoding with one byte per character")
        code_points[place] = character
        place += 1
    with nogil:
        decoded = c_decode_single_bytes(view, code_points)
    return decoded.text, decoded.undecodable


cdef class ByteTrigrams:
    cdef unique_ptr[CppByteTrigrams] trigrams
    cdef size_t encodings

    def __cinit__(self, const uint32_t[::1] keys, const uint32_t[:, ::1] weights):
        cdef size_t count = keys.shape[0]
        if weights.shape[0] < keys.shape[0]:
            raise ValueError(f"{keys.shape[0]} trigrams, but {weights.shape[0]} rows of weights")
        self.encodings = weights.shape[1]
        cdef size_t values = count * self.encodings
        self.trigrams.reset(new CppByteTrigrams(
            numbers(&keys[0] if count else NULL, count),
            numbers(&weights[0, 0] if values else NULL, values),
            self.encodings,
        ))

    def products(self, bytes data not None, size_t most):
        cdef vector[uint64_t] sums = vector[uint64_t](self.encodings)
        cdef string_view view = string_view(<const char*> data, len(data))
        with nogil:
            self.trigrams.get().add(view, most, sums.data())
        return sums

    def any(self, bytes data not None, size_t most, size_t encoding):
        if encoding >= self.encodings:
            raise IndexError(f"{self.encodings} encodings, but number {encoding} was asked for")
        cdef string_view view = string_view(<const char*> data, len(data))
        cdef bint found
        with nogil:
            found = self.trigrams.get().any(view, most, encoding)
        return found
