"""Scans the vertical of a corpus and counts its items: words, other attributes of tokens, n-grams.

A first scan lists the documents and adds up the frequencies of words; the sums that exceed the memory are on disk. With
the sorted words as numbers, a second scan gives the places of all occurrences, which are divided by item into groups
that fit the memory. Each group is sorted by itself; so neither batches nor threads nor the memory change a number.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.inspection.item_counts import by_item, measured, measured_alone
from corpusprep.inspection.numbered_tokens import Attribute, Numbered, Pool, in_batches
from corpusprep.inspection.occurrences import Group, Occurrences
from corpusprep.inspection.search_texts import CORPUS, pieces
from corpusprep.inspection.subcorpora import Documents
from corpusprep.tables.key_sums import KeySums

#: The longest n-grams.
LONGEST_NGRAM = 6
#: The most occurrences that are sorted at once.
OCCURRENCES = 1 << 21
#: Bytes that an occurrence takes while it is sorted, measured and written, and more for each of its words: at most
#: 150 to 160 were measured for the arrays, the rest is for the texts.
BYTES_PER_OCCURRENCE, BYTES_PER_WORD = 240, 16


class _Frequencies:
    """Adds up the frequencies of the types of tokens; one object is for one thread."""

    def __init__(self, attribute: Attribute, add: Callable[[pl.DataFrame], None]) -> None:
        self._attribute, self._add = attribute, add
        self._values: list[pl.Series] = []
        self._begin()

    def _begin(self) -> None:
        self._values.clear()
        self._types = 0
        self._totals = np.zeros(1 << 12, dtype=np.int64)
        self._reader = Numbered(self._attribute, self._numbers)

    def _numbers(self, values: pl.Series) -> NDArray[np.int64]:
        self._values.append(values)
        self._types += len(values)
        if self._types > len(self._totals):
            self._totals = np.concatenate([self._totals, np.zeros(self._types, dtype=np.int64)])
        return np.arange(self._types - len(values), self._types)

    def read(self, documents: Documents, number: int, pieces_of_batch: Iterable[bytes]) -> None:
        """Counts the pieces of a batch."""
        first = 0
        for text in pieces_of_batch:
            piece, numbers = self._reader.read(text, first)
            first += len(piece.documents)
            counts = np.bincount(numbers[piece.places(documents.starts_of(number, first)) >= 0])
            self._totals[: len(counts)] += counts
            if self._types >= OCCURRENCES:
                self.finish()

    def finish(self) -> None:
        """Passes on what was counted."""
        if self._values:
            totals = self._totals[: self._types]
            frame = pl.DataFrame({"key": pl.concat(self._values), "frequency": totals})
            self._add(frame.filter(pl.col("frequency") > 0).group_by("key").sum())
        self._begin()


def frequencies(
    corpus_dir: Path, batches: Sequence[str], documents: Documents, attribute: Attribute, sums: KeySums, threads: int
) -> Iterator[None]:
    """Adds the frequencies of the values of an attribute to sums (`key` and `frequency`); yields after each batch."""
    lock = threading.Lock()

    def add(frame: pl.DataFrame) -> None:
        with lock:
            sums.add(frame)

    readers = Pool(lambda: _Frequencies(attribute, add))

    def count(number: int, batch: str) -> None:
        with readers.one() as reader:
            reader.read(documents, number, (text for text, _ in pieces(corpus_dir, batch, CORPUS)))

    for _ in in_batches(batches, count, threads):
        yield
    for reader in readers.made:
        reader.finish()


def occurrences(
    corpus_dir: Path,
    batches: Sequence[str],
    documents: Documents,
    attribute: Attribute,
    words: pl.DataFrame,
    ngrams: int,
    folder: Path,
    memory: int,
    threads: int,
) -> Iterator[pl.DataFrame | None]:
    """Counts words or n-grams: yields None after each batch, then frames of items with COUNTS, in their order.

    N-grams do not leave their block. Those that occur once are left out.

    Args:
        corpus_dir: folder of the corpus.
        batches: its batches.
        documents: the part of the corpus that is counted.
        attribute: of the tokens.
        words: its values in ascending order (`item`), with their `frequency` in the part.
        ngrams: tokens of an item; 1: words.
        folder: an existing folder for temporary files.
        memory: bytes that may be taken.
        threads: batches that are read at the same time.
    """
    most = max(1, min(OCCURRENCES, memory // (BYTES_PER_OCCURRENCE + BYTES_PER_WORD * ngrams)))
    ends = np.cumsum(words["frequency"].to_numpy())
    divided = Occurrences(folder / "occurrences", ngrams, ends, most, documents.tokens)
    lexicon = words["item"]

    readers = Pool(
        lambda: Numbered(attribute, lambda values: np.asarray(lexicon.search_sorted(values), dtype=np.int64))
    )

    def read(number: int, batch: str) -> None:
        with readers.one() as reader:
            read_by(reader, number, batch)

    def read_by(reader: Numbered, number: int, batch: str) -> None:
        first = 0
        for text, _ in pieces(corpus_dir, batch, CORPUS):
            piece, numbers = reader.read(text, first)
            first += len(piece.documents)
            places = piece.places(documents.starts_of(number, first))
            chosen = np.flatnonzero((places >= 0) & (np.arange(piece.tokens) + ngrams <= piece.block_ends()))
            if not len(chosen):
                continue
            rows = np.empty(len(chosen), dtype=divided.kind)
            rows["place"] = places[chosen]
            for word in range(ngrams):
                rows["words"][:, word] = numbers[chosen + word]
            divided.add(rows)

    for _ in in_batches(batches, read, threads):
        yield None
    for group in divided.groups():
        items, frame = _measured(group, documents, least=1 if ngrams == 1 else 2)
        texts = [lexicon.gather(items[:, word].astype(np.int64)) for word in range(ngrams)]
        yield (
            pl.DataFrame({str(word): text for word, text in enumerate(texts)})
            .select(item=pl.concat_str(pl.all(), separator=" "))
            .hstack(frame)
        )


def _measured(group: Group, documents: Documents, least: int) -> tuple[NDArray[np.uint32], pl.DataFrame]:
    """Returns the words of the items of a group that occur `least` times or more, and COUNTS of each."""
    first = next(group.pieces)
    if group.alone:
        words = first["words"][:1].copy()
        places = (rows["place"].astype(np.int64) for rows in chain([first], group.pieces))
        return words, measured_alone(group.count, places, documents)
    items, at, words = by_item(first["words"], first["place"], least)
    return words, measured(items, at, documents)
