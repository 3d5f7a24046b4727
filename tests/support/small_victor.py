"""Small models of Victor, made by hand or at random."""

import numpy as np
from hypothesis import strategies as st

from corpusprep.cleaners.victor.victor_models import OTHER, UNITS, VictorModel, victor_features

NAMES = [one.name for one in victor_features()]


def small_victor() -> VictorModel:
    """Long blocks are content, blocks of links are not, and blocks are like the block before."""
    return VictorModel(
        (OTHER, "content"),
        np.array([NAMES.index("words"), NAMES.index("link_density")], np.uint16),
        np.array([0, 0], np.int8),
        (np.array([10], np.uint8), np.array([100], np.uint8)),
        np.array([[2, 0], [0, 3], [0, 0], [0, 0], [4, 0], [0, 0]], np.int32) * UNITS,
        np.array([[1, 0], [0, 1]], np.int32) * UNITS,
        {"name": "small", "sets": [{"name": "made"}]},
    )


@st.composite
def chains(draw: st.DrawFn) -> VictorModel:
    """Models with any labels, attributes and weights."""
    labels = draw(st.sampled_from([(OTHER, "content"), ("header", OTHER, "list"), ("a", "b", "c", "d", OTHER)]))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    attributes = draw(st.integers(0, 12))
    borders = tuple(
        np.sort(numbers.choice(256, numbers.integers(0, 5), replace=False)).astype(np.uint8) for _ in range(attributes)
    )
    size = draw(st.sampled_from([3, UNITS, 1 << 22]))
    rows = sum(len(one) + 2 for one in borders)
    return VictorModel(
        labels,
        numbers.integers(0, len(NAMES), attributes).astype(np.uint16),
        numbers.integers(-2, 3, attributes).astype(np.int8),
        borders,
        numbers.integers(-size, size + 1, (rows, len(labels))).astype(np.int32),
        numbers.integers(-size, size + 1, (len(labels),) * 2).astype(np.int32),
    )
