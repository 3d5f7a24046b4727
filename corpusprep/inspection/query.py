r"""The patterns of concordances: words, sequences, and tests of a token's columns by regular expressions.

| pattern | finds |
|---|---|
| `tea` | the word, in small letters or capitals |
| `strong tea` | the words one after the other, in one block |
| `"[Tt]eas?"` | tokens that the regular expression matches as a whole, as written |
| `[lemma="go" & tag!="N.*"]` | tokens whose columns match, and do not match |
| `[]` | any token |
| `strong []{0,2} tea` | up to two tokens between |

Expressions are as in Rust's `regex`, which polars has: time is linear in the length of a token, for any expression.
They have classes of Unicode (`\w`, `\p{Lu}`), but no look-around and no back-references.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native.unicode import nfc
from corpusprep.errors import CorpusprepError

#: The most tests of one pattern: the kernel has one bit per element.
MOST_ELEMENTS = 32
#: The most tokens that a hit may have.
MOST_TOKENS = 255
#: The most tokens that `{…}` allows for.
MOST_REPEATED = 100
#: Characters of a value that tests look at: no expression may take minutes for a page that is one long token.
LONGEST_VALUE = 10_000

_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"[\w.:-]+")
_OPERATOR = re.compile(r"!?=")
_REPEATED = re.compile(r"\{(\d+)(?:,(\d+))?\}")
_WORD = re.compile(r'[^\s"\[\]{}]+')
#: What an expression is tried on, to see whether it is one; and characters before it in the library's message.
_EMPTY, _MARGIN = pl.Series([""]), 4


class PatternError(CorpusprepError):
    """A pattern that cannot be understood.

    Attributes:
        position: of the first wrong character, from 0.
    """

    def __init__(self, pattern: str, position: int, what: str) -> None:
        shown = pattern.replace("\n", " ").replace("\t", " ")
        super().__init__(f"pattern: {what}, at character {position + 1}\n  {shown}\n  {' ' * position}^")
        self.position = position


@dataclass(frozen=True, slots=True)
class Test:
    """A test of one column of a token.

    Attributes:
        column: its number, 0 is the word.
        expression: must match the whole value.
        negated: whether the value must not match.
    """

    column: int
    expression: str
    negated: bool = False

    def passes(self, values: pl.Series) -> NDArray[np.bool_]:
        """Returns for each value of its column whether its first LONGEST_VALUE characters pass."""
        matched = values.str.slice(0, LONGEST_VALUE).str.contains(_whole(self.expression)).to_numpy()
        return ~matched if self.negated else matched


@dataclass(frozen=True, slots=True)
class Element:
    """A token of a pattern, or several that pass the same tests.

    Attributes:
        tests: all must pass; none: any token.
        least, most: how many tokens.
        word: the word as written, if the element is a plain word; empty otherwise.
    """

    tests: tuple[Test, ...] = ()
    least: int = 1
    most: int = 1
    word: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A pattern: elements in order."""

    text: str
    elements: tuple[Element, ...]


def parse(text: str, columns: Sequence[str] = ("word",)) -> Query:
    """Reads a pattern.

    Args:
        text: the pattern; it is composed as the texts of corpora are (normalisation form C).
        columns: names of the columns of the vertical, the word first.

    Raises:
        PatternError: it is wrong; says where.
    """
    text = nfc(text)
    elements: list[Element] = []
    place = 0
    while place < len(text):
        if match := _SPACE.match(text, place):
            place = match.end()
            continue
        element, end = _element(text, place, columns)
        if match := _REPEATED.match(text, end):
            least, most = int(match[1]), int(match[2] or match[1])
            if most > MOST_REPEATED or least > most or not most:
                raise PatternError(text, end, f"{match[0]} is no range of 1 to {MOST_REPEATED} tokens")
            element, end = Element(element.tests, least, most, element.word), match.end()
        elements.append(element)
        place = end
    if not elements:
        raise PatternError(text, 0, "it is empty")
    if len(elements) > MOST_ELEMENTS:
        raise PatternError(text, 0, f"more than {MOST_ELEMENTS} tokens")
    if sum(element.most for element in elements) > MOST_TOKENS:
        raise PatternError(text, 0, f"it could be longer than {MOST_TOKENS} tokens")
    for number, place in ((0, 0), (-1, len(text) - 1)):
        if not elements[number].least:
            raise PatternError(text, place, "it must begin and end with a token, not with a gap")
    if not any(element.tests for element in elements):
        raise PatternError(text, 0, "no token of it says what it looks for")
    return Query(text, tuple(elements))


