"""Duplicate n-grams: word lists, the lexicon, compressed runs, their merge (native/dedup/).

Files that are missing, damaged or of another version raise StageFileError with their name. Errors of the system,
such as a full disk, raise OSError. Memory limits are arguments; each says what it bounds.
"""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import NamedTuple

from typing_extensions import Buffer

#: The longest n-gram.
LONGEST_NGRAM: int
#: Memory of StreamRunBuilder per token of its `chunk_tokens`.
BYTES_PER_TOKEN: int
#: The same in addition, if there are several parts.
PART_BYTES_PER_TOKEN: int
#: Memory of DuplicateCollector per key of its `capacity`.
BYTES_PER_KEY: int
#: Memory of DuplicateCollector.places per n-gram.
BYTES_PER_PLACE: int
#: Memory of StreamRunBuilder per word of the largest section of the stream.
BYTES_PER_WORD: int
#: Memory of CandidateCounter per run, beside its buffer.
BYTES_PER_RUN: int
#: The smallest capacity of WordCounter, in keys of four bytes each.
MIN_CAPACITY: int
#: Number of partitions of keys.
PARTITIONS: int
#: The range of all words, for merge_words: from the first word to before the second; an empty one is no limit.
ALL_WORDS: tuple[bytes, bytes]
#: Bytes of a block of a word list.
WORD_BLOCK_BYTES: int
#: Memory of NgramPartitioner per key of its `capacity`.
BYTES_PER_LONG_KEY: int

class WordListHeader(NamedTuple):
    """The header of a word list. A lexicon counts hapaxes but does not list them."""

    words: int
    hapaxes: int
    tokens: int
    checksum: int

class Run(NamedTuple):
    """Where a run is."""

    path: str
    offset: int
    bytes: int
    entries: int
    checksum: int

class RunsHeader(NamedTuple):
    """The header of a file of runs."""

    n: int
    lexicon: int  # checksum of the lexicon that gave the ids
    selection: int
    documents: int  # read, whether selected or not
    tokens: int  # counted tokens of the selected documents
    ngrams: int  # instances of n-grams, including those that cannot be duplicates
    hapaxes: int  # counted tokens that the lexicon does not list
    parts: int  # ranges of keys; run i has n-grams of part i % parts
    runs: list[Run]

class TokenStreamHeader(NamedTuple):
    """The header of a stream of counted tokens."""

    selection: int  # digest of the settings that decide which tokens count
    documents: int  # read, whether selected or not
    tokens: int
    most_words: int  # distinct words of the largest section

class KeyRun(NamedTuple):
    """Where a run of keys is."""

    path: str
    offset: int
    keys: int
    checksum: int

class KeysHeader(NamedTuple):
    """The header of a file of keys."""

    n: int
    selection: int
    parts: int  # ranges of keys; run i has keys of part i % parts
    left_out: int  # further instances of keys that are twice in a run
    tokens: int  # that the n-grams are made of
    runs: list[KeyRun]

class CandidatesHeader(NamedTuple):
    """The header of a filter of candidates."""

    n: int
    selection: int
    candidates: int
    cells: int  # of eight bytes each

class CandidateTotals(NamedTuple):
    """The results of CandidateCounter."""

    keys: int
    candidates: int  # distinct keys that occur twice or more

class DuplicateTotals(NamedTuple):
    """The results of DuplicateCollector."""

    keys: int
    instances: int
    collisions: int
    checksum: int

def checksum(data: Buffer) -> int:
    """Returns the checksum of a section, as stage files hold it."""

def checksum_of_pieces(pieces: Iterable[Buffer]) -> int:
    """Returns the checksum of a section that is given in pieces."""

def word_key(word: bytes) -> int:
    """Returns the 64-bit key of a word (hash.hpp)."""

def ngram_key(words: Iterable[bytes]) -> int:
    """Returns the 64-bit key of an n-gram of these words (hash.hpp)."""

def word_list_header(path: str | PathLike[str], kind: str = "words") -> WordListHeader:
    """Returns the checked header of a word list of kind `words` or `lexicon`."""

def read_words(path: str | PathLike[str], kind: str = "words") -> list[tuple[bytes, int]]:
    """Returns the words of a list, in the order of their bytes, with their frequencies. All in memory."""

def word_range(paths: Sequence[str | PathLike[str]], part: int, parts: int) -> tuple[bytes, bytes]:
    """Returns the range of words of a part, for merge_words. All `parts` together have all words of these lists.

    The parts have about as many bytes each, as far as whole blocks allow it. Takes 128 bytes per block of the lists.
    """

