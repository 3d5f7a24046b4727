"""Blocks and features that texrex makes from the markup of pages, and its perceptron. The binding of texrex, perceptron."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np

include "block_columns.pxi"


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view(const char*, size_t)

cdef extern from "pages/segmentation.hpp" namespace "corpusprep" nogil:
    cdef cppclass BlockBuilder:
        BlockBuilder(const WordSet&, BlockColumns&, double) except +
        void keep_composition() noexcept
        void end_page() except +

cdef extern from "pages/texrex.hpp" namespace "corpusprep" nogil:
    const size_t kTexrexFeatures
    const int kTexrexPlaces
    cdef cppclass TexrexReader:
        TexrexReader(BlockBuilder&, const BlockColumns&, const unordered_map[string, string]&, cbool) except +
        void add(string_view) except +
        const vector[int16_t]& features()
        const string& title()

cdef extern from "pages/perceptron.hpp" namespace "corpusprep" nogil:
    const int kActivationBits
    const size_t kActivations
    const size_t kPerceptronSteps
    cdef cppclass PerceptronArrays:
        vector[int32_t] hidden_weights
        vector[int64_t] hidden_biases
        vector[int32_t] output_weights
        vector[int16_t] activation
        vector[int64_t] borders
        int64_t output_bias
    cdef cppclass CppPerceptron "corpusprep::Perceptron":
        CppPerceptron(PerceptronArrays, size_t) except +
        size_t features()
        void score(const int16_t*, size_t, uint16_t*)


FEATURES = kTexrexFeatures
PLACES = kTexrexPlaces
ACTIVATION_BITS = kActivationBits
ACTIVATIONS = kActivations
STEPS = kPerceptronSteps


cdef class Perceptron:
    cdef unique_ptr[CppPerceptron] perceptron

    def __cinit__(
        self,
        const int32_t[:, ::1] hidden_weights,
        const int64_t[::1] hidden_biases,
        const int32_t[::1] output_weights,
        int64_t output_bias,
        const int16_t[::1] activation,
        const int64_t[::1] borders,
    ):
        cdef PerceptronArrays arrays
        cdef Py_ssize_t i, k
        for i in range(hidden_weights.shape[0]):
            for k in range(hidden_weights.shape[1]):
                arrays.hidden_weights.push_back(hidden_weights[i, k])
        for i in range(hidden_biases.shape[0]):
            arrays.hidden_biases.push_back(hidden_biases[i])
        for i in range(output_weights.shape[0]):
            arrays.output_weights.push_back(output_weights[i])
        for i in range(activation.shape[0]):
            arrays.activation.push_back(activation[i])
        for i in range(borders.shape[0]):
            arrays.borders.push_back(borders[i])
        arrays.output_bias = output_bias
        self.perceptron.reset(new CppPerceptron(arrays, hidden_weights.shape[1]))

    def scores(self, const int16_t[:, ::1] rows):
        cdef size_t blocks = rows.shape[0]
        result = np.empty(blocks, np.uint16)
        cdef uint16_t[::1] scores = result
        if <size_t> rows.shape[1] != self.perceptron.get().features():
            raise ValueError(f"{rows.shape[1]} features in place of {self.perceptron.get().features()}")
        if blocks:
            with nogil:
                self.perceptron.get().score(&rows[0, 0], blocks, &scores[0])
        return result


cdef class Segmenter:
    cdef unique_ptr[WordSet] stop_words
    cdef unordered_map[string, string] references
    cdef unique_ptr[BlockColumns] columns
    cdef unique_ptr[BlockBuilder] builder
    cdef unique_ptr[TexrexReader] reader
    cdef double characters_per_word
    cdef bint composes
    cdef bint forms

    def __cinit__(self, stop_words, double characters_per_word, references, bint forms):
        cdef vector[string] forms_of_words
        for form in sorted(stop_words):
            forms_of_words.push_back(form.encode())
        self.stop_words.reset(new WordSet(forms_of_words))
        for name, characters in references.items():
            self.references[name.encode()] = characters.encode()
        self.characters_per_word = characters_per_word
        self.forms = forms
        self.composes = True
        self._renew()

    cdef _renew(self):
        self.columns.reset(new BlockColumns())
        self.builder.reset(
            new BlockBuilder(self.stop_words.get()[0], self.columns.get()[0], self.characters_per_word)
        )
        if not self.composes:
            self.builder.get().keep_composition()
        self.reader.reset(
            new TexrexReader(self.builder.get()[0], self.columns.get()[0], self.references, self.forms)
        )

    def add(self, const uint8_t[::1] page):
        cdef const char* start = NULL
        cdef size_t size = page.shape[0]
        if size:
            start = <const char*> &page[0]
        with nogil:
            self.reader.get().add(string_view(start, size))
        return self.reader.get().title().decode("utf-8", "replace")

    def keep_composition(self):
        self.composes = False
        self.builder.get().keep_composition()

    def skip(self):
        self.builder.get().end_page()

    def take(self):
        cdef BlockColumns* c = self.columns.get()
        cdef const vector[int16_t]* f = &self.reader.get().features()
        taken = (
            *_block_columns(c),
            _uint32(c.invisible),
            _int16(f[0]).reshape(-1, kTexrexFeatures),
        )
        self._renew()
        return taken
