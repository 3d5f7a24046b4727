"""Finds text reuse by valid intervals (Kasprzak, Brandejs and Křipač 2009; Pomikálek 2011, 3.2.6)."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import SHARES, FoundPairs, PairScore, Passages
from corpusprep.reuse.documents import Documents, Features, as_sets, counted_offsets
from corpusprep.reuse.postings import sharing

_Places = NDArray[np.int64]
#: A document, and later ones that have enough chunks in common with it.
_Candidates = tuple[int, _Places]


class ValidIntervals:
    """Finds passages that two documents share: intervals of each with many chunks of the other.

    A chunk is an n-gram. Documents with at least `least` chunks in common are compared. A pair of passages is a pair of
    valid intervals. Two conditions hold: between neighbouring chunks of one interval that also occur in the other there
    are at most `gap` tokens; and the intervals have at least `least` distinct chunks in common. The thesis states the
    second condition only for documents; without it every common chunk would be a passage.

    The score of a pair is the share of a document's tokens in passages; the higher of the two shares counts.

    Args:
        n: words in a chunk.
        least: chunks.
        gap: tokens.
        threshold: of the score; 0 takes any passage.
    """

    thresholds = SHARES

    def __init__(self, n: int = 5, least: int = 20, gap: int = 50, threshold: float = 0.0) -> None:
        self.name = f"valid intervals n={n} least={least} gap={gap}"
        self.n, self.least, self.gap, self.threshold = n, least, gap, threshold

    def find(self, documents: Documents, threshold: float | None = None) -> FoundPairs:
        """Finds the pairs that share passages and whose score reaches `threshold` (None: the default).

        `stored` is the inverted index: a hash, a document and a position, 16 bytes per chunk.
        """
        return self._compare(documents, self._candidates(documents), self.threshold if threshold is None else threshold)

    def between(self, documents: Documents, ones: NDArray[np.bool_]) -> FoundPairs:
        """Finds such pairs of a document where `ones`, of shape (documents,), is set and one where it is not."""
        candidates = (
            (document, others[ones[others] != ones[document]]) for document, others in self._candidates(documents)
        )
        return self._compare(documents, candidates, self.threshold)

    def _candidates(self, documents: Documents) -> Iterator[_Candidates]:
        """Yields the pairs with enough chunks in common."""
        for document, others, shared in sharing(as_sets(documents.ngrams(self.n)[0])):
            yield document, others[shared >= self.least]

    def _compare(self, documents: Documents, candidates: Iterator[_Candidates], lowest: float) -> FoundPairs:
        chunks = _Chunks.of(documents, self.n)
        sizes, places, offsets = documents.sizes, documents.places, documents.offsets

        def row(first: int, others: NDArray[np.int64]) -> PairScore:
            scores: dict[int, float] = {}
            intervals: list[tuple[int, ...]] = []
            for second in others.tolist():
                own = list(self._intervals(chunks, first, second))
                if not own:
                    continue
                score = max(covered(i[0:2] for i in own) / sizes[first], covered(i[2:4] for i in own) / sizes[second])
                if score < lowest:
                    continue
                scores[second] = float(score)
                places_of_first, other = places[offsets[first] :], places[offsets[second] :]
                for begin, end, other_begin, other_end, shared in own:
                    other_interval = other[other_begin], other[other_end - 1] + 1
                    intervals.append(
                        (first, second, places_of_first[begin], places_of_first[end - 1] + 1, *other_interval, shared)
                    )
            passages = Passages(*np.array(intervals, np.int64).reshape(-1, 7).T)
            return PairScore(first, np.array([*scores], np.int64), np.array([*scores.values()], np.float64), passages)

        rows = (row(first, others) for first, others in candidates if len(others))
        return FoundPairs((row for row in rows if len(row.others)), 16 * chunks.stored)

    def _intervals(self, chunks: "_Chunks", first: int, second: int) -> Iterator[tuple[int, int, int, int, int]]:
        """Yields (begin, end, other begin, other end, distinct chunks) of the passages, in counted tokens, in order."""
        chunks_of_first, other = chunks.of_document(first), chunks.of_document(second)
        waiting = [(chunks.common(chunks_of_first, other), chunks.common(other, chunks_of_first))]
        stable = []
        while waiting:
            mine, other_interval = waiting.pop()
            if min(len(mine.ids), len(other_interval.ids)) < self.least or len(np.unique(mine.ids)) < self.least:
                continue
            parts = self._dense(mine)
            others = self._dense(other_interval)
            if len(parts) > 1:
                waiting += [(part, chunks.common(other_interval, part)) for part in parts]
            elif len(others) > 1:
                waiting += [(chunks.common(mine, part), part) for part in others]
            else:
                stable.append((mine, other_interval))
        for mine, other_interval in sorted(stable, key=lambda pair: (pair[0].starts[0], pair[1].starts[0])):
            yield (
                int(mine.starts[0]),
                int(mine.starts[-1]) + self.n,
                int(other_interval.starts[0]),
                int(other_interval.starts[-1]) + self.n,
                len(np.unique(mine.ids)),
            )

    def _dense(self, chunks: "_Occurrences") -> list["_Occurrences"]:
        """Cuts the occurrences where the gap between two is too wide."""
        cuts = np.flatnonzero(np.diff(chunks.starts) - self.n > self.gap) + 1
        if not len(cuts):
            return [chunks]
        return [
            _Occurrences(ids, starts)
            for ids, starts in zip(np.split(chunks.ids, cuts), np.split(chunks.starts, cuts), strict=True)
        ]


class _Occurrences(NamedTuple):
    """Chunks and the tokens where they start, from 0 in the document, ascending."""

    ids: _Places
    starts: _Places


class _Chunks:
    """The chunks of all documents that occur in more than one, as ids."""

    def __init__(self, ids: _Places, starts: _Places, offsets: _Places, count: int, stored: int) -> None:
        self._ids, self._starts, self._offsets = ids, starts, offsets
        self._marks = np.zeros(count, np.bool_)
        self.stored = stored

    @classmethod
    def of(cls, documents: Documents, n: int) -> "_Chunks":
        ngrams, starts = documents.ngrams(n)
        keys, ids = np.unique(ngrams.keys, return_inverse=True)
        sets = as_sets(Features(ids.astype(np.uint64), ngrams.offsets))
        several = np.bincount(sets.keys.astype(np.int64), minlength=len(keys))[ids] > 1
        local = starts - np.repeat(documents.offsets[:-1], ngrams.sizes)
        offsets = counted_offsets(several, ngrams.offsets)
        return cls(ids[several], local[several], offsets, len(keys), len(ids))

    def of_document(self, document: int) -> _Occurrences:
        """Returns the chunks of a document."""
        own = slice(self._offsets[document], self._offsets[document + 1])
        return _Occurrences(self._ids[own], self._starts[own])

    def common(self, chunks: _Occurrences, others: _Occurrences) -> _Occurrences:
        """Returns the occurrences whose chunk is among the others."""
        self._marks[others.ids] = True
        mask = self._marks[chunks.ids]
        self._marks[others.ids] = False
        return _Occurrences(chunks.ids[mask], chunks.starts[mask])


def covered(intervals: Iterable[tuple[int, int]]) -> int:
    """Returns the number of tokens in any of the intervals."""
    total, reached = 0, 0
    for begin, end in sorted(intervals):
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total
