"""Precision, recall and F from counts: micro and macro averages, bootstrap intervals (Pomikálek 2011, 2.9.1)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Samples that an interval is made of, and the seed they are drawn with.
SAMPLES, SEED = 2_000, 20_110_101


class Counts(NamedTuple):
    """What was found rightly, found wrongly, and missed: words or characters, of a page or of many."""

    true_positives: int
    false_positives: int
    false_negatives: int


class Scores(NamedTuple):
    """Precision, recall, F1 and F0.5, in percent."""

    precision: float
    recall: float
    f1: float
    f05: float


def scores(counts: Sequence[int]) -> Scores:
    """The scores of one page, or of the sums over many (micro average); 0 where nothing can be divided by.

    >>> scores(Counts(6, 2, 3)).precision
    75.0
    """
    precision, recall, f1, f05 = _scores(np.asarray(counts, np.float64))
    return Scores(float(precision), float(recall), float(f1), float(f05))


def micro(pages: Sequence[Counts]) -> Scores:
    """The scores of all pages as if they were one."""
    return scores(np.asarray(pages, np.int64).reshape(-1, 3).sum(axis=0).tolist())


def macro(pages: Sequence[Counts]) -> Scores:
    """The mean over pages of their scores; a page without gold words that got none is perfect."""
    if not pages:
        return Scores(0.0, 0.0, 0.0, 0.0)
    counts = np.asarray(pages, np.float64)
    each = _scores(counts)
    each[:, counts.sum(axis=1) == 0] = 100.0
    return Scores(*(float(value) for value in each.mean(axis=1)))


def intervals(pages: Sequence[Counts], samples: int = SAMPLES) -> tuple[tuple[float, float], tuple[float, float]]:
    """The 95 % bootstrap intervals of the micro-averaged F1 and F0.5 over pages drawn with replacement.

    The draws depend on the number of pages and the seed alone, so that algorithms are compared on the
    same draws.
    """
    if not pages:
        return (0.0, 0.0), (0.0, 0.0)
    counts = np.asarray(pages, np.float64)
    drawn = np.random.default_rng(SEED).multinomial(len(pages), np.full(len(pages), 1 / len(pages)), samples)
    low, high = np.percentile(_scores(drawn @ counts)[2:], [2.5, 97.5], axis=1)
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def _scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Precision, recall, F1 and F0.5 in percent, shape (4, …), of counts of shape (…, 3)."""
    found, extra, missed = counts[..., 0], counts[..., 1], counts[..., 2]
    precision = found / np.maximum(found + extra, 1)
    recall = found / np.maximum(found + missed, 1)

    def f(beta: float) -> NDArray[np.float64]:
        weight = beta * beta
        divisor = weight * precision + recall
        return np.divide((1 + weight) * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)

    return 100 * np.stack([precision, recall, f(1.0), f(0.5)])
