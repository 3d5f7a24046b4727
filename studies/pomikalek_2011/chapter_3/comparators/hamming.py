"""Finds fingerprints that differ in few bits without comparing all pairs (Pomikálek 2011, 3.2.2, Hamming distance).

Henzinger (2006, "Finding near-duplicate web pages", section 2) cuts fingerprints into k + 1 or more groups of bits: two
that differ in at most k bits agree in a group. Manku, Jain and Das Sarma (2007, "Detecting near-duplicates for
web crawling", section 3) sort tables of permuted fingerprints and probe each table by its first bits: the bits of
chosen groups, and then of groups chosen among the other bits.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from corpusprep.reuse.hashing import Keys, fold, mix64
from corpusprep.reuse.postings import sharing
from studies.pomikalek_2011.chapter_3.comparators.sketches import columns_as_features

#: Number of bits set in each byte.
_SET = np.array([value.bit_count() for value in range(256)], np.uint8)

#: The bits of a fingerprint that a table is probed with, from 0, the most significant.
Probe = Sequence[int]


def distances(fingerprints: Keys, one: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the number of bits in which fingerprint `one` differs from each of `others`.

    Args:
        fingerprints: uint64, shape (fingerprints, words).
        one: a row.
        others: rows.
    """
    differing = np.ascontiguousarray(fingerprints[others] ^ fingerprints[one])
    return np.asarray(_SET[differing.view(np.uint8)].sum(axis=1, dtype=np.int64))


def bit_groups(bits: Sequence[int], count: int) -> list[list[int]]:
    """Cuts the bits into `count` groups whose lengths differ by at most one."""
    bounds = [len(bits) * group // count for group in range(count + 1)]
    return [list(bits[begin:end]) for begin, end in pairwise(bounds)]


def group_probes(bits: int, distance: int) -> list[list[int]]:
    """Returns Henzinger's distance + 1 groups, for fingerprints that differ in at most `distance` bits."""
    return bit_groups(range(bits), distance + 1)


def table_probes(bits: int, distance: int, levels: Sequence[int] = (4, 4)) -> list[list[int]]:
    """Returns the bits that each of Manku's tables is probed with.

    Each level cuts the remaining bits into that many groups and chooses all but `distance` of them, in every possible
    way. Two levels of 4 groups, for 64 bits and distance 3, give the thesis's 16 tables, probed with 28 bits.

    Raises:
        ValueError: a level does not have more groups than the distance.
    """
    if any(level <= distance for level in levels):
        raise ValueError(f"a level of {min(levels)} groups cannot find distances of {distance}; use more groups")

    def chosen(left: Sequence[int], deeper: Sequence[int]) -> Iterator[list[int]]:
        if not deeper:
            yield []
            return
        cut = bit_groups(left, deeper[0])
        for parts in combinations(range(len(cut)), len(cut) - distance):
            probed = [bit for group in parts for bit in cut[group]]
            rest = [bit for group in range(len(cut)) if group not in parts for bit in cut[group]]
            for more in chosen(rest, deeper[1:]):
                yield probed + more

    return list(chosen(range(bits), levels))


def probed(fingerprints: Keys, probe: Probe) -> Keys:
    """Returns a probe's bits of each fingerprint, hashed to 64 bits if there are more."""
    bits = np.unpackbits(fingerprints.astype(">u8").view(np.uint8), axis=1)[:, list(probe)]
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    words = padded.view(">u8").astype(np.uint64)
    return words[:, 0] if words.shape[1] == 1 else fold(words)


def near(
    fingerprints: Keys, distance: int, probes: Sequence[Probe]
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Yields the pairs that agree in a probe and differ in at most `distance` bits.

    Yields:
        A row; later rows, ascending; the numbers of bits in which they differ from it.
    """
    keys = np.stack([probed(fingerprints, probe) for probe in probes], axis=1)
    for row, others, _ in sharing(columns_as_features(mix64(keys), np.ones(len(keys), np.bool_))):
        apart = distances(fingerprints, row, others)
        reached = apart <= distance
        if reached.any():
            yield row, others[reached], apart[reached]


class Tables:
    """Manku's tables: the fingerprints sorted by the bits of each probe.

    The other bits of the paper's permutations do not matter, so they are not sorted.

    Args:
        fingerprints: uint64, shape (fingerprints, words).
        distance: most bits in which found fingerprints differ.
        probes: of the tables (table_probes).
    """

    def __init__(self, fingerprints: Keys, distance: int, probes: Sequence[Probe]) -> None:
        self._fingerprints, self._distance, self._probes = fingerprints, distance, probes
        keys = [probed(fingerprints, probe) for probe in probes]
        self._orders = [np.argsort(table, kind="stable") for table in keys]
        self._sorted = [table[order] for table, order in zip(keys, self._orders, strict=True)]

    def query(self, fingerprint: Keys) -> NDArray[np.int64]:
        """Returns the rows that differ from a fingerprint, of shape (words,), in at most `distance` bits, ascending."""
        rows = [np.empty(0, np.int64)]
        for probe, order, table in zip(self._probes, self._orders, self._sorted, strict=True):
            key = probed(fingerprint[np.newaxis], probe)
            begin, end = np.searchsorted(table, key, "left")[0], np.searchsorted(table, key, "right")[0]
            rows.append(order[begin:end])
        candidates = np.unique(np.concatenate(rows))
        both = np.concatenate([self._fingerprints[candidates], fingerprint[np.newaxis]])
        apart = distances(both, len(candidates), np.arange(len(candidates)))
        return candidates[apart <= self._distance]
