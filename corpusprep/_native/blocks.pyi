"""Block de-duplication (native/dedup/{match,matches,dedup}.hpp)."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_Counts = NDArray[np.uint32]
_Keys = NDArray[np.uint64]

#: The largest piece that Matcher.feed takes, in bytes.
FEED_SIZE: int
#: A frame of a stream ends when it has this many bytes or more.
FRAME_SIZE: int
#: Bytes at the end of a stream, for longest_record.
END_SIZE: int
#: Memory per n-gram of a chunk.
BYTES_PER_NGRAM: int
#: The largest chunk, in n-grams.
MOST_NGRAMS: int
#: Why work() of a merge returns: it needs bytes of `stream` from position `wanted` on; its output must be taken; or all
#: is done.
NEEDS_INPUT: int
HAS_OUTPUT: int
DONE: int

#: What ClusterPass says of a document that waits for another pass.
UNDECIDED: int
#: Memory of ClusterPass per entry of its index; each n-gram takes 8 bytes more.
BYTES_PER_ENTRY: int

def longest_record(end: bytes) -> int:
    """Returns the size of the longest record of the stream that ends with these bytes. Nothing is checked."""

def document_bytes(record: int, keys: int) -> int:
    """Returns the memory of VerdictPass for a document with a record of `record` bytes; there are `keys` n-grams."""

def filter_bytes(keys: int, most: int) -> int:
    """Returns the size of a filter of `keys` keys that takes up to `most` bytes; 0 if that is too little."""

class Matcher:
    """Finds the duplicate n-grams of one batch among the keys of duplicate n-grams (match.hpp)."""

    def __init__(
        self,
        n: int,
        keys: int,
        keys_checksum: int,
        count_punctuation: bool,
        stop_words: Sequence[str],
        kept: NDArray[np.uint8],
        ranks: NDArray[np.uint64],
        block_starts: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        capacity: int,
        store_size: int,
        filter_bytes: int = 0,
    ) -> None: ...
    def filter(self, keys: NDArray[np.uint64]) -> None: ...
    def feed(self, data: bytes | memoryview) -> None: ...
    def finish(self) -> None: ...
    @property
    def chunk_full(self) -> bool: ...
    @property
    def wrong_document(self) -> int: ...
    def begin_join(self, keys: int) -> None: ...
    def join(
        self, keys: NDArray[np.uint64], numbers: NDArray[np.uint64], checks: NDArray[np.uint32] | None = None
    ) -> None: ...
    def collect(self) -> bool: ...
    def run(self) -> Iterator[bytes]: ...
    @property
    def matches(self) -> int: ...

class RunMerge:
    """Merges runs of one batch into its stream of matches (matches.hpp)."""

    def __init__(self, runs: int, n: int, keys: int, keys_checksum: int, output_size: int) -> None: ...
    def feed(self, stream: int, data: bytes) -> None: ...
    def work(self) -> int: ...
    @property
    def stream(self) -> int: ...
    @property
    def wanted(self) -> int: ...
    def output(self, stream: int) -> bytes: ...

class VerdictPass:
    """The sequential pass over the matches of all batches (dedup.hpp)."""

    def __init__(
        self,
        batches: int,
        n: int,
        keys: int,
        keys_checksum: int,
        threshold: float,
        output_size: int,
        documents: bool = False,
        blocks: bool = True,
        smoothing: bool = True,
        as_written: bool = False,
        near_duplicates: bytes = b"",
    ) -> None:
        """Starts a pass on documents, on blocks, or on both; `as_written` is for blocks alone.

        `near_duplicates` has one bit per rank, the lowest of a byte first: 1 for documents that are left out.

        Raises:
            ValueError: the choices contradict each other.
        """
    def feed(self, stream: int, data: bytes) -> None: ...
    def work(self) -> int: ...
    @property
    def stream(self) -> int: ...
    @property
    def wanted(self) -> int: ...
    def output(self, stream: int) -> bytes: ...
    @property
    def documents(self) -> int: ...

class ClusterCandidates:
    """The documents of a stream of matches that can be near-duplicates of others (clusters.hpp)."""

    def __init__(self, share: float) -> None:
        """Starts a stream.

        Raises:
            ValueError: the share is not over 0 and at most 1.
        """
    def feed(self, data: bytes) -> None: ...
    def columns(self) -> tuple[_Counts, _Keys, _Counts, _Counts, _Keys]:
        """Returns of each document: number, rank, distinct n-grams, duplicate ones among these; and the latter.

        The numbers of a document's duplicate n-grams ascend; those of all documents follow each other. Only documents
        that were fed since the last call.
        """

class ClusterPass:
    """Clusters of near-duplicates around the documents that stay (clusters.hpp)."""

    def __init__(self, share: float, counters: int, most_keys: int, most_entries: int) -> None:
        """Makes an index with room for `most_keys` n-grams of documents that stay, and `most_entries` rare ones.

        Raises:
            ValueError: the share is not over 0 and at most 1; there is no counter; or too many entries.
        """
    def count(self, keys: _Keys) -> None:
        """Counts the n-grams of documents; must be called for all of them before the first pass."""
    def decide(self, ranks: _Keys, ngrams: _Counts, sizes: _Counts, keys: _Keys) -> tuple[_Keys, NDArray[np.float64]]:
        """Decides on the next documents, in the order of preference, which ClusterCandidates gives the columns of.

        Returns:
            The rank of the document that stays for each, or UNDECIDED; and their resemblance.

        Raises:
            ValueError: the arrays do not fit each other.
        """
    def restart(self) -> None:
        """Starts another pass, over the documents that were not decided about, in their order."""

class MatchTable:
    """The good blocks of a stream of matches."""

    def feed(self, data: bytes) -> None: ...
    @property
    def checksum(self) -> int: ...
    def columns(self) -> tuple[_Counts, _Counts, _Counts, _Counts]:
        """Returns number and good blocks of each document; tokens and counted tokens of each good block.

        Only rows that were fed since the last call.
        """

class VerdictTable:
    """The good blocks of a stream of verdicts."""

    def feed(self, data: bytes) -> None: ...
    @property
    def origin(self) -> int:
        """The checksum of the stream of matches that it was made from."""
    def columns(self) -> tuple[_Counts, _Counts, _Counts, NDArray[np.uint8]]:
        """Returns number and good blocks of each document; covered tokens and verdict code of each good block.

        Only rows that were fed since the last call.
        """