def merge_words(
    paths: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    kind: str,
    buffer_bytes: int,
    words: tuple[bytes, bytes] = ...,
    block_bytes: int = ...,
) -> WordListHeader:
    """Merges a range of the words of lists of kind `words` into a list of `kind`, with blocks of `block_bytes`.

    Each list takes `buffer_bytes` and an open file.
    """

def join_lexicons(parts: Sequence[str | PathLike[str]], output: str | PathLike[str]) -> WordListHeader:
    """Joins the lexicons of ascending ranges of words into one."""

class WordCounter:
    """Counts the words of the documents of a vertical. In the same pass, prepares its n-grams."""

    def __init__(
        self,
        documents: bytes | None = None,
        tokens: str | PathLike[str] | None = None,
        keys: str | PathLike[str] | None = None,
        n: int = 0,
        capacity: int = 0,
        count_punctuation: bool = True,
        stop_words: Iterable[str] = (),
        selection: int = 0,
        parts: int = 1,
    ) -> None:
        """Takes `documents`, one byte per document in order, 0 if it is left out; None takes all.

        The file `tokens` gets the ids of the tokens that count. The file `keys` gets the partitioned keys of their
        n-grams; up to `capacity` (MIN_CAPACITY or more) keys of four bytes are held at once. Each time that they are
        full they give a run for each of `parts` (1 to 32,768) ranges of keys.
        """

    def feed(self, chunk: bytes) -> None:
        """Takes the next bytes of the vertical, split anywhere."""

    def finish(self) -> None:
        """Must be called after the last chunk."""

    @property
    def documents(self) -> int:
        """Documents so far."""

    @property
    def memory(self) -> int:
        """Bytes that all may take after the next growth, except the keys."""

    @property
    def full(self) -> bool:
        """Whether write() must be called before the next feed()."""

    def write(self, path: str | PathLike[str]) -> None:
        """Writes the words counted since the last write, and forgets them."""

    def close(self) -> None:
        """Must be called after finish() and the last write(). Completes the files of tokens and keys."""

def token_stream_header(path: str | PathLike[str]) -> TokenStreamHeader:
    """Returns the checked header of a stream of counted tokens."""

def read_keys_header(path: str | PathLike[str], all_ngrams: bool = False) -> KeysHeader:
    """Returns the checked header and index of a file of keys of WordCounter, or of NgramPartitioner (`all_ngrams`)."""

def largest_partition(runs: Sequence[KeyRun], part: int = 0, parts: int = 1) -> int:
    """Returns the number of keys of the largest partition of runs of one part, for plans."""

def merge_keys(
    runs: Sequence[KeyRun], output: str | PathLike[str], buffer_bytes: int, part: int = 0, parts: int = 1
) -> None:
    """Merges runs of keys, all of the same part, into a file of one run.

    Each takes `buffer_bytes`, BYTES_PER_RUN and an open file.
    """

class CandidateCounter:
    """Counts the keys of runs, and writes the filter of those that occur twice or more."""

    def __init__(
        self,
        runs: Sequence[KeyRun],
        buffer_bytes: int,
        output: str | PathLike[str],
        n: int,
        selection: int,
        threads: int = 1,
        part: int = 0,
        parts: int = 1,
    ) -> None:
        """Takes runs of one part, each `buffer_bytes` and BYTES_PER_RUN, and bytes_for().

        The file does not depend on `threads`. The filters of other parts are empty in it.
        """

    @staticmethod
    def bytes_for(largest: int, threads: int = 1) -> int:
        """Returns the memory of counting beside the runs, if the largest partition has `largest` keys."""

    def advance(self) -> bool:
        """Counts the next partitions. Returns False once after the last, when the file is complete."""

    @property
    def totals(self) -> CandidateTotals:
        """The results so far."""

def join_candidates(parts: Sequence[str | PathLike[str]], output: str | PathLike[str]) -> None:
    """Joins the filters of all parts, in their order, into the filter of the corpus."""

def candidates_header(path: str | PathLike[str]) -> CandidatesHeader:
    """Returns the checked header of a filter of candidates."""

def candidates_index(path: str | PathLike[str]) -> list[int]:
    """Returns how many cells come before each partition, then the number of all cells: PARTITIONS + 1 numbers."""

class CandidateFilter:
    """A filter in memory: eight bytes per cell."""

    def __init__(self, path: str | PathLike[str], first: int = 0, end: int = ...) -> None:
        """Holds the partitions from `first` to before `end`. Keys of other partitions do not pass."""

