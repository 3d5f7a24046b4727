"""Measures of collocations: how strongly two words attract each other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Frequencies of pairs of a node and its collocates.

    Attributes:
        together: occurrences of each collocate in the windows, shape (collocates,).
        node: occurrences of the node.
        collocates: occurrences of each collocate in the corpus.
        tokens: of the corpus.
        window: tokens of all windows.
    """

    together: _Values
    node: float
    collocates: _Values
    tokens: float
    window: float

    @property
    def expected(self) -> _Values:
        """Occurrences in the windows, if the collocates were spread evenly over the corpus."""
        return self.window * self.collocates / self.tokens


def log_dice(pairs: Pairs) -> _Values:
    """Returns 14 + log2 of the Dice coefficient (Rychlý 2008): at most 14, whatever the size of the corpus."""
    return 14 + np.log2(2 * pairs.together / (pairs.node + pairs.collocates))


def cubed_information(pairs: Pairs) -> _Values:
    """Returns the mutual information with a cubed frequency: log2 of observed³ / expected (Daille 1994, MI3)."""
    return np.log2(pairs.together**3 / pairs.expected)


def t_score(pairs: Pairs) -> _Values:
    """Returns (observed - expected) / sqrt(observed) (Church, Gale, Hanks and Hindle 1991)."""
    return (pairs.together - pairs.expected) / np.sqrt(pairs.together)


def log_likelihood(pairs: Pairs) -> _Values:
    """Returns the log-likelihood ratio of the table of windows and other text, of collocate and other words.

    2 Σ O ln(O / E) over its four cells (Dunning 1993). It is negative for words that are rarer in the windows.
    """
    outside = np.maximum(pairs.collocates - pairs.together, 0)
    observed = np.stack(
        [
            pairs.together,
            np.maximum(pairs.window - pairs.together, 0),
            outside,
            np.maximum(pairs.tokens - pairs.window - outside, 0),
        ]
    )
    total = observed.sum(axis=0)
    rows = np.stack([observed[0] + observed[1]] * 2 + [observed[2] + observed[3]] * 2)
    columns = np.stack([observed[0] + observed[2], observed[1] + observed[3]] * 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(observed > 0, observed * np.log(observed * total / (rows * columns)), 0.0)
    sign = np.where(pairs.together < pairs.expected, -1.0, 1.0)
    return np.asarray(sign * 2 * np.maximum(terms.sum(axis=0), 0), dtype=np.float64)


#: Measure -> its function.
MEASURES: dict[str, Callable[[Pairs], _Values]] = {
    "logdice": log_dice,
    "mi3": cubed_information,
    "t-score": t_score,
    "log-likelihood": log_likelihood,
}
