"""Naive Bayes with rounded values, against sums written out by hand."""

import math

import numpy as np

from studies.schaefer_2017.naive_bayes import RoundedNaiveBayes

FEATURES = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [9.0, 1.0], [10.0, 2.0], [11.0, 1.0]])
LABELS = np.array([False, False, False, True, True, True])


def _normal(value: float, mean: float, deviation: float) -> float:
    return 0.5 * (1 + math.erf((value - mean) / deviation / math.sqrt(2)))


def _by_hand(row: np.ndarray) -> bool:
    scores = []
    for label in (False, True):
        total = math.log((3 + 1) / (6 + 2))
        for column, value in enumerate(row):
            distinct = sorted(set(FEATURES[:, column]))
            precision = (distinct[-1] - distinct[0]) / (len(distinct) - 1)
            rounded = [round(x / precision) * precision for x in FEATURES[label == LABELS, column]]
            mean = sum(rounded) / len(rounded)
            deviation = math.sqrt(sum((x - mean) ** 2 for x in rounded) / len(rounded))
            deviation = max(deviation, precision / 6)
            here = round(value / precision) * precision
            share = _normal(here + precision / 2, mean, deviation) - _normal(here - precision / 2, mean, deviation)
            total += math.log(max(share, 1e-75))
        scores.append(total)
    return scores[1] > scores[0]


def test_classes_are_those_of_the_sums_written_out() -> None:
    """Each class's prior and interval probabilities, computed with `math.erf`."""
    rows = np.array([[x / 2, y] for x in range(24) for y in (1.0, 1.5, 2.0)])
    found = RoundedNaiveBayes().fit(FEATURES, LABELS).predict(rows)
    assert found.tolist() == [_by_hand(row) for row in rows]
    assert set(found.tolist()) == {False, True}


def test_a_constant_feature_does_not_decide() -> None:
    """Far values of a feature that was constant are equally improbable in both classes."""
    constant = np.column_stack([FEATURES[:, 0], np.ones(6)])
    found = RoundedNaiveBayes().fit(constant, LABELS).predict(np.array([[0.0, 5.0], [11.0, -5.0]]))
    assert found.tolist() == [False, True]
