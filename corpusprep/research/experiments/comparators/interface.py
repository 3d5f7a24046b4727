"""What every comparator is given and gives back."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from corpusprep.research.experiments.documents import Documents, Features
from corpusprep.research.experiments.postings import sharing

#: Thresholds that a comparator with a share as its score is measured at.
SHARES = (0.01, 0.02, *(step / 20 for step in range(1, 21)))


class Passages(NamedTuple):
    """Passages that two documents share; the arrays are parallel, tokens are counted from 0 in the whole documents.

    The passage of `first` is its tokens first_begin to first_end, the end not included, and so of `second`.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    first_begin: NDArray[np.int64]
    first_end: NDArray[np.int64]
    second_begin: NDArray[np.int64]
    second_end: NDArray[np.int64]
    shared: NDArray[np.int64]  # distinct chunks in both


class Row(NamedTuple):
    """Later documents that a comparator takes for duplicates of one."""

    document: int
    others: NDArray[np.int64]  # ascending
    scores: NDArray[np.float64]  # how alike the comparator takes them to be, the threshold or more
    passages: Passages | None = None  # which parts the pairs share, if the comparator says so


@dataclass(slots=True, frozen=True, eq=False)
class Found:
    """What a comparator says of a corpus: pairs of documents.

    Attributes:
        rows: the pairs, by ascending documents; to be gone through once. They are found on the way, since all pairs of
            a corpus may be too many to hold.
        stored: bytes that the method has to keep of all documents to find the pairs.
    """

    rows: Iterator[Row]
    stored: int

    def scores(self) -> dict[tuple[int, int], float]:
        """The score of each pair."""
        return {
            (row.document, other): score
            for row in self.rows
            for other, score in zip(row.others.tolist(), row.scores.tolist(), strict=True)
        }


class Comparator(Protocol):
    """Anything that finds pairs of duplicate documents in a corpus."""

    @property
    def name(self) -> str:
        """What tables call it, with its parameters."""
        ...

    @property
    def threshold(self) -> float:
        """The lowest score of a duplicate, unless another is asked for."""
        ...

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The scores to measure it at, ascending."""
        ...

    def find(self, documents: Documents, threshold: float | None = None) -> Found:
        """The pairs that share anything and whose score reaches `threshold` (None: its own)."""
        ...


class FeatureComparator(ABC):
    """A comparator that keeps a set of features of each document and compares what two documents share."""

    name: str
    threshold: float
    thresholds: tuple[float, ...] = SHARES

    @abstractmethod
    def features(self, documents: Documents) -> Features:
        """The distinct features that are kept of each document."""

    def score(self, shared: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """The score of documents of `one` and `other` features that share so many: their resemblance (3.2.1)."""
        return np.asarray(shared / (one + other - shared), np.float64)

    def stored(self, features: Features) -> int:
        """Bytes that are kept of the documents: 8 a feature."""
        return features.keys.nbytes

    def find(self, documents: Documents, threshold: float | None = None) -> Found:
        """The pairs that share a feature and whose score reaches `threshold` (None: its own)."""
        features = self.features(documents)
        sizes = features.sizes

        def scored() -> Iterator[Row]:
            for document, others, shared in sharing(features):
                yield Row(document, others, self.score(shared, np.full(len(others), sizes[document]), sizes[others]))

        return Found(above(scored(), self.threshold if threshold is None else threshold), self.stored(features))


def above(rows: Iterable[Row], threshold: float) -> Iterator[Row]:
    """The pairs of rows without passages whose score reaches the threshold."""
    for document, others, scores, _ in rows:
        reached = scores >= threshold
        if reached.any():
            yield Row(document, others[reached], scores[reached])
