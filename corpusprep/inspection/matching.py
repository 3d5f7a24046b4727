"""Finds the hits of a query in pieces of a vertical: sequences of tokens, and what they are in or hold."""

import re
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native.token_search import TokenSearch
from corpusprep.inspection import automaton
from corpusprep.inspection.conditions import passing
from corpusprep.inspection.ending import SearchEndedError
from corpusprep.inspection.parsed_query import Clause, Element, Meeting, Query, Structure, columns_of
from corpusprep.inspection.token_bytes import ANY, first_and_last
from corpusprep.text.vertical import attributes, unescape

#: Types of tokens between two looks whether a search shall end.
_DECIDED_AT_ONCE = 1 << 15
#: Structures whose bounds no hit crosses anyway.
_OUTER = ("doc", "p")
_DOCUMENT, _BLOCK, _BEGIN, _END, _FIRST, _STOP = range(6)


class Matcher:
    """Finds the hits of a query. It learns about types of tokens, and is for one thread at a time.

    Attributes:
        ended: is asked often; once it says yes, the search ends.
    """

    def __init__(
        self,
        query: Query,
        *,
        longest: bool = False,
        column: int | None = None,
        observe: Callable[[list[bytes], int], None] = lambda _types, _first: None,
    ) -> None:
        """Takes a query.

        Args:
            query: the query.
            longest: whether the longest sequence from each token counts, not the shortest.
            column: all tokens get the number of their type, which has at least this column; None: those that may pass.
            observe: gets types that are new, as they stand in the vertical, and the number of the first.
        """
        self.ended: Callable[[], bool] = lambda: False
        self._clauses: list[tuple[Clause, Matcher | None]] = [
            (clause, Matcher(clause.other, longest=not clause.contained) if isinstance(clause.other, Query) else None)
            for clause in query.clauses
        ]
        self._observe = observe
        self._meeting: tuple[Matcher, tuple[int, int] | None] | None = None
        self._others = [matcher for _, matcher in self._clauses if matcher]
        if isinstance(query.pattern, Meeting):
            first, second = query.pattern.queries
            self._first: Matcher | None = Matcher(first, column=column, observe=observe)
            self._meeting = Matcher(second), query.pattern.window
            self._others += [self._first, self._meeting[0]]
            self._kernel = self._first.kernel
            return
        self._first = None
        self._elements = query.elements
        self._columns = max(columns_of(query), (column or 0) + 1)
        self._kernel = _kernel(query, longest=longest, all_columns=self._columns > 1, every=column is not None)

    @property
    def kernel(self) -> TokenSearch:
        """The kernel, which knows the tokens of the last piece."""
        return self._kernel

    @property
    def tokens(self) -> int:
        """Tokens searched so far."""
        return self._kernel.tokens

    def find(self, piece: bytes) -> NDArray[np.int64]:
        """Returns the hits in a piece of whole documents, in order.

        Returns:
            Shape (hits, 6): the bytes where the line <doc …>, the line <p …> and the line of the first token begin, and
            where the line of the last token ends; the first token, and the one behind the last.

        Raises:
            SearchEndedError: `ended` says so.
        """
        for other in self._others:
            other.ended = self.ended
        if self._first is None:
            rows = self._kernel.find(piece, self._decide)
        elif self._meeting is not None:
            rows = self._met(self._first.find(piece), *self._meeting, piece)
        for clause, matcher in self._clauses:
            if not len(rows):
                break
            if matcher is None:
                assert isinstance(clause.other, Structure)
                passed = _Structures(piece, clause.other).around(rows)
            else:
                others = matcher.find(piece)
                passed = _hold(rows, others) if clause.contained else _hold_within(rows, others)
            rows = rows[passed != clause.negated]
        return rows

    def _met(
        self, rows: NDArray[np.int64], matcher: "Matcher", window: tuple[int, int] | None, piece: bytes
    ) -> NDArray[np.int64]:
        """Returns the tokens that have others in their window, or the tokens of both."""
        others = matcher.find(piece)
        if window is None:
            both = np.concatenate([rows, others])
            return both[np.unique(both[:, _FIRST], return_index=True)[1]]
        blocks = self._kernel.blocks()[:, 2]
        bounds = np.append(blocks, np.iinfo(np.int64).max)
        token, others_at = rows[:, _FIRST], others[:, _FIRST]
        block = np.searchsorted(blocks, token, "right")
        start = np.maximum(token + window[0], bounds[block - 1])
        stop = np.minimum(token + window[1], bounds[block] - 1)
        near = np.searchsorted(others_at, stop, "right") - np.searchsorted(others_at, start, "left")
        itself = (start <= token) & (token <= stop) & np.isin(token, others_at)
        met: NDArray[np.int64] = rows[near - itself > 0]
        return met

    def _decide(self, types: list[bytes]) -> NDArray[np.uint32]:
        """Returns the bits of each type.

        Raises:
            SearchEndedError: `ended` says so.
        """
        self._observe(types, self._kernel.types - len(types))
        bits = np.zeros(len(types), dtype=np.uint32)
        for start in range(0, len(types), _DECIDED_AT_ONCE):
            if self.ended():
                raise SearchEndedError
            columns = columns_of_types(types[start : start + _DECIDED_AT_ONCE], self._columns)
            for number, element in enumerate(self._elements):
                passed = _passing(element, columns)
                bits[start : start + len(passed)] |= passed.astype(np.uint32) << np.uint32(number)
        return bits


