"""Makes the automaton of a pattern: its places, and what may stand behind each (Glushkov 1961).

The automaton has a place per token of the pattern, and no empty transitions. The kernel follows all ways at once
(native/inspection/token_search.hpp), so no pattern can take more than linear time. A bound of a structure between two
tokens (`<s>`) is a condition of the way between their places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeAlias

#: The most places of a pattern, and structures whose bounds it names: the kernel has bits for them.
MOST_PLACES, MOST_STRUCTURES = 255, 8


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `test` is the number of its test among those of the pattern."""

    test: int


@dataclass(frozen=True, slots=True)
class Bound:
    """The place between two tokens where a structure begins, or ends."""

    structure: str
    begins: bool


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts one after another."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A part, from `least` to `most` times; None: any number of times from `least` on."""

    part: "Node"
    least: int
    most: int | None


Node: TypeAlias = Token | Bound | Parts | Choice | Repeated
#: Sets of places, as numbers with a bit per place, by the bounds that must stand there.
_Places: TypeAlias = dict[int, int]


@dataclass(frozen=True, slots=True)
class Automaton:
    """What the kernel takes of a pattern (TokenSearch).

    Attributes:
        tests: number of the test of each place.
        ways: (bounds, first, next, last), as the kernel has them.
        structures: names of the structures whose bounds count.
    """

    tests: tuple[int, ...]
    ways: tuple[tuple[int, int, tuple[int, ...], int], ...]
    structures: tuple[str, ...]


def begins(number: int) -> int:
    """Returns the bit of the place where a structure of a pattern begins."""
    return 1 << number


def ends(number: int) -> int:
    """Returns the bit of the place where it ends."""
    return 1 << (MOST_STRUCTURES + number)


def inside(number: int) -> int:
    """Returns the bit of a token inside it."""
    return 1 << (2 * MOST_STRUCTURES + number)


def places(node: Node) -> int:
    """Returns the number of places of a part, with all repetitions."""
    match node:
        case Token():
            return 1
        case Bound():
            return 0
        case Repeated(part, least, most):
            return max(1, least if most is None else most) * places(part)
        case Parts(parts) | Choice(parts):
            return sum(map(places, parts))


def can_be_empty(node: Node) -> bool:
    """Whether a part may have no token."""
    match node:
        case Token():
            return False
        case Bound():
            return True
        case Repeated(part, least, _):
            return not least or can_be_empty(part)
        case Parts(parts):
            return all(map(can_be_empty, parts))
        case Choice(parts):
            return any(map(can_be_empty, parts))


def structures_of(node: Node) -> tuple[str, ...]:
    """Returns the structures whose bounds a part names, each once."""
    match node:
        case Token():
            return ()
        case Bound(structure, _):
            return (structure,)
        case Repeated(part, _, _):
            return structures_of(part)
        case Parts(parts) | Choice(parts):
            return tuple(dict.fromkeys(name for part in parts for name in structures_of(part)))


def automaton(node: Node, structures: Sequence[str] = ()) -> Automaton:
    """Returns the automaton of a pattern of at most MOST_PLACES places, none of whose sequences is empty.

    Args:
        node: the pattern.
        structures: names of further structures whose bounds count, which get the first numbers.
    """
    names = tuple(dict.fromkeys((*structures, *structures_of(node))))
    making = _Making(names)
    made = making.part(node)
    bounds = sorted({0, *made.first, *made.last, *making.following})
    count = len(making.tests)
    ways = (
        (
            bound,
            made.first.get(bound, 0),
            tuple(making.following.get(bound, {}).get(place, 0) for place in range(count)),
            made.last.get(bound, 0),
        )
        for bound in bounds
    )
    return Automaton(tuple(making.tests), tuple(ways), names)


@dataclass(frozen=True, slots=True)
class _Made:
    """A part of an automaton: where it begins and ends, and the bounds with which it may be empty."""

    first: _Places
    last: _Places
    empty: frozenset[int] = frozenset()


_NOTHING = _Made({}, {}, frozenset({0}))


@dataclass(slots=True)
class _Making:
    structures: tuple[str, ...]
    tests: list[int] = field(default_factory=list)
    following: dict[int, dict[int, int]] = field(default_factory=dict)

    def part(self, node: Node) -> _Made:
        """Adds the places of a part."""
        match node:
            case Token(test):
                place = 1 << len(self.tests)
                self.tests.append(test)
                return _Made({0: place}, {0: place})
            case Bound(structure, begins_there):
                number = self.structures.index(structure)
                return _Made({}, {}, frozenset({begins(number) if begins_there else ends(number)}))
            case Parts(parts):
                return reduce(self.joined, map(self.part, parts), _NOTHING)
            case Choice(parts):
                return reduce(_either, map(self.part, parts), _Made({}, {}))
            case Repeated(part, least, most):
                once = range(least if most is not None else max(0, least - 1))
                made = reduce(self.joined, (self.part(part) for _ in once), _NOTHING)
                if most is None:
                    loop = self.part(part)
                    self.joined(loop, loop)
                    return self.joined(made, loop if least else _either(loop, _NOTHING))
                rest = _NOTHING
                for copy in reversed([self.part(part) for _ in range(most - least)]):
                    rest = _either(self.joined(copy, rest), _NOTHING)
                return self.joined(made, rest)

    def joined(self, before: _Made, behind: _Made) -> _Made:
        """Puts a part behind another one."""
        for ending, places in before.last.items():
            for beginning, targets in behind.first.items():
                following = self.following.setdefault(ending | beginning, {})
                for place in _bits(places):
                    following[place] = following.get(place, 0) | targets
        first, last = dict(before.first), dict(behind.last)
        for bound in before.empty:
            for beginning, places in behind.first.items():
                first[bound | beginning] = first.get(bound | beginning, 0) | places
        for bound in behind.empty:
            for ending, places in before.last.items():
                last[bound | ending] = last.get(bound | ending, 0) | places
        return _Made(first, last, frozenset(one | other for one in before.empty for other in behind.empty))


def _either(one: _Made, other: _Made) -> _Made:
    return _Made(_united(one.first, other.first), _united(one.last, other.last), one.empty | other.empty)


def _united(one: _Places, other: _Places) -> _Places:
    return {bound: one.get(bound, 0) | other.get(bound, 0) for bound in one.keys() | other.keys()}


def _bits(places: int) -> list[int]:
    return [place for place in range(places.bit_length()) if places >> place & 1]
