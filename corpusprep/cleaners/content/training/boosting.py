"""Grows oblivious trees over the features of blocks (native/research/boosting.hpp)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import boosting as _native

#: Units of a score per unit of log-odds.
SCORE_SCALE = _native.SCORE_SCALE

#: Sum of the weights that the kernel is given; it takes less than 2^28.
_WEIGHTS = 1 << 27


@dataclass(slots=True, frozen=True)
class Settings:
    """How trees are grown.

    Attributes:
        trees: number of trees.
        depth: levels of each.
        bins: values that are told apart in a feature.
        learning_rate: share of the best step that a leaf takes.
        regularisation: weight, in mean weights of a block, that is added to each leaf.
        sampled_rows: share of the blocks that choose the splits of a tree.
        sampled_features: share of the features that are tried at a level.
        seed: decides which.
    """

    trees: int = 300
    depth: int = 6
    bins: int = 64
    learning_rate: float = 0.12
    regularisation: float = 60.0
    sampled_rows: float = 0.35
    sampled_features: float = 0.35
    seed: int = 1


@dataclass(slots=True, frozen=True)
class Trees:
    """Trees: level l of tree t asks whether features[t, l] is above thresholds[t, l].

    Attributes:
        features: uint16, (trees, depth).
        thresholds: uint8, (trees, depth): values of the features, not bins.
        leaves: int16, (trees, 2^depth), in 1 / SCORE_SCALE; the answer of level 0 is the highest bit of the number.
        start: the score before the first tree.
    """

    features: NDArray[np.uint16]
    thresholds: NDArray[np.uint8]
    leaves: NDArray[np.int16]
    start: int

    def scores(self, columns: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Returns the scores of blocks, shape (blocks,), for columns of shape (features, blocks)."""
        scores = np.full(columns.shape[1], self.start, np.int32)
        for features, thresholds, leaves in zip(
            self.features.tolist(), self.thresholds.tolist(), self.leaves, strict=True
        ):
            leaf = np.zeros(columns.shape[1], np.uint8)
            for feature, threshold in zip(features, thresholds, strict=True):
                leaf = leaf * 2 + (columns[feature] > threshold)
            scores += leaves[leaf]
        return scores


def grow(
    columns: NDArray[np.uint8], labels: NDArray[np.float32], weights: NDArray[np.float64], settings: Settings
) -> tuple[Trees, NDArray[np.int32]]:
    """Returns trees, and the scores of all blocks.

    Args:
        columns: features of the blocks, shape (features, blocks).
        labels: share of each block that is main content.
        weights: of each block; a block of weight 0 teaches nothing.
        settings: how trees are grown.
    """
    taught = weights > 0
    scaled = np.minimum(np.ceil(weights * (_WEIGHTS / weights.sum())), 65535).astype(np.uint16)
    borders, bins = binned(columns, taught, settings.bins)
    whole = np.clip(np.rint(labels * 65535.0), 0, 65535).astype(np.uint16)
    share = float(np.average(labels[taught], weights=weights[taught]))
    share = min(max(share, 0.001), 0.999)
    start = round(math.log(share / (1 - share)) * SCORE_SCALE)
    features, thresholds, leaves, scores = _native.boost(
        bins,
        whole,
        scaled,
        start,
        settings.trees,
        settings.depth,
        settings.bins,
        round(settings.learning_rate * 1024),
        round(settings.regularisation * 4.0 * float(scaled[taught].astype(np.float64).mean())),
        round(settings.sampled_rows * 1024),
        round(settings.sampled_features * 1024),
        settings.seed,
    )
    return Trees(features, borders[features, thresholds], leaves, start), scores


def binned(
    columns: NDArray[np.uint8], taught: NDArray[np.bool_], bins: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns the borders of bins, (features, bins), and the bin of each value, shape of `columns`.

    A value in bin b of feature f is at most borders[f, b]. Bins hold about equally many of the blocks that teach.
    """
    borders = np.full((len(columns), bins), 255, np.uint8)
    binned_columns = np.empty_like(columns)
    for feature, column in enumerate(columns):
        counts = np.bincount(column[taught], minlength=256)
        values = np.nonzero(counts)[0]
        if len(values) > bins:
            # The square root gives rare values, the ends of a feature's range, more bins than quantiles would.
            mass = np.cumsum(np.sqrt(counts))
            places = np.searchsorted(mass, mass[-1] * np.arange(1, bins) / bins)
            values = np.unique(np.append(places, 255))
        values[-1] = 255
        borders[feature, : len(values)] = values
        binned_columns[feature] = np.searchsorted(values, np.arange(256)).astype(np.uint8)[column]
    return borders, binned_columns
