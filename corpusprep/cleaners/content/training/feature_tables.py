"""Fits the tables of a model: weights of the names (class, id, …) around a block, and of the words of short blocks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.content.training import logistic
from corpusprep.pages.features import NameHashes, Tables

#: Levels of containers whose names are near.
NEAR = 3
#: A name or word is in a table if it is on the pages of that many groups.
NAME_GROUPS, WORD_GROUPS = 6, 8
#: Rows that a page gives at most to the fit of a table.
ROWS_PER_PAGE = 18
#: Units of a weight in a table per unit of log-odds (features.Tables).
WEIGHT_SCALE = 16
#: Factors of the squared weights in the fits of the two tables.
NAME_REGULARISATION, WORD_REGULARISATION = 0.5, 0.5


@dataclass(slots=True, frozen=True)
class Entries:
    """A sparse matrix of 0 and 1: rows with the hashes that each has.

    Attributes:
        pages: int64, rows: the page of each row, ascending.
        labels: float64, rows.
        weights: float64, rows.
        rows: int64, entries, ascending.
        keys: uint32, entries.
        far: bool, entries: the second column of weights.
    """

    pages: NDArray[np.int64]
    labels: NDArray[np.float64]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    keys: NDArray[np.uint32]
    far: NDArray[np.bool_]

    def of_pages(self, chosen: NDArray[np.bool_]) -> "Entries":
        """Returns the rows of the chosen pages."""
        kept = chosen[self.pages]
        entries = kept[self.rows]
        numbers = np.cumsum(kept) - 1
        return Entries(
            self.pages[kept],
            self.labels[kept],
            self.weights[kept],
            numbers[self.rows[entries]],
            self.keys[entries],
            self.far[entries],
        )


def ranges(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the numbers start, start + 1, … of each range, one range after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - lengths - starts, lengths)


class TableFitter:
    """Fits both tables on chosen pages."""

    def __init__(
        self,
        hashes: NameHashes,
        labels: NDArray[np.float32],
        weights: NDArray[np.float64],
        pages: NDArray[np.int64],
        groups: NDArray[np.int64],
    ) -> None:
        """A fitter on blocks.

        Args:
            hashes: of the blocks.
            labels: of the blocks.
            weights: of the blocks; weight 0 teaches nothing.
            pages: the page of each block.
            groups: the group of each page.
        """
        self._names = name_entries(hashes, labels, weights, pages)
        self._words = word_entries(hashes, labels, weights, pages)
        self._groups = groups

    def fit(self, chosen: NDArray[np.bool_]) -> Tables:
        """Returns the tables that the chosen pages give; shape (pages,)."""
        names = fit(self._names.of_pages(chosen), self._groups, NAME_GROUPS, 2, NAME_REGULARISATION)
        words = fit(self._words.of_pages(chosen), self._groups, WORD_GROUPS, 1, WORD_REGULARISATION)
        return Tables(*names, *words)


def fit(
    entries: Entries, groups: NDArray[np.int64], least_groups: int, columns: int, regularisation: float
) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Returns the hashes of a table, ascending, and their weights, (hashes, columns), in 1 / WEIGHT_SCALE.

    Args:
        entries: the rows to learn from.
        groups: shape (pages,): the group of each page.
        least_groups: a hash on the pages of fewer groups is left out.
        columns: 1, or 2 if near and far entries have weights of their own.
        regularisation: see logistic.fit.
    """
    group_of = groups[entries.pages][entries.rows]
    pairs = np.unique(entries.keys.astype(np.uint64) << np.uint64(32) | group_of.astype(np.uint64))
    keys, counts = np.unique((pairs >> np.uint64(32)).astype(np.uint32), return_counts=True)
    keys = keys[counts >= least_groups]
    if not len(keys):
        return keys, np.zeros((0, columns), np.int8)
    places = np.searchsorted(keys, entries.keys)
    places[places == len(keys)] = 0
    known = keys[places] == entries.keys
    features = places[known] * columns + (entries.far[known] if columns == 2 else 0)
    weights = logistic.fit(
        entries.rows[known],
        features.astype(np.int64),
        len(keys) * columns,
        entries.labels * entries.weights,
        entries.weights,
        regularisation,
    )
    whole = np.clip(np.rint(weights[:-1] * WEIGHT_SCALE), -127, 127).astype(np.int8).reshape(-1, columns)
    kept = whole.any(axis=1)
    return keys[kept], whole[kept]


