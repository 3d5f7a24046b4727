from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_Counts = NDArray[np.uint32]

#: The most bytes that one call of Matcher.feed takes.
FEED_SIZE: int
#: Bytes from which a frame of a stream ends, but for its last record.
FRAME_SIZE: int
#: Bytes that a stream ends with.
END_SIZE: int
#: Memory that an n-gram of a chunk takes.
BYTES_PER_NGRAM: int
#: N-grams of a chunk, at most.
MOST_NGRAMS: int
#: What work() of a merge waits for: more bytes of `stream`, from its byte `wanted` on; its output to be taken; or
#: nothing more.
NEEDS_INPUT: int
HAS_OUTPUT: int
DONE: int

def longest_record(end: bytes) -> int:
    """The longest record, in bytes, of the stream that ends so; nothing is checked."""

def document_bytes(record: int, keys: int) -> int:
    """What VerdictPass takes for a document whose record has so many bytes, with so many duplicate n-grams."""

def filter_bytes(keys: int, most: int) -> int:
    """What a filter of so many keys takes if it may take up to `most` bytes; 0 where that is too little for one."""

class Matcher:
    """The n-grams of one batch against the keys of all duplicate n-grams: native/dedup/match.hpp."""

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
    def begin_join(self) -> None: ...
    def join(self, keys: NDArray[np.uint64], first: int) -> None: ...
    def collect(self) -> bool: ...
    @property
    def has_records(self) -> bool: ...
    def run(self) -> Iterator[bytes]: ...
    @property
    def tokens(self) -> int: ...
    @property
    def counted(self) -> int: ...
    @property
    def matches(self) -> int: ...

class RunMerge:
    """Runs of one batch, merged into its stream of matches: native/dedup/matches.hpp."""

    def __init__(self, runs: int, n: int, keys: int, keys_checksum: int, output_size: int) -> None: ...
    def feed(self, stream: int, data: bytes) -> None: ...
    def work(self) -> int: ...
    @property
    def stream(self) -> int: ...
    @property
    def wanted(self) -> int: ...
    def output(self, stream: int) -> bytes: ...

class VerdictPass:
    """The sequential pass over the matches of all batches: native/dedup/dedup.hpp."""

    def __init__(
        self, batches: int, n: int, keys: int, keys_checksum: int, threshold: float, output_size: int
    ) -> None: ...
    def feed(self, stream: int, data: bytes) -> None: ...
    def work(self) -> int: ...
    @property
    def stream(self) -> int: ...
    @property
    def wanted(self) -> int: ...
    def output(self, stream: int) -> bytes: ...
    @property
    def documents(self) -> int: ...

class MatchTable:
    """The good blocks of a stream of matches."""

    def feed(self, data: bytes) -> None: ...
    @property
    def checksum(self) -> int: ...
    def columns(self) -> tuple[_Counts, _Counts, _Counts, _Counts]:
        """Number and good blocks of each document; tokens and counted tokens of each good block.

        Of those that have been fed since they were last asked for.
        """

class VerdictTable:
    """The good blocks of a stream of verdicts."""

    def feed(self, data: bytes) -> None: ...
    @property
    def origin(self) -> int:
        """The checksum of the stream of matches it was made from."""
    def columns(self) -> tuple[_Counts, _Counts, _Counts, NDArray[np.uint8]]:
        """Number and good blocks of each document; covered tokens and verdict code of each good block.

        Of those that have been fed since they were last asked for.
        """
