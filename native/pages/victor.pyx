"""Victor: features of the text of blocks, and the random field that labels them. The binding of victor_features and chain_model."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)
        const char* data()
        size_t size()

cdef extern from "pages/feature_list.hpp" namespace "corpusprep" nogil:
    cdef cppclass FeatureDescription:
        string_view name
        string_view unit
        string_view source

cdef extern from "pages/victor_features.hpp" namespace "corpusprep" nogil:
    cdef cppclass FeatureList "decltype(corpusprep::kVictorFeatures)":
        size_t size()
        FeatureDescription operator[](size_t)
    const FeatureList kVictorFeatures
    void c_victor_features "corpusprep::victor_features"(
        string_view, const int64_t*, const uint32_t*, size_t, uint8_t*, size_t) except +

cdef extern from "pages/chain_model.hpp" namespace "corpusprep" nogil:
    cdef cppclass ChainArrays:
        vector[uint16_t] columns
        vector[int16_t] offsets
        vector[uint8_t] border_counts
        vector[uint8_t] borders
        vector[int32_t] weights
        vector[int32_t] transitions
        vector[uint8_t] content
        vector[int32_t] log_add
        vector[int32_t] score_borders
    cdef cppclass CppChainModel "corpusprep::ChainModel":
        CppChainModel(ChainArrays) except +
        size_t columns()
        void decode(const uint8_t*, size_t, size_t, uint8_t*, uint16_t*) except +


cdef _text(string_view text):
    return text.data()[:text.size()].decode()


FEATURES = tuple(
    (_text(kVictorFeatures[i].name), _text(kVictorFeatures[i].unit), _text(kVictorFeatures[i].source))
    for i in range(kVictorFeatures.size())
)


def text_features(const uint8_t[::1] text not None, const int64_t[::1] offsets, const int64_t[::1] pages, const uint32_t[::1] words):
    cdef size_t blocks = words.shape[0]
    cdef Py_ssize_t page
    cdef int64_t first
    result = np.zeros((kVictorFeatures.size(), blocks), np.uint8)
    cdef uint8_t[:, ::1] values = result
    cdef const char* start = ""
    if text.shape[0]:
        start = <const char*> &text[0]
    cdef string_view view = string_view(start, text.shape[0])
    if blocks:
        with nogil:
            for page in range(pages.shape[0] - 1):
                first = pages[page]
                if pages[page + 1] > first:
                    c_victor_features(
                        view, &offsets[first], &words[first], pages[page + 1] - first, &values[0, first], blocks
                    )
    return result


cdef class ChainModel:
    cdef unique_ptr[CppChainModel] model

    def __cinit__(
        self,
        const uint16_t[::1] columns,
        const int16_t[::1] offsets,
        const uint8_t[::1] border_counts,
        const uint8_t[::1] borders,
        const int32_t[::1] weights,
        const int32_t[::1] transitions,
        const uint8_t[::1] content,
        const int32_t[::1] log_add,
        const int32_t[::1] score_borders,
    ):
        cdef ChainArrays arrays
        cdef Py_ssize_t i
        for i in range(columns.shape[0]):
            arrays.columns.push_back(columns[i])
        for i in range(offsets.shape[0]):
            arrays.offsets.push_back(offsets[i])
        for i in range(border_counts.shape[0]):
            arrays.border_counts.push_back(border_counts[i])
        for i in range(borders.shape[0]):
            arrays.borders.push_back(borders[i])
        for i in range(weights.shape[0]):
            arrays.weights.push_back(weights[i])
        for i in range(transitions.shape[0]):
            arrays.transitions.push_back(transitions[i])
        for i in range(content.shape[0]):
            arrays.content.push_back(content[i])
        for i in range(log_add.shape[0]):
            arrays.log_add.push_back(log_add[i])
        for i in range(score_borders.shape[0]):
            arrays.score_borders.push_back(score_borders[i])
        self.model.reset(new CppChainModel(arrays))

    def decode(self, const uint8_t[:, ::1] values, const int64_t[::1] pages):
        cdef size_t blocks = values.shape[1]
        cdef Py_ssize_t page
        cdef int64_t first
        all_labels, all_scores = np.zeros(blocks, np.uint8), np.zeros(blocks, np.uint16)
        cdef uint8_t[::1] labels = all_labels
        cdef uint16_t[::1] scores = all_scores
        if <size_t> values.shape[0] < self.model.get().columns():
            raise ValueError(f"{values.shape[0]} features in place of {self.model.get().columns()}")
        if pages.shape[0] and (pages[0] < 0 or <size_t> pages[pages.shape[0] - 1] > blocks):
            raise ValueError("pages end after the last block")
        if blocks and values.shape[0]:
            with nogil:
                for page in range(pages.shape[0] - 1):
                    first = pages[page]
                    if pages[page + 1] > first:
                        self.model.get().decode(
                            &values[0, first], blocks, pages[page + 1] - first, &labels[first], &scores[first]
                        )
        return all_labels, all_scores