def name_entries(
    names: NameHashes, labels: NDArray[np.float32], weights: NDArray[np.float64], pages: NDArray[np.int64]
) -> Entries:
    """Returns the names around blocks: one row per innermost element of a page.

    Args:
        names: hashes of the blocks.
        labels: of blocks.
        weights: of blocks; blocks of weight 0 are left out.
        pages: the page of each block.
    """
    used = weights > 0
    leaves, inverse = np.unique(names.leaves[used], return_inverse=True)
    total: NDArray[np.float64] = np.bincount(inverse, weights[used]).astype(np.float64)
    positive: NDArray[np.float64] = np.bincount(inverse, weights[used] * labels[used]).astype(np.float64)
    page_of = np.zeros(len(leaves), np.int64)
    page_of[inverse] = pages[used]
    chosen = first_of_pages(page_of, total)
    leaves, total, positive, page_of = leaves[chosen], total[chosen], positive[chosen], page_of[chosen]
    rows, elements, far = chains(names, leaves.astype(np.int64))
    lengths = names.name_offsets[elements + 1] - names.name_offsets[elements]
    keys = names.names[ranges(names.name_offsets[elements], lengths)]
    return _distinct(page_of, positive / total, total, np.repeat(rows, lengths), keys, np.repeat(far, lengths))


def word_entries(
    names: NameHashes, labels: NDArray[np.float32], weights: NDArray[np.float64], pages: NDArray[np.int64]
) -> Entries:
    """Returns the words of short blocks, one row per block; arguments as for name_entries."""
    lengths = np.diff(names.word_offsets)
    blocks = np.flatnonzero((weights > 0) & (lengths > 0))
    blocks = blocks[first_of_pages(pages[blocks], weights[blocks])]
    entries = ranges(names.word_offsets[blocks], lengths[blocks])
    rows = np.repeat(np.arange(len(blocks)), lengths[blocks])
    far = np.zeros(len(entries), np.bool_)
    return _distinct(pages[blocks], labels[blocks].astype(np.float64), weights[blocks], rows, names.words[entries], far)


def chains(
    names: NameHashes, leaves: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Returns the elements around leaves: row, element, whether it is beyond the third container; rows ascend."""
    rows, current = np.arange(len(leaves)), np.asarray(leaves, np.int64)
    passed = np.zeros(len(leaves), np.int64)
    parts = []
    while len(rows):
        parts.append((rows, current, passed >= NEAR))
        passed = passed + names.containers[current]
        current = names.parents[current].astype(np.int64)
        inside = current >= 0
        rows, current, passed = rows[inside], current[inside], passed[inside]
    rows, current, far = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(rows, kind="stable")
    return rows[order], current[order], far[order]


def first_of_pages(pages: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns the rows of highest weight of each page, ROWS_PER_PAGE at most; ascending. Equal ones: the first."""
    order = np.lexsort((np.arange(len(pages)), -weights, pages))
    sorted_pages = pages[order]
    starts = np.searchsorted(sorted_pages, sorted_pages)
    return np.sort(order[np.arange(len(order)) - starts < ROWS_PER_PAGE])


def _distinct(
    pages: NDArray[np.int64],
    labels: NDArray[np.float64],
    weights: NDArray[np.float64],
    rows: NDArray[np.int64],
    keys: NDArray[np.uint32],
    far: NDArray[np.bool_],
) -> Entries:
    """Returns entries of which each row has each hash once."""
    packed = rows.astype(np.uint64) << np.uint64(33) | far.astype(np.uint64) << np.uint64(32) | keys
    packed = np.unique(packed)
    return Entries(
        pages,
        labels,
        weights,
        (packed >> np.uint64(33)).astype(np.int64),
        (packed & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        (packed >> np.uint64(32) & np.uint64(1)).astype(np.bool_),
    )
