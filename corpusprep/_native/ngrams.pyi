"""Duplicate n-grams: word lists, the lexicon, compressed runs, their merge (native/dedup/).

Files that are missing, damaged or of another version raise StageFileError with their name; a full disk
and the like raise OSError. Memory limits are arguments; each says what it bounds.
"""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import NamedTuple

from typing_extensions import Buffer

#: The longest n-gram that is taken.
LONGEST_NGRAM: int
#: Memory of RunBuilder for each of its `chunk_tokens`.
BYTES_PER_TOKEN: int
#: Memory of DuplicateCollector for each key of its `capacity`.
BYTES_PER_KEY: int
#: Memory of StreamRunBuilder for each word of the stream's largest section.
BYTES_PER_WORD: int
#: Memory of CandidateCounter for a run, beside its buffer.
BYTES_PER_RUN: int
#: The least keys that WordCounter takes as its capacity, of four bytes each.
MIN_CAPACITY: int
#: Into how many partitions keys are divided.
PARTITIONS: int

class WordListHeader(NamedTuple):
    """What the header of a word list says. A lexicon does not list hapaxes, it counts them."""

    words: int
    hapaxes: int
    tokens: int
    checksum: int
    memory: int  # bytes that Lexicon takes, if the list is a lexicon

class Run(NamedTuple):
    """Where a run lies."""

    path: str
    offset: int
    bytes: int
    entries: int
    checksum: int

class RunsHeader(NamedTuple):
    """What the header of a file of runs says."""

    n: int
    lexicon: int  # checksum of the lexicon that gave the ids
    selection: int
    documents: int  # read, whether taken or not
    tokens: int  # counted tokens of the documents taken
    ngrams: int  # instances of n-grams, those that cannot be duplicates included
    hapaxes: int  # counted tokens that the lexicon does not list
    runs: list[Run]

class TokenStreamHeader(NamedTuple):
    """What the header of a stream of counted tokens says."""

    selection: int  # of the tokens that count
    documents: int  # read, whether taken or not
    tokens: int
    most_words: int  # distinct, of a section

class KeyRun(NamedTuple):
    """Where a run of keys lies."""

    path: str
    offset: int
    keys: int
    checksum: int

class KeysHeader(NamedTuple):
    """What the header of a file of keys says."""

    n: int
    selection: int
    runs: list[KeyRun]

class CandidatesHeader(NamedTuple):
    """What the header of a filter of candidates says."""

    n: int
    selection: int
    candidates: int
    cells: int  # of eight bytes each

class CandidateTotals(NamedTuple):
    """What CandidateCounter counted."""

    keys: int
    candidates: int  # distinct keys that came twice or more

class DuplicateTotals(NamedTuple):
    """What DuplicateCollector.write wrote."""

    keys: int
    instances: int
    collisions: int
    checksum: int

def checksum(data: Buffer) -> int:
    """The checksum that stage files carry of their sections."""

def checksum_of_pieces(pieces: Iterable[Buffer]) -> int:
    """The same of a section that comes in pieces."""

def word_key(word: bytes) -> int:
    """The 64-bit key of a word (hash.hpp)."""

def ngram_key(words: Iterable[bytes]) -> int:
    """The 64-bit key of an n-gram of these words (hash.hpp)."""

def word_list_header(path: str | PathLike[str], kind: str = "words") -> WordListHeader:
    """The checked header of a word list of the kind `words` or `lexicon`."""

def read_words(path: str | PathLike[str], kind: str = "words") -> list[tuple[bytes, int]]:
    """A word list's words, in the order of their bytes, with their frequencies. All in memory."""

def merge_words(
    paths: Sequence[str | PathLike[str]], output: str | PathLike[str], kind: str, buffer_bytes: int
) -> WordListHeader:
    """Merges word lists of the kind `words` into one of `kind`; `buffer_bytes` and an open file for each."""

class WordCounter:
    """Counts the words of the documents of a vertical; in the same pass, what n-grams need."""

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
    ) -> None:
        """`documents`: a byte a document in order, 0 where it is left out; None takes all.

        The file `tokens` gets the tokens that count as ids, the file `keys` the partitioned keys of their n-grams of
        n, of which up to `capacity` (MIN_CAPACITY or more) are held at once, in four bytes each.
        """

    def feed(self, chunk: bytes) -> None:
        """The next bytes of the vertical, split anywhere."""

    def finish(self) -> None:
        """After the last chunk."""

    @property
    def documents(self) -> int:
        """Documents seen so far."""

    @property
    def memory(self) -> int:
        """Bytes that the next growth may take in all, the keys held left aside."""

    @property
    def full(self) -> bool:
        """Whether write() is to be called before more is fed."""

    def write(self, path: str | PathLike[str]) -> None:
        """Writes the words counted since the last write, and forgets them."""

    def close(self) -> None:
        """After finish() and the last write(): completes the files of tokens and keys."""

