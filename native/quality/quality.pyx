# cython: language_level=3
"""Measures documents as filters for language models do: the binding of native/quality/signals.hpp."""

import numpy as np

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int16_t, int64_t, uint32_t
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "quality/signals.hpp" namespace "corpusprep" nogil:
    const size_t kSignals
    const char* kSignalNames[]

    cdef cppclass CppQualitySignals "corpusprep::QualitySignals":
        CppQualitySignals(vector[vector[string]] exceptions, vector[string] stop_words) except +
        void measure(string_view text, double* values) except +
        vector[uint32_t] words(string_view text) except +

cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass const_span "std::span<const int16_t>":
        const_span(const int16_t* data, size_t size)


cdef extern from "quality/text_features.hpp" namespace "corpusprep" nogil:
    const unsigned kFeatureBits

    cdef struct FeatureSum:
        int64_t weights
        int64_t features

    cdef struct FoundWords "corpusprep::ListedPhrases::Found":
        int64_t listed
        int64_t words

    cdef cppclass CppListedPhrases "corpusprep::ListedPhrases":
        CppListedPhrases(vector[string] phrases) except +
        FoundWords measure(string_view text) except +

    vector[uint32_t] text_features_cpp "corpusprep::text_features"(string_view text) except +
    FeatureSum feature_sum(string_view text, const_span weights) except +

cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass const_shares "std::span<const uint32_t>":
        const_shares(const uint32_t* data, size_t size)


cdef extern from "quality/letter_model.hpp" namespace "corpusprep" nogil:
    cdef struct LetterCost:
        int64_t cost
        int64_t letters

    cdef cppclass CppLetterModel "corpusprep::LetterModel":
        CppLetterModel(string_view words, const_shares shares) except +
        LetterCost measure(string_view text) except +

SIGNALS = tuple([kSignalNames[i].decode() for i in range(kSignals)])


FEATURES = 1 << kFeatureBits


cdef string_view view_of(str text) except *:
    cdef Py_ssize_t length
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &length)
    if length >> 32:
        raise ValueError("a text of 4 GiB or more")
    return string_view(data, length)


cdef class QualitySignals:
    cdef CppQualitySignals* kernel

    def __cinit__(self, exceptions=(), stop_words=()):
        cdef vector[vector[string]] parts
        for exception in exceptions:
            parts.push_back([part.encode() for part in exception])
        self.kernel = new CppQualitySignals(parts, [word.encode() for word in stop_words])

    def __dealloc__(self):
        del self.kernel

    def measure(self, texts not None):
        cdef tuple kept = tuple(texts)
        table = np.empty((len(kept), kSignals), np.float64)
        cdef double[:, ::1] values = table
        cdef string_view view
        cdef Py_ssize_t row
        for row in range(len(kept)):
            view = view_of(kept[row])
            with nogil:
                self.kernel.measure(view, &values[row, 0])
        return table

    def words(self, str text not None):
        cdef bytes data = text.encode()
        cdef vector[uint32_t] places = self.kernel.words(string_view(<const char*>data, len(data)))
        return [data[places[i]:places[i + 1]].decode() for i in range(0, places.size(), 2)]


def text_features(str text not None):
    cdef vector[uint32_t] found = text_features_cpp(view_of(text))
    numbers = np.empty(found.size(), np.uint32)
    cdef uint32_t[::1] values = numbers
    cdef size_t place
    for place in range(found.size()):
        values[place] = found[place]
    return numbers


def feature_sums(texts not None, const int16_t[::1] weights not None):
    if weights.shape[0] != FEATURES:
        raise ValueError(f"{weights.shape[0]} weights in place of {FEATURES}")
    cdef tuple kept = tuple(texts)
    table = np.empty((len(kept), 2), np.int64)
    cdef int64_t[:, ::1] values = table
    cdef string_view view
    cdef FeatureSum found
    cdef Py_ssize_t row
    for row in range(len(kept)):
        view = view_of(kept[row])
        with nogil:
            found = feature_sum(view, const_span(&weights[0], <size_t>weights.shape[0]))
        values[row, 0] = found.weights
        values[row, 1] = found.features
    return table


cdef class LetterModel:
    cdef CppLetterModel* kernel

    def __cinit__(self, const unsigned char[::1] words not None, const uint32_t[::1] shares not None):
        cdef const char* data = NULL
        cdef const uint32_t* numbers = NULL
        if words.shape[0]:
            data = <const char*>&words[0]
        if shares.shape[0]:
            numbers = &shares[0]
        self.kernel = new CppLetterModel(
            string_view(data, <size_t>words.shape[0]), const_shares(numbers, <size_t>shares.shape[0])
        )

    def __dealloc__(self):
        del self.kernel

    def measure(self, texts not None):
        cdef tuple kept = tuple(texts)
        table = np.empty((len(kept), 2), np.int64)
        cdef int64_t[:, ::1] values = table
        cdef string_view view
        cdef LetterCost found
        cdef Py_ssize_t row
        for row in range(len(kept)):
            view = view_of(kept[row])
            with nogil:
                found = self.kernel.measure(view)
            values[row, 0] = found.cost
            values[row, 1] = found.letters
        return table


cdef class ListedPhrases:
    cdef CppListedPhrases* kernel

    def __cinit__(self, phrases not None):
        self.kernel = new CppListedPhrases([phrase.encode() for phrase in phrases])

    def __dealloc__(self):
        del self.kernel

    def measure(self, texts not None):
        cdef tuple kept = tuple(texts)
        table = np.empty((len(kept), 2), np.int64)
        cdef int64_t[:, ::1] values = table
        cdef string_view view
        cdef FoundWords found
        cdef Py_ssize_t row
        for row in range(len(kept)):
            view = view_of(kept[row])
            with nogil:
                found = self.kernel.measure(view)
            values[row, 0] = found.listed
            values[row, 1] = found.words
        return table
