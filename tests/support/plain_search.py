"""Searches verticals for a query, in plain Python: the twin of native/inspection/token_search.hpp and of matching."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpusprep.inspection.automaton import Bound, Choice, Node, Parts, Repeated, Token
from corpusprep.inspection.conditions import All, Condition, Not, Test
from corpusprep.inspection.parsed_query import Element, Meeting, Query, Structure
from corpusprep.text.vertical import attributes, unescape

#: A hit: where the lines of its document, block and first token begin, where that of its last ends; its tokens.
Hit = tuple[int, int, int, int, int, int]


@dataclass
class Placed:
    """A token: its columns, its bytes, what begins or ends before it, the structures it is in, with their lines."""

    columns: list[str]
    start: int
    stop: int
    document: int
    block: int
    number: int
    begins: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    inside: dict[str, int] = field(default_factory=dict)


def is_structure(line: str) -> bool:
    """Whether a line of a vertical is a tag."""
    return (
        len(line) > 2
        and line[0] == "<"
        and line[-1] == ">"
        and (line[1] == "/" or (line[1].isascii() and line[1].isalpha()))
    )


def blocks_of(vertical: str) -> list[list[Placed]]:
    """The tokens of each block; the last one, without columns, has the bounds behind the others."""
    blocks: list[list[Placed]] = []
    document = block = place = number = 0
    open_block = False
    begins: set[str] = set()
    ends: set[str] = set()
    inside: dict[str, int] = {}
    waiting: list[list[Placed]] = []
    for line in vertical.encode().split(b"\n"):
        text, start = line.decode(), place
        place += len(line) + 1
        if not text:
            continue
        if not is_structure(text):
            columns = [unescape(value) for value in text.split("\t")]
            if open_block and columns[0]:
                token = Placed(columns, start, start + len(line), document, block, number, begins, ends, dict(inside))
                for finished in waiting:
                    finished.append(Placed([], 0, 0, 0, 0, number, begins, ends))
                waiting = []
                begins, ends, number = set(), set(), number + 1
                blocks[-1].append(token)
            continue
        if text.startswith(("<doc", "</doc", "<p ", "<p>", "</p")):
            open_block = False
        name = re.match(r"</?([\w.:-]+)", text)
        if name and text.startswith("</"):
            ends.add(name[1])
            inside.pop(name[1], None)
        elif name:
            begins.add(name[1])
            if text[-2] == "/":
                ends.add(name[1])
            else:
                inside[name[1]] = start
        if text.startswith("<doc"):
            document = start
        elif text.startswith(("<p ", "<p>")):
            block, open_block = start, True
            if blocks:
                waiting.append(blocks[-1])
            blocks.append([])
    for finished in [*waiting, *blocks[-1:]]:
        finished.append(Placed([], 0, 0, 0, 0, number, begins, ends))
    return blocks


def find(vertical: str, query: Query) -> list[Hit]:
    """Returns the hits of a query."""
    return [
        hit
        for tokens in blocks_of(vertical)
        for start in range(len(tokens) - 1)
        for hit in hits_at(tokens, start, query, vertical, longest=False)
    ]


def hits_at(tokens: list[Placed], start: int, query: Query, vertical: str, *, longest: bool) -> list[Hit]:
    """Returns the hit at a token, if there is one."""
    stops: set[int]
    if isinstance(query.pattern, Meeting):
        first, second = query.pattern.queries

        def has(at: int, one: Query) -> bool:
            return 0 <= at < len(tokens) - 1 and bool(hits_at(tokens, at, one, vertical, longest=False))

        if query.pattern.window is None:
            met = has(start, first) or has(start, second)
        else:
            low, high = query.pattern.window
            near = (at for at in range(start + low, start + high + 1) if at != start)
            met = has(start, first) and any(has(at, second) for at in near)
        stops = {start + 1} if met else set()
    else:
        walls = [
            clause.other.name
            for clause in query.clauses
            if isinstance(clause.other, Structure) and clause.other.name not in ("doc", "p")
            if not clause.negated and not clause.contained
        ]
        stops = {
            stop
            for stop in ends(tokens, start, query.pattern, query.elements)
            if all(in_one(tokens[start:stop], wall) for wall in walls)
        }
    if not stops:
        return []
    stop = max(stops) if longest else min(stops)
    for clause in query.clauses:
        if isinstance(clause.other, Structure):
            passed = in_structure(tokens[start:stop], clause.other, vertical)
        elif clause.contained:
            held = [
                hit for at in range(start, stop) for hit in hits_at(tokens, at, clause.other, vertical, longest=False)
            ]
            passed = any(hit[5] <= tokens[stop].number for hit in held)
        else:
            around = [
                hit for at in range(start + 1) for hit in hits_at(tokens, at, clause.other, vertical, longest=True)
            ]
            passed = any(hit[5] >= tokens[stop].number for hit in around)
        if passed is clause.negated:
            return []
    first_token, last = tokens[start], tokens[stop - 1]
    return [
        (first_token.document, first_token.block, first_token.start, last.stop, first_token.number, last.number + 1)
    ]


def in_one(tokens: Sequence[Placed], structure: str) -> bool:
    """Whether tokens are in one structure of that name."""
    crossed = any(structure in token.begins | token.ends for token in tokens[1:])
    return structure in tokens[0].inside and not crossed


def in_structure(tokens: Sequence[Placed], structure: Structure, vertical: str) -> bool:
    """Whether tokens are in one structure that passes its condition."""
    if structure.name == "doc":
        line = tokens[0].document
    elif structure.name == "p":
        line = tokens[0].block
    elif in_one(tokens, structure.name):
        line = tokens[0].inside[structure.name]
    else:
        return False
    values = attributes(vertical.encode()[line:].split(b"\n")[0].decode())
    row = [values.get(name, "") for name in structure.attributes]
    return structure.condition is None or holds(structure.condition, row)


def holds(condition: Condition, row: Sequence[str]) -> bool:
    """Whether values pass a condition; one that is missing is empty."""
    match condition:
        case Test():
            value = row[condition.column] if condition.column < len(row) else ""
            value = value.lower() if condition.lowered else value
            return _matches(condition.expression, value) is not condition.negated
        case Not(part):
            return not holds(part, row)
        case All(parts):
            return all(holds(part, row) for part in parts)
        case _:
            return any(holds(part, row) for part in condition.parts)


def passes(element: Element, columns: Sequence[str]) -> bool:
    """Whether a token with these columns is one of an element."""
    return all(holds(test, columns) for test in element.tests)


@functools.cache
def _matches(expression: str, value: str) -> bool:
    return re.fullmatch(expression, value) is not None


def ends(tokens: list[Placed], start: int, node: Node, elements: Sequence[Element]) -> set[int]:
    """Returns where what a part of a pattern finds from a token on may end, by trying everything."""
    match node:
        case Token(test):
            there = start < len(tokens) - 1 and passes(elements[test], tokens[start].columns)
            return {start + 1} if there else set()
        case Bound(structure, begins):
            return {start} if structure in (tokens[start].begins if begins else tokens[start].ends) else set()
        case Parts(parts):
            reached = {start}
            for part in parts:
                reached = {stop for at in reached for stop in ends(tokens, at, part, elements)}
            return reached
        case Choice(parts):
            return {stop for part in parts for stop in ends(tokens, start, part, elements)}
        case Repeated(part, least, most):
            reached, every = {start}, {start} if not least else set()
            for times in range(1, (len(tokens) if most is None else most) + 1):
                reached = {stop for at in reached for stop in ends(tokens, at, part, elements)}
                every |= reached if times >= least else set()
            return every
