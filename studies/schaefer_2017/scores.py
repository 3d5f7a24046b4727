"""Cross-validation and scores of block classifiers. Boilerplate is the class that precision and recall are about."""

import math
import resource
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.schaefer_2017.vectors import Vectors

#: Folds of the cross-validation (Schäfer 2016, 3.1).
FOLDS = 10

#: Thresholds of figure 1 and table 3.
THRESHOLDS = tuple(round(0.01 * step, 2) for step in range(101))


@dataclass(slots=True, frozen=True)
class Scores:
    """What a decision on blocks is worth, each from 0 to 1.

    Attributes:
        precision: share of boilerplate among the blocks called so; 1 if none is.
        recall: share of the boilerplate that is called so.
        correct: share of the blocks that are called what they are.
    """

    precision: float
    recall: float
    correct: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(slots=True, frozen=True)
class Fold:
    """A tenth of the blocks, judged by a classifier that has learned from the others.

    Attributes:
        boilerplate: shape (blocks,): the truth.
        called: shape (blocks,): the classifier's decisions, or its probabilities of boilerplate.
        cpu_seconds: processor time of the decisions.
    """

    boilerplate: NDArray[np.bool_]
    called: NDArray[Any]
    cpu_seconds: float


def folds(vectors: Vectors, make: Callable[[int], Any], probabilities: bool = False, count: int = FOLDS) -> list[Fold]:
    """Cross-validates a classifier; each fold has the same share of boilerplate. Blocks are shuffled with a fixed seed.

    Args:
        vectors: the blocks.
        make: returns an untrained classifier, given the number of features.
        probabilities: whether the folds get probabilities in place of decisions.
        count: number of folds.
    """
    from sklearn.model_selection import StratifiedKFold

    splits = StratifiedKFold(count, shuffle=True, random_state=0).split(vectors.features, vectors.boilerplate)
    return [_fold(vectors, make, learned, judged, probabilities) for learned, judged in splits]


def _fold(
    vectors: Vectors,
    make: Callable[[int], Any],
    learned: NDArray[np.int64],
    judged: NDArray[np.int64],
    probabilities: bool,
) -> Fold:
    classifier = trained(Vectors(vectors.features[learned], vectors.boilerplate[learned]), make)
    blocks = np.ascontiguousarray(vectors.features[judged])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    called = called_by(classifier, blocks, probabilities)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    return Fold(vectors.boilerplate[judged], called, seconds)


def trained(vectors: Vectors, make: Callable[[int], Any]) -> Any:
    """Returns a classifier that has learned from the blocks."""
    classifier = make(vectors.features.shape[1])
    with warnings.catch_warnings():
        # The perceptron stops after a fixed number of rounds, as FANN did; LightGBM's names of features do not matter.
        warnings.simplefilter("ignore")
        return classifier.fit(vectors.features, vectors.boilerplate)


def called_by(classifier: Any, features: NDArray[np.float64], probabilities: bool) -> NDArray[Any]:
    """Returns a trained classifier's decisions on blocks, or its probabilities of boilerplate; shape (blocks,)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if probabilities:
            shares: NDArray[Any] = classifier.predict_proba(features)[:, 1]
            return shares
        return np.asarray(classifier.predict(features), dtype=bool)


def scores(boilerplate: NDArray[np.bool_], called: NDArray[np.bool_]) -> Scores:
    """Returns the scores of decisions; both arrays have the shape (blocks,)."""
    right = int((boilerplate & called).sum())
    marked, true = int(called.sum()), int(boilerplate.sum())
    return Scores(
        right / marked if marked else 1.0, right / true if true else 1.0, float((boilerplate == called).mean())
    )


def at(folds_of_set: list[Fold], threshold: float) -> Scores:
    """Returns the means over folds of the scores with a threshold of the probability."""
    each = [scores(fold.boilerplate, fold.called >= threshold) for fold in folds_of_set]
    return Scores(
        *(float(np.mean([getattr(score, name) for score in each])) for name in ("precision", "recall", "correct"))
    )


def curve(folds_of_set: list[Fold]) -> Iterator[tuple[float, Scores]]:
    """Yields each threshold from 0 to 1 with its scores, means over folds (figure 1)."""
    for threshold in THRESHOLDS:
        yield threshold, at(folds_of_set, threshold)


def balanced(folds_of_set: list[Fold]) -> tuple[float, Scores]:
    """Returns the threshold at which precision and recall are closest, and the scores there (table 3)."""
    return min(curve(folds_of_set), key=lambda point: (abs(point[1].precision - point[1].recall), point[0]))


def weighted_f1(fold: Fold) -> float:
    """Returns the mean of both classes' F1, weighted by their blocks, as Weka prints it (table 5)."""
    truth, called = fold.boilerplate, fold.called.astype(bool)
    return float(sum(side.mean() * scores(side, judged).f1 for side, judged in ((truth, called), (~truth, ~called))))


def significance(ours: list[float], reference: list[float]) -> float:
    """Returns the two-tailed p value of the corrected resampled t-test (Nadeau and Bengio 2003) over folds.

    Args:
        ours: a score per fold.
        reference: the score of the classifier to compare with, for the same folds.
    """
    from scipy import stats

    differences = np.subtract(ours, reference)
    count = len(differences)
    variance = float(differences.var(ddof=1))
    if not variance:
        return 1.0 if not differences.mean() else 0.0
    t = float(differences.mean()) / math.sqrt(variance * (1 / count + 1 / (count - 1)))
    return float(2 * stats.t.sf(abs(t), count - 1))
