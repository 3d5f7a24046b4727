"""The boosting kernel, compared with a plain-Python twin."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plain_hashes import GOLDEN, MASK, mix64

from corpusprep._native import boosting

SCALE = boosting.SCORE_SCALE


def draw(seed: int, a: int, b: int) -> int:
    """SplitMix64 of three numbers, the highest 10 bits."""
    return mix64((seed + GOLDEN * (a + 1) + 0xD1B54A32D192ED03 * (b + 1)) & MASK) >> 54


def toward_zero(a: int, b: int) -> int:
    """C's division of whole numbers."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def twin(columns, labels, weights, start, trees, depth, bins, rate, extra, rows_share, features_share, seed):  # type: ignore[no-untyped-def]
    """Boosts as the kernel does."""
    count = len(labels)
    scores = [start] * count
    taught = [row for row in range(count) if weights[row]]
    splits, leaves = [], []
    for tree in range(trees):
        sums = {}
        for row in taught:
            score = min(max(scores[row], -16 * SCALE), 16 * SCALE)
            step = (score + 16 * SCALE) >> 4
            p = math.floor(65535.0 / (1.0 + math.exp(-((step << 4) - 16 * SCALE) / SCALE)) + 0.5)
            gradient = toward_zero(weights[row] * (labels[row] - p), 1 << 14)
            sums[row] = (gradient, weights[row] * (p * (65535 - p) // 65535) // (1 << 14))
        chosen = [row for row in taught if draw(seed, tree, row) < rows_share]
        leaf = [0] * count
        for level in range(depth):
            best, most = (0, bins - 1), -1.0
            for feature in range(len(columns)):
                if draw(seed + 1, tree * 8 + level, feature) >= features_share:
                    continue
                for threshold in range(bins - 1):
                    gain = 0.0
                    for number in range(1 << level):
                        for above in (False, True):
                            side = [
                                sums[row]
                                for row in chosen
                                if leaf[row] == number and (columns[feature][row] > threshold) == above
                            ]
                            if side:
                                total = float(sum(g for g, _ in side))
                                gain += total * total / (sum(h for _, h in side) + extra)
                    if gain > most + 1e-6 * abs(most):
                        most, best = gain, (feature, threshold)
            splits.append(best)
            leaf = [leaf[row] * 2 + (columns[best[0]][row] > best[1]) for row in range(count)]
        values = []
        for number in range(1 << depth):
            inside = [sums[row] for row in taught if leaf[row] == number]
            step = toward_zero(sum(g for g, _ in inside) * SCALE * rate, 1024)
            values.append(toward_zero(step, max(1, sum(h for _, h in inside) + extra)))
        leaves.append(values)
        scores = [scores[row] + values[leaf[row]] for row in range(count)]
    return splits, leaves, scores


@given(st.integers(0, 2**32), st.integers(1, 3), st.sampled_from([1024, 600]))
@settings(max_examples=30, deadline=None)
def test_trees_are_those_of_the_twin(seed: int, depth: int, share: int) -> None:
    """Splits, leaves and scores are the same; rows of weight 0 are scored and teach nothing."""
    random = np.random.default_rng(seed)
    columns = random.integers(0, 4, (3, 40), dtype=np.uint8)
    labels = random.integers(0, 65536, 40).astype(np.uint16)
    weights = random.integers(0, 3, 40).astype(np.uint16) * random.integers(1, 20_000, 40).astype(np.uint16)
    arguments = (100, 3, depth, 4, 300, 5_000, share, 1024, seed)
    features, thresholds, leaves, scores = boosting.boost(columns, labels, weights, *arguments)
    expected_splits, expected_leaves, expected_scores = twin(
        columns.tolist(), labels.tolist(), weights.tolist(), *arguments
    )
    found = list(zip(features.ravel().tolist(), thresholds.ravel().tolist(), strict=True))
    assert found == expected_splits
    assert leaves.tolist() == expected_leaves
    assert scores.tolist() == expected_scores


def test_a_threshold_is_learnt() -> None:
    """The trees find the only feature that tells the rows apart."""
    random = np.random.default_rng(1)
    columns = random.integers(0, 64, (5, 2_000), dtype=np.uint8)
    labels = np.where(columns[3] > 20, 65535, 0).astype(np.uint16)
    features, thresholds, _, scores = boosting.boost(
        columns, labels, np.full(2_000, 1_000, np.uint16), 0, 30, 2, 64, 300, 1_000, 1024, 1024, 1
    )
    assert (features[0, 0], thresholds[0, 0]) == (3, 20)
    assert np.array_equal(scores > 0, columns[3] > 20)
