"""The outline of pages: what Markdown says of a block beside its text (native/pages/outline.hpp)."""

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


class Span(NamedTuple):
    """A linked part of a block, or code in it: bytes `start` to `end` of its text. Code has no target."""

    start: int
    end: int
    kind: int
    target: str


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

    def places_of(self, first: int, end: int) -> list[Place]:
        """Returns where the blocks from `first` to before `end` stand."""
        return list(map(Place._make, self.places[first:end].tolist()))

    def preformatted(self, block: int) -> str:
        """Returns the text of a block inside <pre> with its line breaks; empty for other blocks."""
        start, end = self.line_offsets[block : block + 2].tolist()
        return self.lines[start:end].decode("utf-8", "replace")

    def spans_of(self, first: int, end: int) -> dict[int, list[Span]]:
        """Returns the spans of the blocks from `first` to before `end` that have some, inner ones before outer ones."""
        spans: dict[int, list[Span]] = {}
        start, stop = np.searchsorted(self.span_blocks, [first, end]).tolist()
        for number, block in enumerate(self.span_blocks[start:stop].tolist(), start):
            spans.setdefault(block, []).append(self._span(number))
        return spans

    def _span(self, number: int) -> Span:
        target, address = int(self.span_targets[number]), ""
        if target >= 0:
            start, end = self.target_offsets[target : target + 2].tolist()
            address = self.targets[start:end].decode("utf-8", "replace")
        return Span(int(self.span_starts[number]), int(self.span_ends[number]), int(self.span_kinds[number]), address)
