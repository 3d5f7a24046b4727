"""Puts the parts of a trained model together as a model file has them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corpusprep.cleaners import block_models
from corpusprep.cleaners.block_models import BlockModel
from corpusprep.cleaners.content.training.boosting import SCORE_SCALE
from corpusprep.cleaners.content.training.fitting import Parts


def block_model(parts: Parts, thresholds: Mapping[str, int], card: Mapping[str, Any]) -> BlockModel:
    """Returns the model of `content`: in its file the answer of level 0 is the lowest bit of a leaf's number."""
    trees = parts.trees
    number, depth = trees.features.shape
    leaves = np.arange(2**depth)
    mirrored = sum((leaves >> level & 1) << (depth - 1 - level) for level in range(depth))
    return BlockModel(
        "content",
        parts.tables,
        block_models.Trees(
            np.full(number, depth, np.uint8),
            trees.features.astype(np.uint8).ravel(),
            trees.thresholds.ravel(),
            np.ascontiguousarray(trees.leaves[:, mirrored]).ravel(),
            block_models.score_borders(1 / SCORE_SCALE),
            trees.start,
        ),
        dict(thresholds),
        1 / SCORE_SCALE,
        dict(card),
    )
