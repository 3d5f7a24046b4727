"""Reads the vertical of a corpus in pieces whose tokens are numbers, by batches in several threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native.token_search import TokenSearch
from corpusprep.inspection.ending import ended_by, ending
from corpusprep.inspection.matching import columns_of_types
from corpusprep.inspection.search_texts import CORPUS, pieces
from corpusprep.inspection.subcorpora import with_quality
from corpusprep.inspection.token_bytes import ANY
from corpusprep.tables.batch_files import BatchFiles

T = TypeVar("T")

#: No token gets a number of its own.
NO_BYTES = bytes(256)
#: No sequence is found: the kernel only numbers the tokens.
_NEVER = [(0, 0, [0], 0)]


class Attribute:
    """An attribute of tokens: a column of the vertical, or the words in lower case."""

    def __init__(self, column: int, *, lowered: bool = False) -> None:
        self.column, self._lowered = column, lowered

    def values(self, types: list[bytes]) -> pl.Series:
        """Returns the values of types of tokens, as they stand in the vertical."""
        values = columns_of_types(types, self.column + 1)[self.column]
        return values.str.to_lowercase() if self._lowered else values


class Piece:
    """A piece of whole documents of a batch, and its tokens.

    Attributes:
        text: the piece.
        first_document: number of its first document in the batch.
        blocks: (line of the document, line of the block, first token), as the kernel has them.
        documents: where the line of each document with blocks begins.
        first_tokens: the first token of each document, and the number of tokens.
    """

    def __init__(self, text: bytes, first_document: int, blocks: NDArray[np.int64], tokens: int) -> None:
        self.text, self.first_document, self.blocks, self.tokens = text, first_document, blocks, tokens
        self.documents, firsts = np.unique(blocks[:, 0], return_index=True)
        self.first_tokens = np.append(blocks[firsts, 2], tokens)

    def lines(self) -> list[str]:
        """Returns the line of each document."""
        ends = (self.text.index(b"\n", start) for start in self.documents.tolist())
        return [
            self.text[start:end].decode("utf-8", "replace")
            for start, end in zip(self.documents.tolist(), ends, strict=True)
        ]

    def places(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the place of each token in a part of the corpus; -1: it is not in it.

        Args:
            starts: of the documents of the batch (Documents.starts_of).
        """
        number = self.first_document + np.arange(len(self.documents))
        lengths = np.diff(self.first_tokens)
        offsets = np.arange(self.tokens) - np.repeat(self.first_tokens[:-1], lengths)
        first = np.repeat(starts[number], lengths)
        return np.where(first < 0, -1, first + offsets)

    def block_ends(self) -> NDArray[np.int64]:
        """Returns for each token the first one behind its block."""
        bounds = np.append(self.blocks[:, 2], self.tokens)
        return np.repeat(bounds[1:], np.diff(bounds))


class Numbered:
    """Gives the tokens of an attribute numbers. One object is for one thread."""

    def __init__(self, attribute: Attribute, numbers: Callable[[pl.Series], NDArray[np.int64]]) -> None:
        """Takes what gives values their numbers; it is asked once per type, or again after types were forgotten."""
        self._attribute, self._numbers = attribute, numbers
        self._kernel = TokenSearch([0], _NEVER, ANY, ANY, 0, attribute.column > 0)
        self._known: NDArray[np.int64] = np.zeros(1 << 12, dtype=np.int64)

    def observe(self, types: list[bytes], first: int) -> None:
        """Takes types that are new, the first of which has that number in its kernel."""
        end = first + len(types)
        if end > len(self._known):
            grown = np.zeros(max(end, 2 * len(self._known)), dtype=np.int64)
            grown[: len(self._known)] = self._known
            self._known = grown
        self._known[first:end] = self._numbers(self._attribute.values(types))

    def of(self, types: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Returns the numbers of tokens with these types, which were observed."""
        return self._known[types]

    def read(self, text: bytes, first_document: int) -> tuple[Piece, NDArray[np.int64]]:
        """Reads a piece; returns it, and the number of each token."""

        def decide(types: list[bytes]) -> Sequence[int]:
            self.observe(types, self._kernel.types - len(types))
            return [0] * len(types)

        self._kernel.find(text, decide)
        numbers = self.of(self._kernel.numbers())
        return Piece(text, first_document, self._kernel.blocks(), len(numbers)), numbers


def in_batches(batches: Sequence[str], work: Callable[[int, str], T], threads: int) -> Iterator[T]:
    """Yields what a function gives for each batch (its number and name), in their order; works in several threads.

    Raises:
        SearchEndedError: nobody waits any more (ending.py).
    """
    ended = ending()

    def until_ended(number: int, batch: str) -> T:
        with ended_by(ended):
            return work(number, batch)

    if threads == 1 or len(batches) == 1:
        yield from map(until_ended, range(len(batches)), batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(until_ended, range(len(batches)), batches)


class Pool(Generic[T]):
    """Objects that are each for one thread at a time.

    Attributes:
        made: all of them.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._free = make, list[T]()
        self.made = list[T]()

    @contextmanager
    def one(self) -> Iterator[T]:
        """Gives an object that no other thread uses."""
        try:
            taken = self._free.pop()
        except IndexError:
            taken = self._make()
            self.made.append(taken)
        yield taken
        self._free.append(taken)


def whole_pieces(corpus_dir: Path, batch: str) -> Iterator[Piece]:
    """Yields the pieces of a batch, without numbers of their tokens."""
    kernel = TokenSearch([0], _NEVER, NO_BYTES, NO_BYTES, 0, False)
    first = before = 0
    for text, _ in pieces(corpus_dir, batch, CORPUS):
        kernel.find(text, lambda types: [0] * len(types))
        piece = Piece(text, first, kernel.blocks(), kernel.tokens - before)
        yield piece
        before = kernel.tokens
        first += len(piece.documents)


def documents_of(corpus_dir: Path, number: int, batch: str) -> pl.DataFrame:
    """Returns the documents with text of a batch, as the table subcorpora.DOCUMENTS has them."""
    lines: list[str] = []
    sizes: list[int] = []
    for piece in whole_pieces(corpus_dir, batch):
        lines += piece.lines()
        sizes += np.diff(piece.first_tokens).tolist()
    rows = pl.DataFrame(
        {"document": range(len(lines)), "tokens": sizes, "line": lines},
        schema={"document": pl.UInt32, "tokens": pl.Int64, "line": pl.String},
    )
    measured_lines = with_quality(rows, BatchFiles.of(corpus_dir, batch))
    return measured_lines.select(pl.lit(number, pl.UInt32).alias("batch"), "document", "tokens", "line")
