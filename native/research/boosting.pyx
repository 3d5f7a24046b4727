# cython: language_level=3, boundscheck=False, wraparound=False
"""Boosting of oblivious trees (native/research/boosting.hpp)."""

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t, uint8_t
from libc.string cimport memcpy
from libcpp.vector cimport vector


cdef extern from "research/boosting.hpp" namespace "corpusprep" nogil:
    const int32_t kScoreScale

    cdef struct BoostingSettings:
        int32_t trees
        int32_t depth
        int32_t bins
        int32_t learning_rate
        int64_t regularisation
        int32_t sampled_rows
        int32_t sampled_features
        uint64_t seed

    cdef cppclass BoostedTrees:
        vector[uint16_t] features
        vector[uint8_t] thresholds
        vector[int16_t] leaves
        vector[int32_t] scores

    BoostedTrees c_boost "corpusprep::boost"(
        const uint8_t*, size_t, size_t, const uint16_t*, const uint16_t*, int32_t, const BoostingSettings&
    ) except +


SCORE_SCALE = kScoreScale


def boost(
    const uint8_t[:, ::1] columns,
    const uint16_t[::1] labels,
    const uint16_t[::1] weights,
    int32_t start,
    int32_t trees,
    int32_t depth,
    int32_t bins,
    int32_t learning_rate,
    int64_t regularisation,
    int32_t sampled_rows,
    int32_t sampled_features,
    uint64_t seed,
):
    cdef BoostingSettings settings
    settings.trees, settings.depth, settings.bins, settings.learning_rate = trees, depth, bins, learning_rate
    settings.regularisation, settings.sampled_rows = regularisation, sampled_rows
    settings.sampled_features, settings.seed = sampled_features, seed
    cdef BoostedTrees found
    with nogil:
        found = c_boost(&columns[0, 0], columns.shape[0], columns.shape[1], &labels[0], &weights[0], start, settings)
    features = np.empty((trees, depth), np.uint16)
    thresholds = np.empty((trees, depth), np.uint8)
    leaves = np.empty((trees, 1 << depth), np.int16)
    scores = np.empty(columns.shape[1], np.int32)
    cdef uint16_t[:, ::1] f = features
    cdef uint8_t[:, ::1] t = thresholds
    cdef int16_t[:, ::1] v = leaves
    cdef int32_t[::1] s = scores
    memcpy(&f[0, 0], found.features.data(), found.features.size() * sizeof(uint16_t))
    memcpy(&t[0, 0], found.thresholds.data(), found.thresholds.size())
    memcpy(&v[0, 0], found.leaves.data(), found.leaves.size() * sizeof(int16_t))
    memcpy(&s[0], found.scores.data(), found.scores.size() * sizeof(int32_t))
    return features, thresholds, leaves, scores
