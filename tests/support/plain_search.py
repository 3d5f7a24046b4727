"""Searches verticals for sequences of a pattern, in plain Python: the twin of native/inspection/token_search.hpp."""

import functools
import re
from collections.abc import Sequence

from corpusprep.inspection.query import Element, Query
from corpusprep.text.vertical import unescape


def is_structure(line: str) -> bool:
    """Whether a line of a vertical is a tag."""
    return (
        len(line) > 2
        and line[0] == "<"
        and line[-1] == ">"
        and (line[1] == "/" or (line[1].isascii() and line[1].isalpha()))
    )


def find(vertical: str, query: Query) -> list[tuple[int, int, int, int]]:
    """Returns for each sequence where the document, the block and the first token begin, and where the last ends."""
    found: list[tuple[int, int, int, int]] = []
    document = block = place = 0
    tokens: list[tuple[list[str], int, int]] | None = None
    for line in vertical.encode().split(b"\n"):
        text, start = line.decode(), place
        place += len(line) + 1
        if not text:
            continue
        if not is_structure(text):
            columns = [unescape(value) for value in text.split("\t")]
            if tokens is not None and columns[0]:
                tokens.append((columns, start, start + len(line)))
            continue
        if text.startswith(("<doc", "</doc", "<p ", "<p>", "</p")):
            found += [(document, block, begin, end) for begin, end in in_block(tokens or [], query.elements)]
            tokens = None
        if text.startswith("<doc"):
            document = start
        elif text.startswith(("<p ", "<p>")):
            block, tokens = start, []
    return found + [(document, block, begin, end) for begin, end in in_block(tokens or [], query.elements)]


def in_block(tokens: Sequence[tuple[list[str], int, int]], elements: Sequence[Element]) -> list[tuple[int, int]]:
    """Returns the shortest sequence from each token of a block."""
    found = []
    for start in range(len(tokens)):
        ends = lengths([columns for columns, _, _ in tokens[start:]], elements)
        if ends:
            found.append((tokens[start][1], tokens[start + min(ends) - 1][2]))
    return found


def passes(element: Element, columns: Sequence[str]) -> bool:
    """Whether a token with these columns is one of an element; a column that it does not have is empty."""
    values = ((test, columns[test.column] if test.column < len(columns) else "") for test in element.tests)
    return all(_matches(test.expression, value) is not test.negated for test, value in values)


@functools.cache
def _matches(expression: str, value: str) -> bool:
    return re.fullmatch(expression, value) is not None


def lengths(tokens: Sequence[Sequence[str]], elements: Sequence[Element]) -> set[int]:
    """Returns how many tokens a sequence from the first token on may have, by trying everything."""
    if not elements:
        return {0}
    element, rest = elements[0], elements[1:]
    ends = set()
    for taken in range(element.most + 1):
        if taken > len(tokens) or not all(passes(element, columns) for columns in tokens[:taken]):
            break
        if taken >= element.least:
            ends |= {taken + end for end in lengths(tokens[taken:], rest)}
    return ends
