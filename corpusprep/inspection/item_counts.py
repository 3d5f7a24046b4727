"""Measures items from their occurrences: frequencies, documents, hosts, and how evenly they are spread."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.corpus.formats.frequencies import PARTS
from corpusprep.inspection.dispersion import ReducedFrequency, average_reduced_frequency, deviation_of_proportions
from corpusprep.inspection.subcorpora import Documents

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


def by_item(
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
        neighbours = words.take(order, axis=0)
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
    document = np.searchsorted(documents.starts, places, "right") - 1
    firsts = np.flatnonzero(np.diff(items, prepend=-1) | np.diff(document, prepend=-1))
    in_document = np.diff(firsts, append=len(items))
    hosts, at_host, host_counts = _summed(
        items[firsts], documents.units[document[firsts]], in_document, documents.hosts
    )
    arf = average_reduced_frequency(items, places, documents.tokens)
    return _counts(np.bincount(items[firsts]), arf, hosts, at_host, host_counts, documents)


def measured_alone(count: int, pieces: Iterator[NDArray[np.int64]], documents: Documents) -> pl.DataFrame:
    """Returns COUNTS of one item, in one row.

    Args:
        count: of its occurrences, at least one.
        pieces: places of their tokens; none is smaller than one of a piece before.
        documents: the part of the corpus.
    """
    arf = ReducedFrequency(count, documents.tokens)
    in_documents, last = 0, -1
    at_host = np.zeros(documents.hosts, dtype=np.int64)
    for places in pieces:
        places.sort()
        arf.add(places)
        document = np.searchsorted(documents.starts, places, "right") - 1
        in_documents += int(np.count_nonzero(np.diff(document, prepend=last)))
        last = int(document[-1])
        at_host += np.bincount(documents.units[document], minlength=documents.hosts)
    hosts = np.flatnonzero(at_host)
    return _counts(
        np.array([in_documents]), np.array([arf.value()]), np.zeros_like(hosts), hosts, at_host[hosts], documents
    )


def _counts(
    in_documents: NDArray[np.int64],
    arf: NDArray[np.float64],
    items: NDArray[np.int64],
    hosts: NDArray[np.int64],
    counts: NDArray[np.int64],
    documents: Documents,
) -> pl.DataFrame:
    """Returns COUNTS.

    Args:
        in_documents: documents of each item; shape (items,).
        arf: average reduced frequency of each item; shape (items,).
        items: number of an item per host that has it, ascending; shape (pairs,).
        hosts: the host, ascending for each item.
        counts: occurrences of the item on the host.
        documents: the part of the corpus.
    """
    in_parts, parts, part_counts = _summed(items, documents.parts[hosts], counts, PARTS)
    sizes = documents.unit_sizes[hosts].astype(np.float64)
    return pl.DataFrame(
        {
            "frequency": np.add.reduceat(counts, np.flatnonzero(np.diff(items, prepend=-1))),
            "documents": in_documents,
            "hosts": np.bincount(items),
            # Rounded: the last bits depend on the order of sums.
            "arf": arf.round(6),
            "dp": deviation_of_proportions(in_parts, part_counts, parts, documents.part_sizes).round(6),
            "squares": np.bincount(items, weights=counts.astype(np.float64) ** 2),
            "products": np.bincount(items, weights=counts * sizes),
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