def literal(word: str) -> str:
    """Returns the pattern that finds a word, in small letters or capitals, whatever its characters mean in patterns."""
    if _WORD.fullmatch(word):
        return word
    escaped = re.escape(word).replace('"', '\\"')
    return f'"(?i){escaped}"'


def _element(text: str, place: int, columns: Sequence[str]) -> tuple[Element, int]:
    if text[place] == "[":
        return _bracket(text, place, columns)
    if text[place] == '"':
        expression, end = _expression(text, place)
        return Element((Test(0, expression),)), end
    if match := _WORD.match(text, place):
        return Element((Test(0, f"(?i){re.escape(match[0])}"),), word=match[0]), match.end()
    raise PatternError(text, place, f"{text[place]!r} has no meaning here")


def _bracket(text: str, place: int, columns: Sequence[str]) -> tuple[Element, int]:
    """Reads `[attribute="regex" & …]`."""
    start, place = place, place + 1
    tests: list[Test] = []
    while True:
        place = _skip(text, place)
        if place >= len(text):
            raise PatternError(text, start, "no ] closes this")
        if text[place] == "]" and not tests:
            return Element(), place + 1
        name = _NAME.match(text, place)
        if not name:
            raise PatternError(text, place, "the name of a column must stand here")
        if name[0] not in columns:
            known = ", ".join(columns)
            raise PatternError(text, place, f"no column {name[0]} (there is {known}; name the others with --columns)")
        place = _skip(text, name.end())
        operator = _OPERATOR.match(text, place)
        if not operator:
            raise PatternError(text, place, "= or != must stand here")
        place = _skip(text, operator.end())
        expression, place = _expression(text, place)
        tests.append(Test(columns.index(name[0]), expression, operator[0] == "!="))
        place = _skip(text, place)
        if text[place : place + 1] == "]":
            return Element(tuple(tests)), place + 1
        if text[place : place + 1] != "&":
            if place >= len(text):
                raise PatternError(text, start, "no ] closes this")
            raise PatternError(text, place, "& or ] must stand here")
        place += 1


def _expression(text: str, place: int) -> tuple[str, int]:
    """Reads a regular expression in quotation marks."""
    match = _QUOTED.match(text, place)
    if not match:
        what = "no quotation mark closes this" if text[place : place + 1] == '"' else "a quotation mark must stand here"
        raise PatternError(text, min(place, len(text)), what)
    written = match[1].replace('\\"', '"')
    for expression in (written, _whole(written)):  # by itself, so that `a)|(b` cannot close what stands around it
        try:
            _EMPTY.str.contains(expression)
        except pl.exceptions.ComputeError as error:
            wrong, what = _fault(str(error))
            raise PatternError(text, min(place + 1 + wrong, match.end() - 1), f"regular expression: {what}") from None
    return written, match.end()


def _whole(expression: str) -> str:
    return rf"\A(?:{expression})\z"


def _fault(message: str) -> tuple[int, str]:
    """Returns where an expression is wrong, and how, from a message: the expression, a line with a mark, the error."""
    lines = message.split("\n")
    mark = next((line for line in lines if "^" in line and not line.strip(" ^")), "")
    what = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "")
    if not what:
        return 0, "it is too large" if "size limit" in message else "it is not understood"
    return max(0, mark.find("^") - _MARGIN), what


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place