class Lexicon:
    """A lexicon in memory (WordListHeader.memory bytes), with the selection of the tokens that count."""

    def __init__(self, path: str | PathLike[str], count_punctuation: bool, stop_words: Iterable[str]) -> None:
        """`stop_words` are matched as they stand."""

class RunBuilder:
    """Makes the runs of a vertical."""

    def __init__(
        self,
        path: str | PathLike[str],
        lexicon: Lexicon,
        n: int,
        chunk_tokens: int,
        documents: bytes | None = None,
        selection: int = 0,
    ) -> None:
        """Takes BYTES_PER_TOKEN * chunk_tokens bytes; `documents` as in WordCounter."""

    def feed(self, chunk: bytes) -> None:
        """The next bytes of the vertical, split anywhere."""

    def finish(self) -> None:
        """After the last chunk: completes the file."""

    @property
    def documents(self) -> int:
        """Documents seen so far."""

    @property
    def runs(self) -> int:
        """Runs written so far."""

def token_stream_header(path: str | PathLike[str]) -> TokenStreamHeader:
    """The checked header of a stream of counted tokens."""

def read_keys_header(path: str | PathLike[str]) -> KeysHeader:
    """The checked header and index of a file of keys."""

def merge_keys(runs: Sequence[KeyRun], output: str | PathLike[str], buffer_bytes: int) -> None:
    """Puts runs of keys into a file of one run; `buffer_bytes`, BYTES_PER_RUN and an open file for each."""

class CandidateCounter:
    """Counts the keys of runs, and writes the filter of those that come twice or more."""

    def __init__(
        self,
        runs: Sequence[KeyRun],
        buffer_bytes: int,
        output: str | PathLike[str],
        n: int,
        selection: int,
        threads: int = 1,
    ) -> None:
        """Takes `buffer_bytes` and BYTES_PER_RUN a run, and bytes_for(); the file is the same for any `threads`."""

    @staticmethod
    def bytes_for(largest: int, threads: int = 1) -> int:
        """What counting takes beside the runs, where the largest partition has so many keys."""

    def advance(self) -> bool:
        """Counts the next of the PARTITIONS, one or more; False once after the last, when the file is complete."""

    @property
    def totals(self) -> CandidateTotals:
        """What has been counted so far."""

def candidates_header(path: str | PathLike[str]) -> CandidatesHeader:
    """The checked header of a filter of candidates."""

def candidates_index(path: str | PathLike[str]) -> list[int]:
    """Returns how many cells come before each partition, then the number of all cells: PARTITIONS + 1 numbers."""

class CandidateFilter:
    """A filter in memory: eight bytes per cell."""

    def __init__(self, path: str | PathLike[str], first: int = 0, end: int = ...) -> None:
        """Holds the partitions from `first` to before `end`; keys of others do not pass."""

class StreamRunBuilder:
    """Makes the runs of a batch from its stream of counted tokens."""

    def __init__(
        self,
        path: str | PathLike[str],
        tokens: str | PathLike[str],
        lexicon: str | PathLike[str],
        n: int,
        chunk_tokens: int,
    ) -> None:
        """Takes BYTES_PER_TOKEN * chunk_tokens bytes, and BYTES_PER_WORD a word of the largest section."""

    def start(self, candidates: CandidateFilter | None = None) -> None:
        """Begins with the tokens again, for the n-grams that `candidates` passes, or for all."""

    def advance(self) -> bool:
        """Takes about a million tokens more; False once all have been taken."""

    def finish(self) -> None:
        """After the last pass: completes the file."""

def read_runs_header(path: str | PathLike[str]) -> RunsHeader:
    """The checked header and index of a file of runs."""

def read_run(run: Run, n: int) -> list[tuple[tuple[int, ...], int]]:
    """A run's n-grams, as word ids, with their counts. All in memory."""

def merge_runs(runs: Sequence[Run], n: int, output: str | PathLike[str], buffer_bytes: int) -> None:
    """Merges runs into a file of one run; `buffer_bytes` and an open file for each."""

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
        """Takes 8 bytes a word of the lexicon, BYTES_PER_KEY * capacity, and `buffer_bytes` a run.

        Keys beyond `capacity` go to the file `spill`, which the caller removes.
        """

    def advance(self, entries: int) -> bool:
        """Merges about `entries` more entries of the runs; False once all have been."""

    def write(self, path: str | PathLike[str], header_bytes: int) -> DuplicateTotals:
        """Writes `header_bytes` zeros, the keys (u64, ascending) and their counts (u32, saturating)."""
