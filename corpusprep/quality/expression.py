"""Conditions on signals, as the config writes them: `words >= 50 and (repeated_lines < 0.3 or lines < 5)`.

    condition  = conjunction, { "or", conjunction } ;
    conjunction = negation, { "and", negation } ;
    negation   = "not", negation | "(", condition, ")" | comparison ;
    comparison = value, ( "<" | "<=" | ">" | ">=" | "==" | "!=" ), value ;
    value      = signal | number ;

Nothing of it is run as code: the result is an expression of polars.
"""

import difflib
import operator
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from corpusprep.errors import ConfigError

#: The most characters of an expression, and the most parentheses and `not` within each other.
MOST_CHARACTERS, MOST_DEPTH = 10_000, 100

_PART = re.compile(
    r"(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<name>[A-Za-z]\w*)|(?P<operator><=|>=|==|!=|<|>)|(?P<other>[()])"
)
_SPACE = re.compile(r"\s+")
_COMPARISONS: dict[str, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_WORDS = ("and", "or", "not")


class ExpressionError(ConfigError):
    """An expression that cannot be understood.

    Attributes:
        position: of the first wrong character, from 0.
    """

    def __init__(self, text: str, position: int, what: str) -> None:
        shown = re.sub(r"\s", " ", text)
        super().__init__(f"expression: {what}, at character {position + 1}\n  {shown}\n  {' ' * position}^")
        self.position = position


class Condition(NamedTuple):
    """A condition.

    Attributes:
        text: as written, with one space between its parts.
        signals: the signals that it names, in their order.
        holds: whether it holds; null where a signal is missing that decides.
    """

    text: str
    signals: tuple[str, ...]
    holds: pl.Expr


class _Part(NamedTuple):
    kind: str
    text: str
    position: int


def parse(text: str, names: Collection[str]) -> Condition:
    """Reads a condition on the signals `names`.

    Raises:
        ExpressionError: it is wrong; says where.

    >>> parse("words >= 50 and not lines<3", ["words", "lines"])[:2]
    ('words >= 50 and not lines < 3', ('words', 'lines'))
    """
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(text[:60], 0, f"longer than {MOST_CHARACTERS:,} characters")
    parts = list(_parts(text))
    reader = _Reader(text, parts, names)
    holds = reader.condition(0)
    if reader.next.kind != "end":
        raise ExpressionError(text, reader.next.position, "the condition ends before this; write and, or")
    words = re.sub(r"\( | \)", lambda match: match[0].strip(), " ".join(part.text for part in parts[:-1]))
    signals = dict.fromkeys(part.text for part in parts if part.kind == "name" and part.text in names)
    return Condition(words, tuple(signals), holds)


def _parts(text: str) -> Iterator[_Part]:
    place = 0
    while place < len(text):
        if space := _SPACE.match(text, place):
            place = space.end()
            continue
        match = _PART.match(text, place)
        if match is None:
            raise ExpressionError(text, place, f"{text[place]!r} is no part of a condition")
        yield _Part(str(match.lastgroup), match[0], place)
        place = match.end()
    yield _Part("end", "", len(text))


class _Reader:
    """Reads the parts of a condition, one after the other."""

    def __init__(self, text: str, parts: Sequence[_Part], names: Collection[str]) -> None:
        self._text, self._parts, self._names, self._place = text, parts, names, 0

    @property
    def next(self) -> _Part:
        return self._parts[self._place]

    def condition(self, depth: int) -> pl.Expr:
        holds = self._conjunction(depth)
        while self._taken("or"):
            holds = holds | self._conjunction(depth)
        return holds

    def _conjunction(self, depth: int) -> pl.Expr:
        holds = self._negation(depth)
        while self._taken("and"):
            holds = holds & self._negation(depth)
        return holds

    def _negation(self, depth: int) -> pl.Expr:
        if depth > MOST_DEPTH:
            raise self._error(f"more than {MOST_DEPTH} parentheses or negations within each other")
        if self._taken("not"):
            return ~self._negation(depth + 1)
        if self._taken("("):
            holds = self.condition(depth + 1)
            if not self._taken(")"):
                raise self._error("a closing parenthesis is missing")
            return holds
        return self._comparison()

    def _comparison(self) -> pl.Expr:
        left = self._value()
        if self.next.kind != "operator":
            raise self._error("a comparison is missing: <, <=, >, >=, == or !=")
        compared = _COMPARISONS[self._take().text]
        right = self._value()
        if self.next.kind == "operator":
            raise self._error("one comparison follows another; join them with and")
        return compared(left, right)

    def _value(self) -> pl.Expr:
        part = self.next
        if part.kind == "number":
            return pl.lit(float(self._take().text))
        if part.kind != "name" or part.text in _WORDS:
            raise self._error("a signal or a number is missing")
        if part.text not in self._names:
            raise self._error(f"{part.text!r} is no signal{nearest(part.text, self._names)}")
        return pl.col(self._take().text)

    def _take(self) -> _Part:
        self._place += 1
        return self._parts[self._place - 1]

    def _taken(self, text: str) -> bool:
        if self.next.text != text or self.next.kind == "end":
            return False
        self._place += 1
        return True

    def _error(self, what: str) -> ExpressionError:
        return ExpressionError(self._text, self.next.position, what)


def nearest(name: str, names: Collection[str]) -> str:
    """Returns a hint at the most similar name, if there is one."""
    similar = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {similar[0]}?" if similar else ""
