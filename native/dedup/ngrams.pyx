# distutils: language = c++
# cython: language_level=3, boundscheck=False
"""Duplicate n-grams: word lists, the lexicon, compressed runs, their merge. The contracts are in ngrams.pyi."""

import os

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.map cimport map as cmap
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.utility cimport move
from libcpp.vector cimport vector

from typing import NamedTuple

include "../io/errors.pxi"

cdef extern from "common/hash.hpp" namespace "corpusprep" nogil:
    uint64_t c_word_key "corpusprep::word_key"(string_view word)
    uint64_t c_ngram_key "corpusprep::ngram_key"(const uint64_t* word_keys, size_t n)

cdef extern from "io/stage_file.hpp" namespace "corpusprep" nogil:
    cdef cppclass Checksum:
        void update(const void* data, size_t size)
        uint64_t value()


cdef extern from "dedup/elias.hpp" namespace "corpusprep::ngrams" nogil:
    const uint32_t kLongestNgram

LONGEST_NGRAM = kLongestNgram


cdef check_n(uint32_t n):
    if not 1 <= n <= kLongestNgram:
        raise ValueError(f"n must be 1 to {kLongestNgram}, not {n}")


cdef inline string_view view(bytes data) noexcept:
    return string_view(PyBytes_AS_STRING(data), <size_t>PyBytes_GET_SIZE(data))


cdef vector[string] encoded(paths) except *:
    cdef vector[string] result
    for path in paths:
        result.push_back(os.fsencode(path))
    return result


def checksum(data not None):
    return checksum_of_pieces((data,))


def checksum_of_pieces(pieces):
    cdef Checksum result
    cdef const unsigned char[::1] buffer
    cdef size_t length
    for data in pieces:
        length = len(data)
        if length:
            buffer = memoryview(data).cast("B")
            length = buffer.shape[0]
            with nogil:
                result.update(&buffer[0], length)
    return result.value()


def word_key(bytes word not None):
    return c_word_key(view(word))


def ngram_key(words):
    cdef vector[uint64_t] keys
    for word in words:
        keys.push_back(word_key(word))
    return c_ngram_key(keys.data(), keys.size())


include "key_partitions.pxi"
include "words.pxi"
include "runs.pxi"
include "all_ngrams.pxi"
