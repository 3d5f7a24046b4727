"""How many features each two documents share, by an inverted index (Pomikálek 2011, 3.2.1, "Finding near-duplicate
document pairs").

The thesis expands the list of each feature's documents to pairs and sorts these. Here the lists are walked document
by document, so that the pairs of one document alone are in memory at a time; and features with the same list of
documents, such as the n-grams of one copied passage, are counted together.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep.research.experiments.documents import Features, offsets_of, ranges
from corpusprep.research.experiments.hashing import GOLDEN, mix64

#: Entries of lists that are looked at together: 48 MB with their counts.
TOGETHER = 1 << 21


class Sharing(NamedTuple):
    """The documents that share features with one, `document`, and come after it."""

    document: int
    others: NDArray[np.int64]  # ascending
    shared: NDArray[np.int64]  # how many distinct features each shares with it, 1 or more


def sharing(sets: Features) -> Iterator[Sharing]:
    """For each document that shares a feature with a later one, those documents and how much they share.

    Takes about 60 bytes a feature, and beside that what one document shares.

    Args:
        sets: distinct features of each document (documents.as_sets).
    """
    lists = _Lists.of(sets)
    for document in range(len(sets)):
        own = slice(lists.offsets[document], lists.offsets[document + 1])
        begins, weights = lists.places[own] + 1, lists.weights[own]
        lengths = lists.ends[own] - begins
        others, shared = _counted(lists.owners, begins, lengths, weights, document, len(sets))
        if len(others):
            yield Sharing(document, others, shared)


class _Lists(NamedTuple):
    """Lists of documents, each of two or more, ascending, and which document stands where in which list."""

    owners: NDArray[np.int64]  # the lists, one after the other
    offsets: NDArray[np.int64]  # of the documents into the three below, shape (documents + 1,)
    places: NDArray[np.int64]  # where the document stands, an index into owners
    ends: NDArray[np.int64]  # where that list ends
    weights: NDArray[np.int64]  # how many features have that list

    @classmethod
    def of(cls, sets: Features) -> "_Lists":
        order = np.argsort(sets.keys, kind="stable")
        keys, owners = sets.keys[order], sets.owners[order]
        starts, lengths = _runs(keys)
        several = lengths > 1
        starts, lengths = starts[several], lengths[several]
        owners = owners[np.repeat(several, _runs(keys)[1])]
        starts = np.cumsum(lengths) - lengths
        # A sum of mixed numbers says which documents a list holds, as surely as 64 bits can.
        contents = np.add.reduceat(mix64((owners + 1).astype(np.uint64) * GOLDEN), starts) if len(starts) else keys[:0]
        _, chosen, weights = np.unique(contents, return_index=True, return_counts=True)
        starts, lengths = starts[chosen], lengths[chosen]
        owners = owners[ranges(starts, lengths)]
        ends = np.repeat(np.cumsum(lengths), lengths)
        by_document = np.argsort(owners, kind="stable")
        offsets = offsets_of(np.bincount(owners, minlength=len(sets)))
        return cls(owners, offsets, by_document, ends[by_document], np.repeat(weights, lengths)[by_document])


def _runs(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts and lengths of the runs of equal keys."""
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.empty(0, np.int64)
    return starts, np.diff(starts, append=len(keys))


def _counted(
    owners: NDArray[np.int64],
    begins: NDArray[np.int64],
    lengths: NDArray[np.int64],
    weights: NDArray[np.int64],
    document: int,
    documents: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The documents that stand in the ranges of owners, ascending, and the sum of the weights of each."""
    total = int(lengths.sum())
    if total < documents - document:
        found = owners[ranges(begins, lengths)]
        others, places = np.unique(found, return_inverse=True)
        counts = np.bincount(places, np.repeat(weights, lengths), len(others))
        return others, counts.astype(np.int64)
    sums = np.zeros(documents - document - 1)
    cuts = np.searchsorted(np.cumsum(lengths), np.arange(TOGETHER, total + TOGETHER, TOGETHER), side="left") + 1
    first = 0
    for end in cuts.tolist():
        part = slice(first, end)
        found = owners[ranges(begins[part], lengths[part])] - document - 1
        sums += np.bincount(found, np.repeat(weights[part], lengths[part]), len(sums))
        first = end
    others = np.flatnonzero(sums)
    return others + document + 1, sums[others].astype(np.int64)
