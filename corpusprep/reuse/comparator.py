"""The interface of comparators: input, output and a base class."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.documents import Documents, Features
from corpusprep.reuse.postings import sharing

#: Thresholds for measuring a comparator whose score is a share.
SHARES = (0.01, 0.02, *(step / 20 for step in range(1, 21)))


class Passages(NamedTuple):
    """Passages that two documents share, in parallel arrays; positions are tokens of the whole documents, from 0.

    The passage of `first` is its tokens first_begin to first_end (exclusive), and `second` likewise.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    first_begin: NDArray[np.int64]
    first_end: NDArray[np.int64]
    second_begin: NDArray[np.int64]
    second_end: NDArray[np.int64]
    shared: NDArray[np.int64]  # distinct chunks in both


class PairScore(NamedTuple):
    """Later documents that a comparator calls duplicates of one document."""

    document: int
    others: NDArray[np.int64]  # ascending
    scores: NDArray[np.float64]  # similarity by the comparator, the threshold or more
    passages: Passages | None = None  # parts that the pairs share, if the comparator finds them


@dataclass(slots=True, frozen=True, eq=False)
class FoundPairs:
    """The pairs of documents that a comparator finds in a corpus.

    Attributes:
        rows: the pairs, by ascending documents. The iterator finds them while it is read, and can be read once: all
            pairs of a corpus may be too many for the memory.
        stored: bytes that the method keeps of all documents to find the pairs.
    """

    rows: Iterator[PairScore]
    stored: int

    def scores(self) -> dict[tuple[int, int], float]:
        """Returns the score of each pair."""
        return {
            (row.document, other): score
            for row in self.rows
            for other, score in zip(row.others.tolist(), row.scores.tolist(), strict=True)
        }


class Comparator(Protocol):
    """Anything that finds pairs of duplicate documents in a corpus."""

    @property
    def name(self) -> str:
        """The name in tables, with the parameters."""
        ...

    @property
    def threshold(self) -> float:
        """The default lowest score of a duplicate."""
        ...

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The thresholds for measuring the comparator, ascending."""
        ...

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs that share a feature and whose score reaches `threshold` (None: the default)."""
        ...


class FeatureComparator(ABC):
    """A comparator that keeps a set of features per document and scores pairs by their shared features."""

    name: str
    threshold: float
    thresholds: tuple[float, ...] = SHARES

    @abstractmethod
    def features(self, documents: Documents) -> Features:
        """Returns the distinct features that are kept of each document."""

    def score(
        self, shared: NDArray[np.int64], first: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Returns the score of documents with `one` and `other` features, `shared` in common: resemblance (3.2.1)."""
        return np.asarray(shared / (first + other - shared), np.float64)

    def stored(self, features: Features) -> int:
        """Returns the bytes that are kept of the documents: 8 per feature."""
        return features.keys.nbytes

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs that share a feature and whose score reaches `threshold` (None: the default)."""
        features = self.features(documents)
        sizes = features.sizes

        def scored() -> Iterator[PairScore]:
            for document, others, shared in sharing(features):
                yield PairScore(
                    document, others, self.score(shared, np.full(len(others), sizes[document]), sizes[others])
                )

        return FoundPairs(above(scored(), self.threshold if threshold is None else threshold), self.stored(features))


def above(rows: Iterable[PairScore], threshold: float) -> Iterator[PairScore]:
    """Yields the pairs whose score reaches the threshold, from rows without passages."""
    for document, others, scores, _ in rows:
        reached = scores >= threshold
        if reached.any():
            yield PairScore(document, others[reached], scores[reached])
