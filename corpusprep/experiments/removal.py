"""What comparators would remove from a corpus, and the duplicate n-grams that stay (Pomikálek 2011, 3.5 and 3.6.4)."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.experiments.comparators.interface import Found
from corpusprep.experiments.documents import Documents


def clusters(found: Found, documents: int) -> NDArray[np.int64]:
    """Clusters of documents by transitivity: the first document of each document's cluster.

    Returns:
        int64, shape (documents,).
    """
    labels = np.arange(documents)
    while True:
        lowest = np.minimum(labels[found.first], labels[found.second])
        after = labels.copy()
        np.minimum.at(after, labels[found.first], lowest)
        np.minimum.at(after, labels[found.second], lowest)
        after = after[after]
        if np.array_equal(after, labels):
            return labels
        labels = after


def removed_documents(found: Found, documents: int) -> NDArray[np.bool_]:
    """All documents but the first of each cluster (3.6.4, "rsmbl. de-dupl")."""
    return np.asarray(clusters(found, documents) != np.arange(documents), np.bool_)


def removed_tokens(found: Found, documents: Documents) -> NDArray[np.bool_]:
    """The tokens that go: the later documents' passages, or where there are none all but one of each cluster.

    Args:
        found: what a comparator said of these documents, or of them without some of their tokens.
        documents: with all tokens.

    Returns:
        bool, shape (tokens,).
    """
    if found.passages is None:
        return np.repeat(removed_documents(found, len(documents)), documents.sizes)
    starts = documents.offsets[found.passages.second]
    edges = np.zeros(len(documents.words) + 1, np.int64)
    np.add.at(edges, starts + found.passages.second_begin, 1)
    np.subtract.at(edges, starts + found.passages.second_end, 1)
    return np.cumsum(edges[:-1]) > 0


def duplicate_instances(documents: Documents, n: int = 10) -> int:
    """How many n-grams the corpus holds that occur twice or more, each counted as often as it occurs (3.6.4)."""
    keys = np.sort(documents.ngrams(n)[0].keys)
    same = keys[1:] == keys[:-1]
    repeated = np.zeros(len(keys), np.bool_)
    repeated[1:] |= same
    repeated[:-1] |= same
    return int(np.count_nonzero(repeated))
