"""Scans the vertical of a corpus and counts its items: words, other attributes of tokens, n-grams.

A first scan lists the documents and adds up the frequencies of words; the sums that exceed the memory are on disk. With
the sorted words as numbers, a second scan gives the places of all occurrences, which are split by item into partitions
that fit the memory. Each partition is sorted by itself; so neither batches nor threads nor the memory change a number.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.corpus.formats.frequencies import PARTS
from corpusprep.inspection.dispersion import average_reduced_frequency, deviation_of_proportions
from corpusprep.inspection.numbered_tokens import Attribute, Numbered, Pool, in_batches
from corpusprep.inspection.search_texts import CORPUS, pieces
from corpusprep.inspection.subcorpora import Documents
from corpusprep.io.spill import PartitionFiles
from corpusprep.tables.key_sums import KeySums

#: The longest n-grams.
LONGEST_NGRAM = 6
#: The most occurrences of a partition, unless one item has more, or the disk would have more files than MOST_FILES.
OCCURRENCES = 1 << 21
MOST_FILES = 256
#: Bytes that an occurrence takes while its partition is sorted and measured.
BYTES_PER_OCCURRENCE = 120
#: What is counted of each item.
COUNTS = pl.Schema(
    {
        "frequency": pl.Int64,
        "documents": pl.Int64,  # documents that have it
        "hosts": pl.Int64,  # hosts that have it
        "arf": pl.Float64,  # average reduced frequency (Savický and Hlaváčová 2002)
        "dp": pl.Float64,  # deviation of proportions over 100 parts of the hosts (Gries 2008)
        "squares": pl.Float64,  # sum over hosts of the squares of its frequencies
        "products": pl.Float64,  # sum over hosts of its frequency times the tokens of the host
    }
)
#: Odd numbers of hashes of n-grams; another pair is taken if two n-grams have the same hash.
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93)
#: What a number in an array of hashes is shifted by.
_SHIFT = np.uint64(29)


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


class _Partitions(Protocol):
    def add(self, numbers: NDArray[np.int64], values: NDArray[np.void]) -> None: ...

    def take(self, number: int) -> Iterator[NDArray[np.void]]: ...


class _Held:
    """Partitions in memory, with the interface of PartitionFiles."""

    def __init__(self) -> None:
        self._parts: dict[int, list[NDArray[np.void]]] = {}

    def add(self, numbers: NDArray[np.int64], values: NDArray[np.void]) -> None:
        order = np.argsort(numbers, kind="stable")
        different, firsts = np.unique(numbers[order], return_index=True)
        for number, rows in zip(different.tolist(), np.split(values[order], firsts[1:]), strict=True):
            self._parts.setdefault(number, []).append(rows)

    def take(self, number: int) -> Iterator[NDArray[np.void]]:
        yield from self._parts.pop(number, [])


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
    columns: list[Any] = [("place", np.uint64), ("words", np.uint32, (ngrams,))]
    kind = np.dtype(columns)
    total = documents.tokens
    in_memory = total * (kind.itemsize + BYTES_PER_OCCURRENCE // 2) < memory
    most = max(1, OCCURRENCES if in_memory else min(OCCURRENCES, memory // BYTES_PER_OCCURRENCE), total // MOST_FILES)
    # The words that a partition begins with: the first words of its items.
    partition_of = np.cumsum(words["frequency"].to_numpy()) // most
    parts: _Partitions = _Held() if in_memory else PartitionFiles(folder / "occurrences", kind)
    lock = threading.Lock()
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
            rows = np.empty(len(chosen), dtype=kind)
            rows["place"] = places[chosen]
            for word in range(ngrams):
                rows["words"][:, word] = numbers[chosen + word]
            into = partition_of[numbers[chosen]]
            order = np.argsort(
                into.astype(np.uint16), kind="stable"
            )  # by digits: sorted numbers are then quick to split
            with lock:
                parts.add(into[order], rows[order])

    for _ in in_batches(batches, read, threads):
        yield None
    for number in np.unique(partition_of).tolist():
        taken = list(parts.take(number))
        if not taken:
            continue
        rows = np.concatenate(taken)
        taken.clear()
        items, places, firsts = _sorted(rows["words"], rows["place"], least=1 if ngrams == 1 else 2)
        frame = measured(items, places, documents)
        texts = [lexicon.gather(firsts[:, word].astype(np.int64)) for word in range(ngrams)]
        yield (
            pl.DataFrame({str(word): text for word, text in enumerate(texts)})
            .select(item=pl.concat_str(pl.all(), separator=" "))
            .hstack(frame)
        )


def _sorted(
    words: NDArray[np.uint32], places: NDArray[np.uint64], least: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint32]]:
    """Sorts occurrences by their item, and their place.

    Returns:
        The number of the item of each occurrence, ascending from 0; its place; the words of each item, in order. Items
        with fewer than `least` occurrences are left out.
    """
    if words.shape[1] == 1:
        ranked, items = words[:, 0].astype(np.uint64), None
    else:
        groups = _groups(words)
        sizes = np.bincount(groups)
        wanted = sizes >= least
        items = np.empty((len(sizes), words.shape[1]), dtype=np.uint32)
        items[groups] = words
        items = items[wanted]
        order = np.lexsort(items.T[::-1])
        items = items[order]
        ranks = np.empty(len(order), dtype=np.uint64)
        ranks[order] = np.arange(len(order), dtype=np.uint64)
        chosen = wanted[groups]
        ranked, places = ranks[(np.cumsum(wanted) - 1)[groups[chosen]]], places[chosen]
    bits = np.uint64(int(places.max()).bit_length() if len(places) else 1)
    keys = np.sort(ranked << bits | places)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    at, numbers = (keys & mask).astype(np.int64), (keys >> bits).astype(np.int64)
    if items is not None:
        return numbers, at, items
    new = np.diff(numbers, prepend=-1) != 0
    return np.cumsum(new) - 1, at, numbers[new].astype(np.uint32)[:, None]


def _groups(words: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Returns a number for each n-gram: equal ones have equal numbers, from 0 on, without gaps."""
    for factor in _FACTORS:
        hashes = np.zeros(len(words), dtype=np.uint64)
        for column in words.T:
            hashes = (hashes ^ column.astype(np.uint64)) * np.uint64(factor)
            hashes ^= hashes >> _SHIFT
        order = np.argsort(hashes)
        ordered = hashes[order]
        new = np.concatenate([[False], ordered[1:] != ordered[:-1]])
        neighbours = words[order]
        differ = (neighbours[1:] != neighbours[:-1]).any(axis=1)
        if not (differ & ~new[1:]).any():  # equal hashes are equal n-grams
            groups = np.empty(len(words), dtype=np.int64)
            groups[order] = np.cumsum(new)
            return groups
    return np.unique(words, axis=0, return_inverse=True)[1].astype(np.int64)


