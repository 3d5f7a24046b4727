# cython: language_level=3
"""Counts the strings between spaces: the binding of native/statistics/string_counts.hpp."""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from libcpp cimport bool as cbool
from libcpp.string cimport string

import os

include "../io/arrow_texts.pxi"
include "../io/errors.pxi"


cdef extern from "statistics/string_counts.hpp" namespace "corpusprep" nogil:
    cdef struct CountedStrings:
        size_t strings
        size_t bytes

    cdef cppclass CppStringCounts "corpusprep::StringCounts":
        CppStringCounts(size_t, size_t, size_t) except +
        @staticmethod
        bint spaced(uint32_t) noexcept
        size_t add(string_view, size_t, size_t) except +
        void flush() except +
        cbool full() noexcept
        void add_word(string_view, const int64_t*) except +
        CountedStrings words() noexcept
        CountedStrings odd() noexcept
        void sort_words() except +
        size_t words_left() noexcept
        void read_words(size_t, string&, int64_t*, int64_t*) except +
        void write_odd(char*, int64_t*, int64_t*) except +
        void write_run(const string&) except +raise_python_error
        void clear_odd() noexcept
        void clear() except +


cdef extern from "statistics/word_runs.hpp" namespace "corpusprep" nogil:
    cdef cppclass WordRunMerger:
        WordRunMerger(const vector[string]&, size_t) except +raise_python_error
        cbool next() except +raise_python_error
        string_view word()
        const vector[uint64_t]& counts()

    void c_merge_word_runs "corpusprep::merge_word_runs"(
        const vector[string]&, size_t, const string&
    ) except +raise_python_error


cdef class StringCounts:
    cdef CppStringCounts* counts
    cdef size_t sets

    def __cinit__(self, size_t most_bytes, size_t longest, size_t sets):
        if longest > 1 << 16:
            raise ValueError(f"longest must be at most 65,536 characters, not {longest}")
        if not 1 <= sets <= 256:
            raise ValueError(f"there must be 1 to 256 sets, not {sets}")
        self.counts = new CppStringCounts(most_bytes, longest, sets)
        self.sets = sets

    def __dealloc__(self):
        del self.counts

    @staticmethod
    def spaced(uint32_t character):
        return CppStringCounts.spaced(character)

    def add(self, texts, const uint8_t[::1] sets not None, size_t text=0, size_t place=0):
        self._check_none_left()
        cdef _Column column = _Column(texts)
        cdef const vector[string_view]* views = &column.column.texts()
        cdef size_t i, stopped
        if views.size() != <size_t> sets.shape[0]:
            raise ValueError(f"there must be a set for each of {views.size()} texts, not {sets.shape[0]}")
        for i in range(views.size()):
            if sets[i] >= self.sets:
                raise ValueError(f"a set must be below {self.sets}, not {sets[i]}")
        if text > views.size() or place > (views[0][text].size() if text < views.size() else 0):
            raise ValueError(f"place {place} of text {text} is not in the texts")
        with nogil:
            i = text
            while i < views.size():
                stopped = self.counts.add(views[0][i], place, sets[i])
                if stopped < views[0][i].size():
                    place = stopped
                    break
                place = 0
                i += 1
                if self.counts.full():
                    break
            self.counts.flush()
        return i, place

    def add_words(self, words, const int64_t[:, ::1] counts not None):
        self._check_none_left()
        cdef _Column column = _Column(words)
        cdef const vector[string_view]* views = &column.column.texts()
        cdef size_t i
        if views.size() != <size_t> counts.shape[0] or self.sets != <size_t> counts.shape[1]:
            raise ValueError(f"there must be {self.sets} counts for each of {views.size()} words")
        for i in range(views.size()):
            if not 1 <= views[0][i].size() <= 1 << 16:
                raise ValueError(f"a word must have 1 to 65,536 bytes, not {views[0][i].size()}")
        with nogil:
            for i in range(views.size()):
                self.counts.add_word(views[0][i], &counts[i, 0])

    def take_odd(self):
        self._check_none_left()
        cdef CountedStrings size = self.counts.odd()
        text = PyBytes_FromStringAndSize(NULL, size.bytes)
        cdef char* bytes_of_text = PyBytes_AS_STRING(text)
        cdef int64_t[::1] offsets = np.empty(size.strings + 1, dtype=np.int64)
        numbers, flat = self._numbers(size.strings)
        cdef int64_t[::1] written = flat
        with nogil:
            self.counts.write_odd(bytes_of_text, &offsets[0], &written[0])
            self.counts.clear_odd()
        return text, np.asarray(offsets), numbers

    def take(self, most=None):
        self._check_no_odd()
        with nogil:
            self.counts.sort_words()
        cdef size_t words = self.counts.words_left()
        if most is not None:
            words = min(words, <size_t> most)
        cdef string text
        cdef int64_t[::1] offsets = np.zeros(words + 1, dtype=np.int64)
        numbers, flat = self._numbers(words)
        cdef int64_t[::1] written = flat
        with nogil:
            self.counts.read_words(words, text, &offsets[0], &written[0])
        return PyBytes_FromStringAndSize(text.data(), text.size()), np.asarray(offsets), numbers

    def write_run(self, path):
        self._check_no_odd()
        self._check_none_left()
        cdef string target = os.fsencode(path)
        with nogil:
            self.counts.write_run(target)

    def _numbers(self, size_t strings):
        numbers = np.empty((self.sets, strings), dtype=np.int64)
        return numbers, numbers.reshape(-1) if strings else np.empty(1, dtype=np.int64)

    def _check_no_odd(self):
        if self.counts.odd().strings:
            raise ValueError("odd strings must be taken first")

    def _check_none_left(self):
        if self.counts.words_left():
            raise ValueError("all words must be taken first")


cdef vector[string] encoded(paths) except *:
    cdef vector[string] result
    for path in paths:
        result.push_back(os.fsencode(path))
    return result


def merge_word_runs(paths, size_t sets, output):
    cdef vector[string] sources = encoded(paths)
    cdef string target = os.fsencode(output)
    with nogil:
        c_merge_word_runs(sources, sets, target)


cdef class WordRuns:
    cdef WordRunMerger* merger
    cdef size_t sets
    cdef bint ended

    def __cinit__(self, paths, size_t sets):
        self.merger = new WordRunMerger(encoded(paths), sets)
        self.sets = sets
        self.ended = False

    def __dealloc__(self):
        del self.merger

    def read(self, size_t most):
        cdef string text
        cdef size_t words = 0, number
        offsets, counts = np.zeros(most + 1, dtype=np.int64), np.empty((self.sets, most), dtype=np.int64)
        cdef int64_t[::1] ends = offsets
        cdef int64_t[:, ::1] numbers = counts
        with nogil:
            while words < most and not self.ended:
                self.ended = not self.merger.next()
                if self.ended:
                    break
                text.append(self.merger.word().data(), self.merger.word().size())
                for number in range(self.sets):
                    numbers[number, words] = <int64_t> self.merger.counts()[number]
                words += 1
                ends[words] = <int64_t> text.size()
        taken = PyBytes_FromStringAndSize(text.data(), text.size())
        return taken, offsets[:words + 1], np.ascontiguousarray(counts[:, :words])
