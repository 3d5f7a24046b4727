"""Scores of block classifiers, against scikit-learn's and plain formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from studies.schaefer_2017 import classifiers, scores
from studies.schaefer_2017.vectors import Vectors

decisions = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(decisions)
def test_scores_are_those_of_scikit_learn(found: list[tuple[bool, bool]]) -> None:
    """Precision, recall, F1, accuracy, and the F1 of both classes weighted by their blocks."""
    truth, called = (np.array(side) for side in zip(*found, strict=True))
    ours = scores.scores(truth, called)
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        truth, called, average="binary", zero_division=1.0
    )
    assert ours.precision == pytest.approx(precision)
    assert ours.recall == pytest.approx(recall)
    assert ours.correct == pytest.approx(metrics.accuracy_score(truth, called))
    if truth.any() and called.any():
        assert ours.f1 == pytest.approx(f1)
    if len(set(truth)) == len(set(called)) == 2:
        fold = scores.Fold(truth, called, 0)
        assert scores.weighted_f1(fold) == pytest.approx(metrics.f1_score(truth, called, average="weighted"))


def test_threshold_at_which_precision_equals_recall() -> None:
    """With four blocks called boilerplate at 0.3 and one false among them, both are three quarters."""
    truth = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=bool)
    probabilities = np.array([0.9, 0.8, 0.7, 0.305, 0.2, 0.1, 0.05, 0.01])
    threshold, found = scores.balanced([scores.Fold(truth, probabilities, 0)])
    assert (threshold, found.precision, found.recall) == (0.21, 0.75, 0.75)


def test_significance_of_differences() -> None:
    """The p value of the corrected t-test: t = mean / sqrt(variance (1/k + 1/(k-1))), with k - 1 degrees."""
    reference = [0.9 + 0.001 * (step % 3) for step in range(10)]
    ours = [score + 0.01 + 0.002 * (step % 2) for step, score in enumerate(reference)]
    mean, variance = 0.011, 10 * 0.001**2 / 9
    t = mean / math.sqrt(variance * (1 / 10 + 1 / 9))
    assert t > 20
    assert scores.significance(ours, reference) < 1e-7
    assert scores.significance(reference, reference) == 1.0
    assert scores.significance([score + (0.5 - step) for step, score in enumerate(reference)], reference) > 0.001


@given(st.integers(1, 5), st.integers(1, 5))
def test_pearson_kernel(left: int, right: int) -> None:
    """1 / (1 + 4 d^2) for each pair of blocks."""
    draw = np.random.default_rng(left * 7 + right)
    rows, columns = draw.random((left, 3)), draw.random((right, 3))
    expected = [[1 / (1 + 4 * sum((a - b) ** 2 for a, b in zip(x, y, strict=True))) for y in columns] for x in rows]
    assert classifiers.pearson_kernel(rows, columns) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in ("MLP", "RF"))) for name in classifiers.CLASSIFIERS],
)
def test_classifiers_learn(name: str) -> None:
    """Each learns a plain rule, and gives the same answer when it learns again."""
    draw = np.random.default_rng(1)
    features = draw.random((160, 5))
    vectors = Vectors(features, features[:, 0] + 0.2 * features[:, 1] > 0.55)
    first = scores.folds(vectors, classifiers.CLASSIFIERS[name], count=3)
    again = scores.folds(vectors, classifiers.CLASSIFIERS[name], count=3)
    if name != "SVM/RBF":  # its kernel is so wide that it needs more blocks
        assert np.mean([scores.weighted_f1(fold) for fold in first]) > 0.6
    for one, other in zip(first, again, strict=True):
        assert (one.called == other.called).all()
    assert sum(len(fold.called) for fold in first) == 160
