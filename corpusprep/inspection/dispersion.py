"""Measures of how evenly items are spread over a corpus: average reduced frequency, deviation of proportions.

All functions take the occurrences of many items at once, as arrays.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def average_reduced_frequency(items: NDArray[Any], places: NDArray[Any], tokens: int) -> NDArray[np.float64]:
    """Returns the average reduced frequency of each item (Savický and Hlaváčová 2002, ARF).

    The corpus is a circle. v is the mean distance between two occurrences: its tokens divided by the frequency. Of each
    distance between neighbours at most v counts, and the sum is divided by v. An item that is spread evenly has its
    frequency; one whose occurrences are all together has little more than 1.

    Args:
        items: number of the item of each occurrence, ascending from 0, without gaps; shape (occurrences,).
        places: number of its token in the corpus, from 0, ascending for each item.
        tokens: number of tokens of the corpus.
    """
    if not len(items):
        return np.zeros(0)
    frequencies = np.bincount(items)
    firsts = np.concatenate([[0], np.cumsum(frequencies)[:-1]])
    distances = np.diff(places.astype(np.int64), prepend=0)
    lasts = firsts + frequencies - 1
    distances[firsts] = places[firsts].astype(np.int64) + tokens - places[lasts].astype(np.int64)
    mean = tokens / frequencies
    long = distances > mean[items]
    # Sums of whole numbers, which do not depend on the order.
    near = np.bincount(items, weights=np.where(long, 0, distances))
    return np.asarray(near / mean + np.bincount(items, weights=long), dtype=np.float64)


class ReducedFrequency:
    """The average reduced frequency of one item whose places come in pieces: the same number as of all at once."""

    def __init__(self, frequency: int, tokens: int) -> None:
        """Takes the frequency of the item, and the number of tokens of the corpus."""
        self._mean, self._tokens = tokens / frequency, tokens
        self._first = self._last = -1
        self._near = self._long = 0

    def add(self, places: NDArray[np.int64]) -> None:
        """Takes places in ascending order, behind those before."""
        if self._last < 0:
            self._first = self._last = int(places[0])
            places = places[1:]
        self._count(np.diff(places, prepend=self._last))
        self._last = int(places[-1]) if len(places) else self._last

    def value(self) -> float:
        """Returns the frequency; call it last."""
        self._count(np.array([self._first + self._tokens - self._last]))
        return self._near / self._mean + self._long

    def _count(self, distances: NDArray[np.int64]) -> None:
        long = distances > self._mean
        self._near += int(distances[~long].sum())
        self._long += int(long.sum())


def deviation_of_proportions(
    items: NDArray[Any], counts: NDArray[Any], parts: NDArray[Any], sizes: NDArray[Any]
) -> NDArray[np.float64]:
    """Returns the deviation of proportions of each item (Gries 2008, DP): 0 is spread as the text is, near 1 in few.

    Half the sum, over all parts of the corpus, of the difference between the share of the item's occurrences and the
    share of the text.

    Args:
        items: number of an item, from 0, per part that has it; shape (pairs,), in any order.
        counts: its occurrences in the part.
        parts: number of the part.
        sizes: tokens of each part, shape (parts,).
    """
    if not len(items):
        return np.zeros(0)
    frequencies = np.bincount(items, weights=counts)
    expected = (sizes / sizes.sum())[parts]
    differences = np.bincount(items, weights=np.abs(counts / frequencies[items] - expected))
    absent = 1 - np.bincount(items, weights=expected)
    return np.asarray((differences + np.maximum(absent, 0)) / 2, dtype=np.float64)
