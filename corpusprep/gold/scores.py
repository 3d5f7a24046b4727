"""Computes precision, recall and F from counts: micro and macro averages, bootstrap intervals (2.9.1)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Samples of an interval, and the seed of their draws.
SAMPLES, SEED = 2_000, 20_110_101


class Counts(NamedTuple):
    """True positives, false positives and false negatives: words or characters, of one page or many."""

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
    """Returns the scores of one page, or of the sums over many pages (micro average); 0 instead of a division by 0.

    >>> scores(Counts(6, 2, 3)).precision
    75.0
    """
    precision, recall, f1, f05 = _scores(np.asarray(counts, np.float64))
    return Scores(float(precision), float(recall), float(f1), float(f05))


def micro(pages: Sequence[Counts]) -> Scores:
    """Returns the scores of all pages taken as one."""
    return scores(np.asarray(pages, np.int64).reshape(-1, 3).sum(axis=0).tolist())


def macro(pages: Sequence[Counts]) -> Scores:
    """Returns the mean of the pages' scores; a page without gold words and without found words scores 100."""
    if not pages:
        return Scores(0.0, 0.0, 0.0, 0.0)
    counts = np.asarray(pages, np.float64)
    each = _scores(counts)
    each[:, counts.sum(axis=1) == 0] = 100.0
    return Scores(*(float(value) for value in each.mean(axis=1)))


def intervals(pages: Sequence[Counts], samples: int = SAMPLES) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns the 95 % bootstrap intervals of the micro-averaged F1 and F0.5, for pages drawn with replacement.

    The draws depend only on the number of pages and the seed, so that algorithms are compared on the same draws.
    """
    if not pages:
        return (0.0, 0.0), (0.0, 0.0)
    counts = np.asarray(pages, np.float64)
    drawn = np.random.default_rng(SEED).multinomial(len(pages), np.full(len(pages), 1 / len(pages)), samples)
    low, high = np.percentile(_scores(drawn @ counts)[2:], [2.5, 97.5], axis=1)
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def paired_interval(
    ours: Sequence[Counts], others: Sequence[Counts], samples: int = SAMPLES
) -> tuple[float, tuple[float, float]]:
    """Returns our micro-averaged F1 minus theirs, with its 95 % bootstrap interval: both on the same draws of pages."""
    if not ours:
        return 0.0, (0.0, 0.0)
    draws = np.random.default_rng(SEED).multinomial(len(ours), np.full(len(ours), 1 / len(ours)), samples)
    drawn = draws.astype(np.float64)
    both = [_scores(drawn @ np.asarray(pages, np.float64))[2] for pages in (ours, others)]
    low, high = np.percentile(both[0] - both[1], [2.5, 97.5])
    return micro(ours).f1 - micro(others).f1, (float(low), float(high))


def mean_interval(sets: Sequence[Sequence[Counts]], samples: int = SAMPLES) -> tuple[float, float]:
    """Returns the 95 % bootstrap interval of the mean over sets of the micro-averaged F1: pages are drawn by set.

    A set without pages scores 0, as in `micro`.
    """
    if not any(sets):
        return 0.0, 0.0
    sums = np.zeros(samples)
    for place, pages in enumerate(sets):
        if not pages:
            continue
        shares = np.full(len(pages), 1 / len(pages))
        draws = np.random.default_rng([SEED, place]).multinomial(len(pages), shares, samples)
        sums += _scores(draws.astype(np.float64) @ np.asarray(pages, np.float64))[2]
    low, high = np.percentile(sums / len(sets), [2.5, 97.5])
    return float(low), float(high)


def _scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns precision, recall, F1 and F0.5 in percent, shape (4, …), for counts of shape (…, 3)."""
    hits, extra, missed = counts[..., 0], counts[..., 1], counts[..., 2]
    precision = hits / np.maximum(hits + extra, 1)
    recall = hits / np.maximum(hits + missed, 1)

    def f(beta: float) -> NDArray[np.float64]:
        weight = beta * beta
        divisor = weight * precision + recall
        return np.divide((1 + weight) * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)

    return 100 * np.stack([precision, recall, f(1.0), f(0.5)])
