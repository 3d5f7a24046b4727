"""The outline of pages: what Markdown says of a block beside its text (native/pages/outline.hpp)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Kinds of spans, by their codes.
LINK, CODE = 0, 1


class Place(NamedTuple):
    """Where a block stands: a row of Outline.places.

    Numbers of items, preformatted parts, tables, rows and cells count from 1; 0: the block is in none. Of nested
    elements, the innermost counts.

    Attributes:
        level: 1 to 6 inside h1 … h6; otherwise 0.
        quotes: number of <blockquote> around it.
        lists: number of <ul>, <ol> and <menu> around it.
        ordinal: of its item in an <ol>; 0 in other lists.
        item: its <li>.
        preformatted: its <pre>.
        table: its <table>.
        row: its <tr>.
        cell: its <td> or <th>.
    """

    level: int = 0
    quotes: int = 0
    lists: int = 0
    ordinal: int = 0
    item: int = 0
    preformatted: int = 0
    table: int = 0
    row: int = 0
    cell: int = 0


@dataclass(slots=True, frozen=True)
class Outline:
    """The outlines of n blocks of one or more pages, with m spans and t addresses.

    Attributes:
        places: int32, (n, 9): the fields of Place.
        lines: UTF-8 of preformatted blocks as it stands in the page.
        line_offsets: int64, n + 1: block i has lines[line_offsets[i]:line_offsets[i + 1]].
        span_blocks: int64, m, ascending: the block of each span.
        span_starts: uint32, m: bytes of its text before the span.
        span_ends: uint32, m.
        span_kinds: uint8, m: LINK or CODE.
        span_targets: int64, m: number of its address; -1 for code.
        targets: UTF-8 of the addresses, as they stand in the page.
        target_offsets: int64, t + 1.
    """

    places: NDArray[np.int32]
    lines: bytes
    line_offsets: NDArray[np.int64]
    span_blocks: NDArray[np.int64]
    span_starts: NDArray[np.uint32]
    span_ends: NDArray[np.uint32]
    span_kinds: NDArray[np.uint8]
    span_targets: NDArray[np.int64]
    targets: bytes
    target_offsets: NDArray[np.int64]

    @classmethod
    def of_places(cls, places: Sequence[Place]) -> "Outline":
        """Returns the outline of blocks of which only the places are known."""
        none = np.zeros(0, np.int64)
        return cls(
            np.array(places, np.int32).reshape(-1, len(Place._fields)),
            b"",
            np.zeros(len(places) + 1, np.int64),
            none,
            none.astype(np.uint32),
            none.astype(np.uint32),
            none.astype(np.uint8),
            none,
            b"",
            np.zeros(1, np.int64),
        )

    def addresses(self, first: int, end: int) -> dict[int, str]:
        """Returns the addresses of links in the blocks from `first` to before `end`, by number."""
        if len(self.target_offsets) == 1:
            return {}
        start, stop = np.searchsorted(self.span_blocks, [first, end]).tolist()
        numbers = np.unique(self.span_targets[start:stop])
        return {number: self._address(number) for number in numbers[numbers >= 0].tolist()}

    def _address(self, number: int) -> str:
        start, end = self.target_offsets[number : number + 2].tolist()
        return self.targets[start:end].decode("utf-8", "replace")
