# cython: language_level=3
"""Measures documents as filters for language models do: the binding of native/quality/signals.hpp."""

import numpy as np

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint32_t
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

SIGNALS = tuple([kSignalNames[i].decode() for i in range(kSignals)])


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