def measured(items: NDArray[np.int64], places: NDArray[np.int64], documents: Documents) -> pl.DataFrame:
    """Returns COUNTS of items.

    Args:
        items: number of the item of each occurrence, ascending from 0, without gaps.
        places: of its token in the part of the corpus, ascending for each item.
        documents: the part of the corpus.
    """
    if not len(items):
        return COUNTS.to_frame()
    count = int(items[-1]) + 1
    document = np.searchsorted(documents.starts, places, "right") - 1
    firsts = np.flatnonzero(np.diff(items, prepend=-1) | np.diff(document, prepend=-1))
    in_document = np.diff(firsts, append=len(items))
    hosts, at_host, host_counts = _summed(
        items[firsts], documents.units[document[firsts]], in_document, documents.hosts
    )
    parts, at_part, part_counts = _summed(hosts, documents.parts[at_host], host_counts, PARTS)
    return pl.DataFrame(
        {
            "frequency": np.bincount(items),
            "documents": np.bincount(items[firsts]),
            "hosts": np.bincount(hosts),
            # Rounded: the last bits depend on the order of sums.
            "arf": average_reduced_frequency(items, places, documents.tokens).round(6),
            "dp": deviation_of_proportions(parts, part_counts, at_part, documents.part_sizes).round(6),
            "squares": np.bincount(hosts, weights=host_counts.astype(np.float64) ** 2, minlength=count),
            "products": np.bincount(hosts, weights=host_counts * documents.unit_sizes[at_host].astype(np.float64)),
        },
        schema=COUNTS,
    )


def _summed(
    items: NDArray[np.int64], groups: NDArray[np.int64], counts: NDArray[np.int64], most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Adds up counts of items by a group of each, which is below `most`; returns items, groups and sums, in order."""
    keys = items * most + groups
    order = np.argsort(keys)
    keys = keys[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    keys_of_sums = keys[firsts]
    return keys_of_sums // most, keys_of_sums % most, np.add.reduceat(counts[order], firsts)