class StreamRunBuilder:
    """Makes the runs of a batch from its stream of counted tokens."""

    def __init__(
        self,
        path: str | PathLike[str],
        tokens: str | PathLike[str],
        lexicon: str | PathLike[str],
        n: int,
        chunk_tokens: int,
        parts: int = 1,
    ) -> None:
        """Takes BYTES_PER_TOKEN * chunk_tokens bytes, and BYTES_PER_WORD per word of the largest section.

        Each chunk gives a run for each of `parts` (1 to 32,768) ranges of keys.
        """

    def start(self, candidates: CandidateFilter | None = None) -> None:
        """Starts again with the first token, for the n-grams that `candidates` passes, or for all."""

    def advance(self) -> bool:
        """Takes about a million more tokens. Returns False when all were taken."""

    def finish(self) -> None:
        """Must be called after the last pass. Completes the file."""

def read_runs_header(path: str | PathLike[str]) -> RunsHeader:
    """Returns the checked header and index of a file of runs."""

def read_run(run: Run, n: int) -> list[tuple[tuple[int, ...], int]]:
    """Returns the n-grams of a run, as word ids, with their counts. All in memory."""

def merge_runs(runs: Sequence[Run], n: int, output: str | PathLike[str], buffer_bytes: int) -> None:
    """Merges runs into a file of one run. Each takes `buffer_bytes` and an open file."""

class DuplicateCollector:
    """Merges runs and collects the keys of the n-grams that occur twice or more."""

    def __init__(
        self,
        runs: Sequence[Run],
        n: int,
        lexicon: str | PathLike[str],
        buffer_bytes: int,
        capacity: int,
        spill: str | PathLike[str],
    ) -> None:
        """Takes 8 bytes per word of the lexicon, BYTES_PER_KEY * capacity bytes, and `buffer_bytes` per run.

        More than `capacity` keys go to the file `spill`, which the caller removes.
        """

    def advance(self, entries: int) -> bool:
        """Merges about `entries` more entries of the runs. Returns False when all were merged."""

    def write(self, path: str | PathLike[str], header_bytes: int) -> DuplicateTotals:
        """Writes `header_bytes` zeros, the keys (u64, ascending) and their counts (u32; 2^32 - 1 stands for more)."""

    def places(self, runs: Sequence[Run], keys: Buffer, expected: int) -> bytes:
        """Returns which of ascending keys (u64) n-grams of these runs have, in ascending order.

        Each row has the place of a key (u64), the check of the n-gram (u32; n-grams that differ agree in key and check
        in one of 2^96 cases), and zeros (u32). Must be called after write(). Takes BYTES_PER_PLACE per n-gram of the
        runs whose key is in the range of the keys; room for `expected` of them is reserved.
        """

class RepeatedTotals(NamedTuple):
    """The results of RepeatedNgramCounter."""

    types: int  # keys that occur twice or more
    instances: int  # of these

class NgramPartitioner:
    """Writes the keys of all n-grams of a vertical."""

    def __init__(
        self,
        path: str | PathLike[str],
        n: int,
        capacity: int,
        documents: bytes | None = None,
        parts: int = 1,
    ) -> None:
        """Holds `capacity` (MIN_CAPACITY or more) keys at once; `documents` as in WordCounter.

        Each time that they are full they give a run for each of `parts` (1 to 32,768) ranges of keys.
        """

    def feed(self, chunk: bytes) -> None:
        """Takes the next bytes of the vertical, split anywhere."""

    def finish(self) -> None:
        """Must be called after the last chunk. Completes the file."""

    @property
    def documents(self) -> int:
        """Documents so far."""

def merge_long_keys(
    runs: Sequence[KeyRun], output: str | PathLike[str], buffer_bytes: int, part: int = 0, parts: int = 1
) -> None:
    """Merges runs of NgramPartitioner, all of the same part, into a file of one run."""

class RepeatedNgramCounter:
    """Counts the keys of runs of NgramPartitioner that occur twice or more."""

    def __init__(
        self, runs: Sequence[KeyRun], buffer_bytes: int, part: int = 0, parts: int = 1, slices: int = 1
    ) -> None:
        """Takes runs of one part, each `buffer_bytes` and BYTES_PER_RUN, and bytes_for().

        All runs are read once per slice. The totals do not depend on their number.
        """

    @staticmethod
    def bytes_for(largest: int, slices: int = 1) -> int:
        """Returns the memory of counting beside the runs, if the largest partition has `largest` keys."""

    def advance(self) -> bool:
        """Counts some more partitions. Returns False once after the last."""

    @property
    def totals(self) -> RepeatedTotals:
        """The results so far."""
