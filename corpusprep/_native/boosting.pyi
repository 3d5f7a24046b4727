"""Boosting of oblivious trees (native/research/boosting.hpp)."""

import numpy as np
from numpy.typing import NDArray

SCORE_SCALE: int

def boost(
    columns: NDArray[np.uint8],
    labels: NDArray[np.uint16],
    weights: NDArray[np.uint16],
    start: int,
    trees: int,
    depth: int,
    bins: int,
    learning_rate: int,
    regularisation: int,
    sampled_rows: int,
    sampled_features: int,
    seed: int,
) -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.int16], NDArray[np.int32]]:
    """Returns features and thresholds (trees, depth), leaves (trees, 2^depth) and the scores of all rows."""
