# cython: language_level=3, boundscheck=False, wraparound=False
"""Character trigram models of clean and dirty text (native/pages/ncleaner.hpp)."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view(const char*, size_t)

cdef extern from "text/unicode.hpp" namespace "corpusprep" nogil:
    cdef struct DecodedCharacter:
        unsigned int code_point
        uint32_t length
    DecodedCharacter decode_utf8(string_view, size_t)

cdef extern from "pages/ncleaner.hpp" namespace "corpusprep" nogil:
    const size_t kCharacterClasses
    cdef cppclass ClassArray "std::array<std::uint8_t, corpusprep::kCharacterClasses>":
        uint8_t& operator[](size_t)
    cdef cppclass SymbolArrays:
        vector[uint32_t] characters
        vector[uint8_t] symbols
        ClassArray classes
    cdef cppclass CppSymbols "corpusprep::Symbols":
        CppSymbols(const SymbolArrays&) except +
        uint8_t of(unsigned int)
    cdef cppclass TrigramArrays:
        uint32_t count
        vector[int16_t] pairs
        vector[int16_t] contexts
        vector[uint32_t] trigrams
        vector[int16_t] weights
    cdef cppclass Segment:
        int64_t sum
        uint32_t bars
        uint32_t letters
    cdef cppclass CppCharacterModel "corpusprep::CharacterModel":
        CppCharacterModel(const SymbolArrays&, const TrigramArrays&) except +
        Segment measure(string_view)


CHARACTER_CLASSES = kCharacterClasses


cdef SymbolArrays _symbols(const uint32_t[::1] characters, const uint8_t[::1] symbols, const uint8_t[::1] classes) except *:
    cdef SymbolArrays arrays
    cdef Py_ssize_t i
    if classes.shape[0] != <Py_ssize_t> kCharacterClasses:
        raise ValueError(f"{classes.shape[0]} classes of characters in place of {kCharacterClasses}")
    if characters.shape[0]:
        arrays.characters.assign(&characters[0], &characters[0] + characters.shape[0])
    if symbols.shape[0]:
        arrays.symbols.assign(&symbols[0], &symbols[0] + symbols.shape[0])
    for i in range(classes.shape[0]):
        arrays.classes[i] = classes[i]
    return arrays


def _check(text, const int64_t[::1] offsets):
    bounds = np.asarray(offsets)
    if not len(bounds) or bounds[0] < 0 or bounds[-1] > len(text) or (bounds[1:] < bounds[:-1]).any():
        raise ValueError("the offsets do not ascend within the text")


cdef class Symbols:
    cdef unique_ptr[CppSymbols] symbols

    def __cinit__(self, const uint32_t[::1] characters, const uint8_t[::1] symbols, const uint8_t[::1] classes):
        self.symbols.reset(new CppSymbols(_symbols(characters, symbols, classes)))

    def encode(self, bytes text, const int64_t[::1] offsets):
        cdef const char* start = text
        cdef vector[uint8_t] found
        cdef vector[int64_t] ends
        cdef DecodedCharacter character
        cdef size_t place, end
        cdef Py_ssize_t i
        _check(text, offsets)
        with nogil:
            ends.push_back(0)
            for i in range(offsets.shape[0] - 1):
                place = offsets[i]
                end = offsets[i + 1]
                while place < end:
                    character = decode_utf8(string_view(start, end), place)
                    place += character.length
                    found.push_back(self.symbols.get().of(character.code_point))
                ends.push_back(found.size())
        encoded = np.array(<uint8_t[:found.size()]> found.data()) if found.size() else np.empty(0, np.uint8)
        return encoded, np.array(<int64_t[:ends.size()]> ends.data())


cdef class CharacterModel:
    cdef unique_ptr[CppCharacterModel] model

    def __cinit__(
        self,
        const uint32_t[::1] characters,
        const uint8_t[::1] symbols,
        const uint8_t[::1] classes,
        const int16_t[:, ::1] pairs,
        const int16_t[:, ::1] contexts,
        const uint32_t[::1] trigrams,
        const int16_t[::1] weights,
    ):
        cdef TrigramArrays arrays
        cdef Py_ssize_t size = pairs.shape[0] * pairs.shape[1]
        if pairs.shape[0] != pairs.shape[1] or contexts.shape[0] != contexts.shape[1]:
            raise ValueError("the weights are not square")
        arrays.count = <uint32_t> pairs.shape[0]
        if size:
            arrays.pairs.assign(&pairs[0, 0], &pairs[0, 0] + size)
        size = contexts.shape[0] * contexts.shape[1]
        if size:
            arrays.contexts.assign(&contexts[0, 0], &contexts[0, 0] + size)
        if trigrams.shape[0]:
            arrays.trigrams.assign(&trigrams[0], &trigrams[0] + trigrams.shape[0])
        if weights.shape[0]:
            arrays.weights.assign(&weights[0], &weights[0] + weights.shape[0])
        self.model.reset(new CppCharacterModel(_symbols(characters, symbols, classes), arrays))

    def measure(self, bytes text, const int64_t[::1] offsets):
        _check(text, offsets)
        cdef const char* start = text
        cdef Py_ssize_t i, count = offsets.shape[0] - 1
        cdef Segment found
        cdef int64_t[::1] sums
        cdef uint32_t[::1] bars, letters
        results = np.empty(count, np.int64), np.empty(count, np.uint32), np.empty(count, np.uint32)
        sums, bars, letters = results
        with nogil:
            for i in range(count):
                found = self.model.get().measure(string_view(start + offsets[i], offsets[i + 1] - offsets[i]))
                sums[i] = found.sum
                bars[i] = found.bars
                letters[i] = found.letters
        return results
