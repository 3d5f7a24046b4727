"""Measures of keywords: how much more frequent an item is in a corpus than in a reference, with intervals by host.

Words of one page, or one host, occur together, so intervals that take each word as drawn by itself are too narrow. Here
hosts are what is drawn: the variance of a relative frequency is that of a ratio of sums over hosts (Cochran 1977, 6.4
and 9A.3), and the variance of a measure follows from it by the delta method. No resampling, no seed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Quantile of the normal distribution for an interval of 95 %.
QUANTILE = 1.959963984540054
#: What is added to both frequencies per million by simple maths (Kilgarriff 2009): 1 prefers rare words, 1,000 common.
ADDED = 1.0
#: Stands for a frequency of 0, whose logarithm does not exist (Hardie 2014).
ABSENT = 0.5

_Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Frequencies of items in one corpus.

    Attributes:
        counts: occurrences of each item, shape (items,).
        tokens: of the corpus.
        variances: of the relative frequencies, over hosts; None: not known, as of a published list.
    """

    counts: _Values
    tokens: float
    variances: _Values | None = None

    @property
    def shares(self) -> _Values:
        """The relative frequencies."""
        return self.counts / self.tokens


def variance_over_hosts(
    counts: NDArray[Any], squares: NDArray[Any], products: NDArray[Any], tokens: int, hosts: int, size_squares: float
) -> _Values:
    """Returns the variance of the relative frequency of each item, where hosts are drawn; NaN for fewer than two hosts.

    Args:
        counts: occurrences of each item, shape (items,).
        squares: sum over hosts of the squares of its occurrences there.
        products: sum over hosts of its occurrences times the tokens of the host.
        tokens: of all hosts.
        hosts: number of hosts.
        size_squares: sum of the squares of the tokens of hosts.
    """
    if hosts < 2:
        return np.full(len(counts), np.nan)
    share = counts / tokens
    residuals = squares - 2 * share * products + share**2 * size_squares
    return np.asarray(np.maximum(residuals, 0) * hosts / (hosts - 1) / float(tokens) ** 2, dtype=np.float64)


def simple_maths(here: Frequencies, there: Frequencies, added: float = ADDED) -> tuple[_Values, _Values]:
    """Returns the quotient of the frequencies per million, with a number added to both (Kilgarriff 2009).

    Returns:
        The quotient of each item; the variance of its logarithm.
    """
    focus, reference = 1e6 * here.shares + added, 1e6 * there.shares + added
    return focus / reference, _relative(here, focus / 1e6) + _relative(there, reference / 1e6)


def log_ratio(here: Frequencies, there: Frequencies) -> tuple[_Values, _Values]:
    """Returns the binary logarithm of the quotient of the relative frequencies (Hardie 2014); and its variance.

    An item that one of the two does not have counts as half an occurrence there.
    """
    focus = np.maximum(here.counts, ABSENT) / here.tokens
    reference = np.maximum(there.counts, ABSENT) / there.tokens
    variance = (_relative(here, focus) + _relative(there, reference)) / np.log(2) ** 2
    return np.log2(focus / reference), variance


def log_likelihood(here: Frequencies, there: Frequencies) -> tuple[_Values, _Values]:
    """Returns the log-likelihood ratio of two frequencies (Dunning 1993; Rayson and Garside 2000); and its variance.

    2 (a ln(a / E1) + b ln(b / E2)), where E1 and E2 share the sum of the counts in proportion to the tokens. It is
    negative for items that are more frequent in the reference. It grows with the corpora: it says how sure a difference
    is, not how large.
    """
    both = here.counts + there.counts
    expected_here = here.tokens * both / (here.tokens + there.tokens)
    expected_there = there.tokens * both / (here.tokens + there.tokens)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [
            np.where(counts > 0, np.log(np.maximum(counts, ABSENT) / expected), 0.0)
            for counts, expected in ((here.counts, expected_here), (there.counts, expected_there))
        ]
    value = 2 * (here.counts * logs[0] + there.counts * logs[1])
    # Its derivatives are 2 ln(a / E1) and 2 ln(b / E2).
    variance = sum(
        (2 * log * side.tokens) ** 2 * (0 if side.variances is None else side.variances)
        for log, side in zip(logs, (here, there), strict=True)
    )
    sign = np.where(here.counts * there.tokens < there.counts * here.tokens, -1.0, 1.0)
    return sign * np.maximum(value, 0), np.asarray(variance, dtype=np.float64)


def interval(name: str, values: _Values, variances: _Values) -> tuple[_Values, _Values]:
    """Returns the interval of 95 % of a measure; NaN where the variance is not known."""
    error = QUANTILE * np.sqrt(variances)
    if name == "simple-maths":  # on the scale of logarithms
        return values * np.exp(-error), values * np.exp(error)
    return values - error, values + error


#: Measure -> its function. All but `simple-maths` give the variance of the measure itself.
MEASURES: dict[str, Callable[[Frequencies, Frequencies], tuple[_Values, _Values]]] = {
    "simple-maths": simple_maths,
    "log-likelihood": log_likelihood,
    "log-ratio": log_ratio,
}


def _relative(side: Frequencies, share: _Values) -> _Values:
    """Returns the variance of the logarithm of a frequency."""
    if side.variances is None:
        return np.zeros(len(share))
    return side.variances / share**2
