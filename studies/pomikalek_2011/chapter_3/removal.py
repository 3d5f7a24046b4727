"""Finds the tokens that comparators remove, and counts the duplicate n-grams left (Pomikálek 2011, 3.5 and 3.6.4)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.comparator import FoundPairs, Passages
from corpusprep.reuse.documents import Documents


class Clusters:
    """Clusters of documents: the transitive closure of pairs.

    Args:
        documents: number of documents.
    """

    def __init__(self, documents: int) -> None:
        self._earlier = np.arange(documents)  # an earlier document of the same cluster, or the document itself

    def unite(self, document: int, others: NDArray[np.int64]) -> None:
        """Puts a document and others, of shape (documents,), into one cluster."""
        members = np.append(others, document)
        firsts = self._firsts(members)
        self._earlier[members] = self._earlier[firsts] = firsts.min()

    def firsts(self) -> NDArray[np.int64]:
        """Returns the first document of each document's cluster, shape (documents,)."""
        return self._firsts(np.arange(len(self._earlier)))

    def _firsts(self, members: NDArray[np.int64]) -> NDArray[np.int64]:
        nearest = self._earlier[members]
        while not np.array_equal(nearest, earlier := self._earlier[nearest]):
            nearest = earlier
        return nearest


def removed_tokens(found_pairs: FoundPairs, documents: Documents) -> tuple[NDArray[np.bool_], int]:
    """Returns the tokens to remove: shared passages of the later documents, or whole later documents of a cluster.

    The first document of each cluster stays (3.6.4, "rsmbl. de-dupl").

    Args:
        found_pairs: what a comparator found in these documents, possibly without some of their tokens.
        documents: with all tokens.

    Returns:
        bool, shape (tokens,); the number of pairs found.
    """
    clusters = Clusters(len(documents))
    edges = np.zeros(len(documents.words) + 1, np.int32)
    pairs = 0
    for row in found_pairs.rows:
        pairs += len(row.others)
        if row.passages is None:
            clusters.unite(row.document, row.others)
        else:
            _mark(edges, row.passages, documents)
    later = clusters.firsts() != np.arange(len(documents))
    return np.repeat(later, documents.sizes) | (np.cumsum(edges[:-1]) > 0), pairs


def _mark(edges: NDArray[np.int32], passages: Passages, documents: Documents) -> None:
    """Counts, at each token of the later documents, the passages that begin there minus those that end there."""
    starts = documents.offsets[passages.second]
    np.add.at(edges, starts + passages.second_begin, 1)
    np.subtract.at(edges, starts + passages.second_end, 1)


def duplicate_instances(documents: Documents, n: int = 10) -> int:
    """Counts the instances of n-grams that occur twice or more in the corpus (3.6.4)."""
    keys = np.sort(documents.ngrams(n)[0].keys)
    same = keys[1:] == keys[:-1]
    repeated = np.zeros(len(keys), np.bool_)
    repeated[1:] |= same
    repeated[:-1] |= same
    return int(np.count_nonzero(repeated))
