"""Small models of blocks, made by hand."""

import numpy as np
from hypothesis import strategies as st
from support.plain_names import fnv

from corpusprep.cleaners.block_models import BlockModel, Trees, score_borders
from corpusprep.pages.features import Tables, feature_descriptions

NAMES = [one.name for one in feature_descriptions()]
SCALE = 0.01
NAMED = np.array(sorted(fnv(word.encode()) for word in ("content", "sidebar")), np.uint32)
CONTENT_FIRST = NAMED[0] == fnv(b"content")


def small_model(algorithm: str = "content", language: str = "") -> BlockModel:
    """Long blocks are content (0.95), but not with links (0.27), nor are short ones (0.05); names weigh more."""
    weights = [[100, 100], [-100, -100]]
    tables = Tables(
        NAMED,
        np.array(weights if CONTENT_FIRST else weights[::-1], np.int8),
        np.array([fnv([ord(c) for c in "related"])], np.uint32),
        np.array([[-60]], np.int8),
    )
    trees = Trees(
        depths=np.array([2, 1, 1, 0], np.uint8),
        features=np.array(
            [NAMES.index(name) for name in ("words", "link_density", "name_chain", "name_chain")], np.uint8
        ),
        thresholds=np.array([10, 100, 200, 60], np.uint8),
        leaves=np.array([-300, 300, -300, -100, 0, 500, -500, 0, 1], np.int16),
        borders=score_borders(SCALE),
        bias=-1,
    )
    return BlockModel(
        algorithm,
        tables,
        trees,
        {"precision": 900, "balanced": 500, "recall": 150},
        SCALE,
        {"name": "small", "f1_by_threshold": {"0.5": "91.2"}},
        language,
    )


@st.composite
def forests(draw: st.DrawFn) -> Trees:
    """Trees of any depth over any features."""
    depths = draw(st.lists(st.integers(0, 8), max_size=6))
    levels = sum(depths)
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return Trees(
        depths=np.array(depths, np.uint8),
        features=numbers.integers(0, len(NAMES), levels).astype(np.uint8),
        thresholds=numbers.integers(0, 256, levels).astype(np.uint8),
        leaves=numbers.integers(-(2**15), 2**15, sum(2**depth for depth in depths)).astype(np.int16),
        borders=score_borders(draw(st.sampled_from([1e-4, 0.01, 1.0]))),
        bias=draw(st.integers(-1000, 1000)),
    )


def plain_sum(trees: Trees, values: list[int]) -> int:
    """The sum of the leaves of a block with these features, and the bias."""
    total, level, leaf = trees.bias, 0, 0
    for depth in trees.depths.tolist():
        bits = [
            int(values[trees.features[place]] > trees.thresholds[place]) << bit
            for bit, place in enumerate(range(level, level + depth))
        ]
        total += int(trees.leaves[leaf + sum(bits)])
        level, leaf = level + depth, leaf + 2**depth
    return total
