"""Fits a logistic regression over sparse 0/1 features: the weights of words in the tables of a model."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

#: Steps that L-BFGS remembers, and the most steps it takes.
_MEMORY, _STEPS = 8, 14


def fit(
    rows: NDArray[np.int64],
    features: NDArray[np.int64],
    number: int,
    positive: Vector,
    total: Vector,
    regularisation: float,
) -> Vector:
    """Returns the weights of the features, and last the bias (Nocedal and Wright 2006, 7.2).

    Args:
        rows: the row of each entry of the matrix, ascending.
        features: the feature of each entry.
        number: of features.
        positive: shape (rows,): each row's weight of positive examples.
        total: shape (rows,): each row's weight of all examples.
        regularisation: the factor of half the sum of squared weights; the bias is free.
    """
    shares = np.divide(positive, total, out=np.zeros_like(total), where=total > 0)

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = np.bincount(rows, weights[features], len(total)) + weights[-1]
        likelihood = np.logaddexp(0.0, scores) - shares * scores
        errors = total * (1.0 / (1.0 + np.exp(-np.clip(scores, -30.0, 30.0))) - shares)
        gradient = np.append(np.bincount(features, errors[rows], number), errors.sum())
        gradient[:-1] += regularisation * weights[:-1]
        return float(total @ likelihood + 0.5 * regularisation * (weights[:-1] @ weights[:-1])), gradient

    return _minimise(loss, np.zeros(number + 1))


def _minimise(loss: Callable[[Vector], tuple[float, Vector]], start: Vector) -> Vector:
    """Returns where a convex function is least, by L-BFGS with halved steps."""
    point, (value, gradient) = start, loss(start)
    steps: list[Vector] = []
    changes: list[Vector] = []
    for _ in range(_STEPS):
        direction = -_curved(gradient, steps, changes)
        slope = float(gradient @ direction)
        length = 1.0 if steps else 1.0 / max(1.0, float(np.abs(gradient).max()))
        for _ in range(30):
            there = point + length * direction
            value_there, gradient_there = loss(there)
            if value_there <= value + 1e-4 * length * slope:
                break
            length /= 2
        else:
            return point
        step, change = there - point, gradient_there - gradient
        if float(step @ change) > 1e-10:
            steps, changes = [*steps, step][-_MEMORY:], [*changes, change][-_MEMORY:]
        done = value - value_there < 1e-6 * max(1.0, abs(value))
        point, value, gradient = there, value_there, gradient_there
        if done:
            break
    return point


def _curved(gradient: Vector, steps: list[Vector], changes: list[Vector]) -> Vector:
    """Returns the gradient times the estimated inverse of the second derivative."""
    curved = gradient.copy()
    factors = []
    for step, change in zip(reversed(steps), reversed(changes), strict=True):
        factor = float(step @ curved) / float(step @ change)
        curved -= factor * change
        factors.append(factor)
    if steps:
        curved *= float(steps[-1] @ changes[-1]) / float(changes[-1] @ changes[-1])
    for step, change, factor in zip(steps, changes, reversed(factors), strict=True):
        curved += step * (factor - float(change @ curved) / float(step @ change))
    return curved
