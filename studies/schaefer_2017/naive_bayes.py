"""Naive Bayes with normal distributions of rounded values (John and Langley 1995, as in Weka)."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin

#: The least probability of a value, so that one feature alone cannot exclude a class.
LEAST_PROBABILITY = 1e-75
#: The precision of a feature that has one value only.
PRECISION_OF_CONSTANTS = 0.01


class RoundedNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Normal distributions whose deviation and probabilities follow the precision of each feature.

    The precision of a feature is the mean distance of its neighbouring values. Values are rounded to it. A standard
    deviation is at least a sixth of it. A value has the probability of the interval that is rounded to it. So a
    feature that is nearly constant in a class cannot outweigh all others, as it can with densities, which have no
    upper bound.
    """

    def fit(self, features: NDArray[np.float64], labels: NDArray[Any]) -> Self:
        """Learns the distributions.

        Args:
            features: one row per block, one column per feature.
            labels: the class of each block.
        """
        self.classes_ = np.unique(labels)
        self._precision = np.array([_precision(column) for column in np.asarray(features, np.float64).T])
        rounded = self._rounded(features)
        parts = [rounded[labels == label] for label in self.classes_]
        self._means = [part.mean(axis=0) for part in parts]
        self._deviations = [np.maximum(part.std(axis=0), self._precision / 6) for part in parts]
        self._priors = [(len(part) + 1) / (len(rounded) + len(parts)) for part in parts]
        return self

    def predict(self, features: NDArray[np.float64]) -> NDArray[Any]:
        """Returns the most probable class of each row."""
        rounded, scores = self._rounded(features), []
        for mean, deviation, prior in zip(self._means, self._deviations, self._priors, strict=True):
            distance, half = np.abs(rounded - mean) / deviation, self._precision / 2 / deviation
            probability = ndtr(half - distance) - ndtr(-half - distance)
            scores.append(np.log(prior) + np.log(np.maximum(probability, LEAST_PROBABILITY)).sum(axis=1))
        classes: NDArray[Any] = self.classes_[np.argmax(scores, axis=0)]
        return classes

    def _rounded(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        rounded: NDArray[np.float64] = np.round(np.asarray(features, np.float64) / self._precision) * self._precision
        return rounded


def _precision(values: NDArray[np.float64]) -> float:
    distances = np.diff(np.unique(values))
    return float(distances.mean()) if distances.size else PRECISION_OF_CONSTANTS
