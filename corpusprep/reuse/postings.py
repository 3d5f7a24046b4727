"""Counts the features that two documents share, with an inverted index (Pomikálek 2011, 3.2.1, "Finding
near-duplicate document pairs").

The thesis expands the list of each feature's documents to pairs and sorts the pairs. Here the lists are read document
by document, so that only the pairs of one document are in memory. Features with the same list of documents, such as
the n-grams of one copied passage, are counted together.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.documents import Features, offsets_of, ranges
from corpusprep.reuse.hashing import GOLDEN, mix64

#: Entries of lists that are counted at once: 48 MB with their counts.
ENTRIES_AT_ONCE = 1 << 21


class Sharing(NamedTuple):
    """The documents that share features with one, `document`, and come after it."""

    document: int
    others: NDArray[np.int64]  # ascending
    shared: NDArray[np.int64]  # how many distinct features each shares with it, 1 or more


def sharing(sets: Features) -> Iterator[Sharing]:
    """Yields, for each document that shares features with later ones, these documents and how many they share.

    Needs about 60 bytes per feature, and memory for the pairs of one document.

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
    """Lists of two or more documents, ascending, and the positions of each document in them."""

    owners: NDArray[np.int64]  # the lists, one after the other
    offsets: NDArray[np.int64]  # of the documents into the three below, shape (documents + 1,)
    places: NDArray[np.int64]  # position of the document, an index into owners
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
        # A sum of mixed numbers identifies the documents of a list, up to collisions of 64 bits.
        contents = np.add.reduceat(mix64((owners + 1).astype(np.uint64) * GOLDEN), starts) if len(starts) else keys[:0]
        _, chosen, weights = np.unique(contents, return_index=True, return_counts=True)
        starts, lengths = starts[chosen], lengths[chosen]
        owners = owners[ranges(starts, lengths)]
        ends = np.repeat(np.cumsum(lengths), lengths)
        by_document = np.argsort(owners, kind="stable")
        offsets = offsets_of(np.bincount(owners, minlength=len(sets)))
        return cls(owners, offsets, by_document, ends[by_document], np.repeat(weights, lengths)[by_document])


def _runs(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns starts and lengths of the runs of equal keys."""
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
    """Returns the documents in the ranges of owners, ascending, and the sum of the weights of each."""
    total = int(lengths.sum())
    if total < documents - document:
        owner = owners[ranges(begins, lengths)]
        others, places = np.unique(owner, return_inverse=True)
        counts = np.bincount(places, np.repeat(weights, lengths), len(others))
        return others, counts.astype(np.int64)
    sums = np.zeros(documents - document - 1)
    cuts = (
        np.searchsorted(
            np.cumsum(lengths), np.arange(ENTRIES_AT_ONCE, total + ENTRIES_AT_ONCE, ENTRIES_AT_ONCE), side="left"
        )
        + 1
    )
    first = 0
    for end in cuts.tolist():
        part = slice(first, end)
        owner = owners[ranges(begins[part], lengths[part])] - document - 1
        sums += np.bincount(owner, np.repeat(weights[part], lengths[part]), len(sums))
        first = end
    others = np.flatnonzero(sums)
    return others + document + 1, sums[others].astype(np.int64)
