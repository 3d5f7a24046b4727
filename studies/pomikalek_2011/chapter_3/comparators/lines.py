"""Hashes of lines (Shivakumar and Garcia-Molina 1998; Pomikálek 2011, 3.2.4).

"Finding near-replicas of documents on the Web". A line of a plain text is a line of its file. A line of a corpus is a
block: block-level elements end the lines that a browser shows.
"""

import numpy as np

from corpusprep.reuse.comparator import FeatureComparator
from corpusprep.reuse.documents import Documents, Features, as_sets, offsets_of
from corpusprep.reuse.hashing import GOLDEN, mix64


class LineHashes(FeatureComparator):
    """Keeps a 32-bit hash of each n lines of a document, one after the other; the score is their resemblance.

    Lines without words do not count. The last hash of a document may have fewer lines. A line that is added or removed
    changes all hashes after it, unless it is the last of its n lines.

    Args:
        lines: n; 2 and 4 in the paper.
        threshold: of the resemblance.
    """

    def __init__(self, lines: int = 2, threshold: float = 0.5) -> None:
        self.name = f"hashes of {lines} lines"
        self.threshold = threshold
        self._lines = lines

    def features(self, documents: Documents) -> Features:
        """Returns the distinct hashes of each document."""
        owners = documents.owners
        first = np.ones(len(owners), np.bool_)
        first[1:] = (owners[1:] != owners[:-1]) | (documents.lines[1:] != documents.lines[:-1])
        line_starts = np.flatnonzero(first)
        line_owners = owners[line_starts]
        line_counts = np.bincount(line_owners, minlength=len(documents)).astype(np.int64)
        numbers = np.arange(len(line_starts)) - np.repeat(offsets_of(line_counts)[:-1], line_counts)
        begins = numbers % self._lines == 0
        starts, chunk_owners = line_starts[begins], line_owners[begins]
        if not len(starts):
            return Features(np.zeros(0, np.uint64), np.zeros(len(documents) + 1, np.int64))
        ranks = np.arange(len(owners)) - np.repeat(starts, np.diff([*starts.tolist(), len(owners)]))
        placed = mix64(documents.word_keys[documents.words] ^ mix64((ranks.astype(np.uint64) + np.uint64(1)) * GOLDEN))
        hashes = mix64(np.add.reduceat(placed, starts)) >> np.uint64(32)
        counts = np.bincount(chunk_owners, minlength=len(documents))
        return as_sets(Features(hashes, offsets_of(counts)))

    def stored(self, features: Features) -> int:
        """Returns the bytes that are kept of the documents: 4 per hash."""
        return features.keys.nbytes // 2
