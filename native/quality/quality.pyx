# cython: language_level=3
"""Measures documents as filters for language models do: the binding of native/quality/signals.hpp."""

import numpy as np

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int16_t, int64_t, uint32_t
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "quality/words.hpp" namespace "corpusprep" nogil:
    cdef enum Hyphens "corpusprep::Splitting::Hyphens":
        pass

    cdef struct Splitting:
        Hyphens hyphens
        bint elision
        bint ordinals

cdef extern from "quality/signals.hpp" namespace "corpusprep" nogil:
    const size_t kSignals
    const char* kSignalNames[]

    cdef cppclass CppQualitySignals "corpusprep::QualitySignals":
        CppQualitySignals(
            vector[vector[string]] exceptions, vector[string] stop_words, Splitting splitting
        ) except +
        void measure(string_view text, double* values) except +
        vector[uint32_t] words(string_view text) except +

cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass const_span "std::span<const int16_t>":
        const_span(const int16_t* data, size_t size)


cdef extern from "<span>" namespace "std" nogil:
    cdef cppclass const_shares "std::span<const uint32_t>":
        const_shares(const uint32_t* data, size_t size)

cdef extern from "quality/text_sum.hpp" namespace "corpusprep" nogil:
    cdef struct TextSum:
        int64_t sum
        int64_t parts

    cdef cppclass TextMeasure:
        TextSum measure(string_view text) except +

cdef extern from "quality/text_features.hpp" namespace "corpusprep" nogil:
    const unsigned kFeatureBits

    cdef cppclass CppListedPhrases "corpusprep::ListedPhrases"(TextMeasure):
        CppListedPhrases(vector[string] phrases) except +

    cdef cppclass FeatureWeights(TextMeasure):
        FeatureWeights(const_span weights)

    vector[uint32_t] text_features_cpp "corpusprep::text_features"(string_view text) except +

cdef extern from "quality/letter_model.hpp" namespace "corpusprep" nogil:
    cdef cppclass CppLetterModel "corpusprep::LetterModel"(TextMeasure):
        CppLetterModel(string_view words, const_shares shares) except +

HYPHENS = ("stay", "between_letters", "behind_digits")
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

    def __cinit__(self, exceptions=(), stop_words=(), hyphens="between_letters", bint elision=False, bint ordinals=False):
        cdef vector[vector[string]] parts
        cdef Splitting splitting
        if hyphens not in HYPHENS:
            raise ValueError(f"hyphens: {hyphens!r} is none of {', '.join(HYPHENS)}")
        splitting.hyphens = <Hyphens><int>HYPHENS.index(hyphens)
        splitting.elision = elision
        splitting.ordinals = ordinals
        for exception in exceptions:
            parts.push_back([part.encode() for part in exception])
        self.kernel = new CppQualitySignals(parts, [word.encode() for word in stop_words], splitting)

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


cdef sums_of(TextMeasure* kernel, texts):
    cdef tuple kept = tuple(texts)
    table = np.empty((len(kept), 2), np.int64)
    cdef int64_t[:, ::1] values = table
    cdef string_view view
    cdef TextSum found
    cdef Py_ssize_t row
    for row in range(len(kept)):
        view = view_of(kept[row])
        with nogil:
            found = kernel.measure(view)
        values[row, 0] = found.sum
        values[row, 1] = found.parts
    return table


def feature_sums(texts not None, const int16_t[::1] weights not None):
    if weights.shape[0] != FEATURES:
        raise ValueError(f"{weights.shape[0]} weights in place of {FEATURES}")
    cdef FeatureWeights* kernel = new FeatureWeights(const_span(&weights[0], <size_t>weights.shape[0]))
    try:
        return sums_of(kernel, texts)
    finally:
        del kernel


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
        return sums_of(self.kernel, texts)


cdef class ListedPhrases:
    cdef CppListedPhrases* kernel

    def __cinit__(self, phrases not None):
        self.kernel = new CppListedPhrases([phrase.encode() for phrase in phrases])

    def __dealloc__(self):
        del self.kernel

    def measure(self, texts not None):
        return sums_of(self.kernel, texts)
