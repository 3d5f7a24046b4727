"""What every comparator is given and gives back."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from corpusprep.experiments.documents import Documents, Features
from corpusprep.experiments.postings import sharing

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


@dataclass(slots=True, frozen=True, eq=False)
class Found:
    """What a comparator says of a corpus.

    Attributes:
        first: int64, shape (pairs,): the earlier document of each pair; pairs ascend by (first, second).
        second: int64, shape (pairs,): the later document.
        score: float64, shape (pairs,): how alike the comparator takes them to be, the threshold or more.
        stored: bytes that the method has to keep of all documents to find the pairs.
        passages: which parts the pairs share, if the comparator says so.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    score: NDArray[np.float64]
    stored: int
    passages: Passages | None = None

    def scores(self) -> dict[tuple[int, int], float]:
        """The score of each pair."""
        return dict(zip(zip(self.first.tolist(), self.second.tolist(), strict=True), self.score.tolist(), strict=True))


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

        def scored() -> Iterator[ScoredRow]:
            for document, others, shared in sharing(features):
                yield document, others, self.score(shared, np.full(len(others), sizes[document]), sizes[others])

        return collected(scored(), self.threshold if threshold is None else threshold, self.stored(features))


#: A document, later documents that it is compared with, and their scores.
ScoredRow = tuple[int, NDArray[np.int64], NDArray[np.float64]]


def collected(rows: Iterable[ScoredRow], threshold: float, stored: int) -> Found:
    """The pairs of the rows, which ascend by document, whose score reaches the threshold."""
    first, second, scores = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for document, others, score in rows:
        reached = score >= threshold
        first.append(np.full(np.count_nonzero(reached), document, np.int64))
        second.append(others[reached])
        scores.append(score[reached])
    return Found(np.concatenate(first), np.concatenate(second), np.concatenate(scores), stored)
