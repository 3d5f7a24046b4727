# cython: language_level=3
"""Counts the strings between spaces: the binding of native/statistics/string_counts.hpp."""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t
from libcpp.string_view cimport string_view


cdef extern from "statistics/string_counts.hpp" namespace "corpusprep" nogil:
    cdef cppclass CppStringCounts "corpusprep::StringCounts":
        CppStringCounts(size_t, size_t) except +
        size_t add(string_view, size_t, unsigned) except +
        size_t strings() noexcept
        size_t string_bytes() noexcept
        void write(char*, int64_t*, int64_t*, int64_t*) noexcept
        void clear() except +


cdef class StringCounts:
    cdef CppStringCounts* counts

    def __cinit__(self, size_t most_bytes, size_t longest):
        if longest > 1 << 16:
            raise ValueError(f"longest must be at most 65,536 characters, not {longest}")
        self.counts = new CppStringCounts(most_bytes, longest)

    def __dealloc__(self):
        del self.counts

    def add(self, bytes text not None, size_t start, bint second):
        cdef string_view view = string_view(<const char*> text, len(text))
        if start > view.size():
            raise ValueError(f"start must be at most {view.size()}, the size of the text, not {start}")
        with nogil:
            start = self.counts.add(view, start, second)
        return start

    def take(self):
        cdef size_t strings = self.counts.strings()
        text = PyBytes_FromStringAndSize(NULL, self.counts.string_bytes())
        cdef int64_t[::1] offsets = np.empty(strings + 1, dtype=np.int64)
        cdef int64_t[:, ::1] numbers = np.empty((2, strings + 1), dtype=np.int64)
        cdef char* bytes_of_text = PyBytes_AS_STRING(text)
        with nogil:
            self.counts.write(bytes_of_text, &offsets[0], &numbers[0, 0], &numbers[1, 0])
        self.counts.clear()
        return text, np.asarray(offsets), np.asarray(numbers)[:, :strings]