def columns_of_types(types: list[bytes], columns: int) -> list[pl.Series]:
    """Returns the first columns of types of tokens, as they stand in the vertical; one that is missing is empty."""
    lines = pl.Series(b"\n".join(types).decode("utf-8", "replace").split("\n") if types else [], dtype=pl.String)
    if columns == 1 and not lines.str.contains("\t", literal=True).any():
        return [unescaped(lines)]
    parts = lines.str.splitn("\t", columns + 1).struct.unnest()
    return [unescaped(parts[f"field_{column}"].fill_null("")) for column in range(columns)]


def unescaped(values: pl.Series) -> pl.Series:
    """Returns values of a vertical as they are in the text."""
    escaped = values.str.contains("&", literal=True)
    if not escaped.any():
        return values
    places = escaped.arg_true()
    return values.scatter(places, [unescape(value) for value in values.gather(places)])


def _passing(element: Element, columns: list[pl.Series]) -> NDArray[np.bool_]:
    passed = np.ones(len(columns[0]), dtype=np.bool_)
    for test in element.tests:
        passed &= passing(test, columns)
    return passed


def _kernel(query: Query, *, longest: bool, all_columns: bool, every: bool) -> TokenSearch:
    """Returns the kernel of the pattern of a query."""
    assert not isinstance(query.pattern, Meeting)
    walls = [
        clause.other.name
        for clause in query.clauses
        if isinstance(clause.other, Structure) and not clause.contained and not clause.negated
    ]
    walls = list(dict.fromkeys(name for name in walls if name not in _OUTER))
    walls = walls[: automaton.MOST_STRUCTURES - len(automaton.structures_of(query.pattern))]
    made = automaton.automaton(query.pattern, walls)
    untested = sum(1 << number for number, element in enumerate(query.elements) if not element.tests)
    first, last = (ANY, ANY) if every else first_and_last(query)
    return TokenSearch(
        made.tests,
        made.ways,
        first,
        last,
        untested,
        all_columns,
        made.structures,
        sum(automaton.begins(number) | automaton.ends(number) for number in range(len(walls))),
        sum(automaton.inside(number) for number in range(len(walls))),
        longest,
    )


class _Structures:
    """Says which hits of a piece are in, or hold, a structure."""

    def __init__(self, piece: bytes, structure: Structure) -> None:
        self._piece, self._structure = piece, structure
        name = re.escape(structure.name.encode())
        self._bound = re.compile(rb"\n<(/?)" + name + rb"(?=[ />])[^\n]*(?<!/)>(?=\n|$)")

    def around(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Returns whether each hit is in one structure, with attributes that pass."""
        places = self._places(rows)
        condition = self._structure.condition
        if condition is None:
            return places >= 0
        different, numbers = np.unique(places, return_inverse=True)
        lines = [b"" if place < 0 else self._line(place) for place in different.tolist()]
        values = [attributes(line.decode("utf-8", "replace")) for line in lines]
        columns = [
            pl.Series([value.get(name, "") for value in values], dtype=pl.String) for name in self._structure.attributes
        ]
        return (passing(condition, columns) & (different >= 0))[numbers]

    def _line(self, place: int) -> bytes:
        return self._piece[place : self._piece.find(b"\n", place)]

    def _places(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns where the line of the structure is that each hit is in; -1: in none."""
        if self._structure.name == "doc":
            return rows[:, _DOCUMENT]
        if self._structure.name == "p":
            return rows[:, _BLOCK]
        places = np.full(len(rows), -1, dtype=np.int64)
        blocks, firsts = np.unique(rows[:, _BLOCK], return_index=True)
        for block, hits in zip(blocks.tolist(), np.split(np.arange(len(rows)), firsts[1:]), strict=True):
            stop = self._piece.find(b"\n</p>", block)
            found = list(self._bound.finditer(self._piece, block, len(self._piece) if stop < 0 else stop))
            bounds = np.array([-1, *(bound.start() + 1 for bound in found)], dtype=np.int64)
            begins = np.array([False, *(not bound[1] for bound in found)])
            last = np.searchsorted(bounds, rows[hits, _BEGIN], "left") - 1
            crossed = np.searchsorted(bounds, rows[hits, _END], "left") - 1 > last
            places[hits] = np.where(begins[last] & ~crossed, bounds[last], -1)
        return places


def _hold(rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether each hit holds one of the others, which are in order."""
    if not len(others):
        return np.zeros(len(rows), dtype=np.bool_)
    # The first end of all that begin at a token or behind it.
    ends = np.append(np.minimum.accumulate(others[::-1, _STOP])[::-1], np.iinfo(np.int64).max)
    return ends[np.searchsorted(others[:, _FIRST], rows[:, _FIRST], "left")] <= rows[:, _STOP]


def _hold_within(rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether each hit is in one of the others, which are in order."""
    # The last end of all that begin at a token or before it.
    ends = np.concatenate([[-1], np.maximum.accumulate(others[:, _STOP])]).astype(np.int64)
    return ends[np.searchsorted(others[:, _FIRST], rows[:, _FIRST], "right")] >= rows[:, _STOP]
