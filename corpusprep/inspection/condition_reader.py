"""Reads conditions: tests of named values with regular expressions, joined by `&`, `|`, `!` and brackets."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import polars as pl

from corpusprep.errors import CorpusprepError
from corpusprep.inspection.conditions import COMPARISONS, All, Any, Condition, Not, Test, whole

_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"[\w.:-]+")
_OPERATOR = re.compile(r"!==|==|!=|=")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_COMPARISON = re.compile("|".join(COMPARISONS))
#: What an expression is tried on, to see whether it is one; and characters before it in the library's message.
_EMPTY, _MARGIN = pl.Series([""]), 4


class PatternError(CorpusprepError):
    """A query that cannot be understood.

    Attributes:
        position: of the first wrong character, from 0.
    """

    def __init__(self, pattern: str, position: int, what: str) -> None:
        shown = pattern.replace("\n", " ").replace("\t", " ")
        super().__init__(f"pattern: {what}, at character {position + 1}\n  {shown}\n  {' ' * position}^")
        self.position = position


def check_expression(expression: str) -> None:
    """Checks a regular expression.

    Raises:
        PatternError: it is wrong; says where.
    """
    if fault := _fault_of(expression):
        raise PatternError(expression, min(fault[0], len(expression)), f"regular expression: {fault[1]}")


#: Gives the number of a name that stands in a text at a place, and whether its values are compared in lower case.
Named = Callable[[str, int], tuple[int, bool]]


@dataclass(slots=True)
class ConditionReader:
    """Reads a text from left to right.

    Attributes:
        text: the text.
        place: of the next character, from 0.
    """

    text: str
    place: int = 0

    def wrong(self, what: str, place: int | None = None) -> PatternError:
        """Returns the error at a place; by default, where the reader is."""
        return PatternError(self.text, self.place if place is None else place, what)

    def space(self) -> None:
        """Reads white space."""
        if match := _SPACE.match(self.text, self.place):
            self.place = match.end()

    def next(self) -> str:
        """Returns the next character that is no space; empty at the end."""
        self.space()
        return self.text[self.place : self.place + 1]

    def take(self, sign: str) -> bool:
        """Reads a sign, if it stands here."""
        self.space()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += len(sign)
        return True

    def close(self, signs: str, start: int) -> NoReturn:
        """Says that one of the signs must stand here, to close what begins at a place.

        Raises:
            PatternError: always.
        """
        if self.next():
            raise self.wrong(f"{signs} must stand here")
        raise self.wrong(f"no {signs.split()[-1]} closes this", start)

    def condition(self, named: Named, expected: str, *, compared: bool = False) -> Condition:
        """Reads tests with `&`, `|`, `!` and brackets; what makes numbers of names is given.

        Args:
            named: gives the number of a name that stands at a place, and whether values are compared in lower case.
            expected: what a name is called in errors.
            compared: whether values may also be compared by <, >, <= and >=.

        Raises:
            PatternError: it is wrong; says where.
        """
        parts = [self._conjunction(named, expected, compared=compared)]
        while self.take("|"):
            parts.append(self._conjunction(named, expected, compared=compared))
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def _conjunction(self, named: Named, expected: str, *, compared: bool = False) -> Condition:
        parts = [self._factor(named, expected, compared=compared)]
        while self.take("&"):
            parts.append(self._factor(named, expected, compared=compared))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _factor(self, named: Named, expected: str, *, compared: bool = False) -> Condition:
        self.space()
        start = self.place
        if self.take("!"):
            return Not(self._factor(named, expected, compared=compared))
        if self.take("("):
            condition = self.condition(named, expected, compared=compared)
            if not self.take(")"):
                raise self.wrong("no ) closes this", start)
            return condition
        name = _NAME.match(self.text, self.place)
        if not name:
            raise self.wrong(f"{expected} must stand here")
        number, lowered = named(name[0], self.place)
        self.place = name.end()
        self.space()
        operator = _OPERATOR.match(self.text, self.place)
        comparison = None if operator or not compared else _COMPARISON.match(self.text, self.place)
        if comparison:
            self.place = comparison.end()
            self.space()
            if number_there := _NUMBER.match(self.text, self.place):
                self.place = number_there.end()
            value = number_there[0] if number_there else self.string()[0]
            return Test(number, value, comparison=comparison[0])
        if not operator:
            raise self.wrong("= or != must stand here")
        self.place = operator.end()
        self.space()
        equal = operator[0].endswith("==")
        return self.quoted(number, negated=operator[0][0] == "!", lowered=lowered, literal_text=equal)

    def string(self) -> tuple[str, int]:
        """Reads what stands in quotation marks; returns it, and where it begins."""
        match = _QUOTED.match(self.text, self.place)
        if not match:
            closing = self.text[self.place : self.place + 1] == '"'
            what = "no quotation mark closes this" if closing else "a quotation mark must stand here"
            raise self.wrong(what, min(self.place, len(self.text)))
        self.place = match.end()
        return match[1].replace('\\"', '"'), match.start() + 1

    def quoted(self, number: int, *, negated: bool = False, lowered: bool = False, literal_text: bool = False) -> Test:
        """Reads a regular expression in quotation marks, with `%c` behind it for any case; or a text."""
        written, start = self.string()
        if literal_text:
            written = re.escape(written)
        elif fault := _fault_of(written):
            raise self.wrong(f"regular expression: {fault[1]}", min(start + fault[0], self.place - 1))
        if self.text.startswith("%c", self.place):
            self.place += 2
            written = f"(?i:{written})"
        return Test(number, written, negated, lowered)


def attribute_number(names: list[str]) -> Named:
    """Returns what gives each name of an attribute the next number."""

    def number(name: str, _place: int) -> tuple[int, bool]:
        if name not in names:
            names.append(name)
        return names.index(name), False

    return number


def _fault_of(expression: str) -> tuple[int, str] | None:
    """Returns where a regular expression is wrong, and how; None: it is not."""
    for tried in (expression, whole(expression)):  # by itself, so that `a)|(b` cannot close what stands around it
        try:
            _EMPTY.str.contains(tried)
        except pl.exceptions.ComputeError as error:
            return _fault(str(error))
    return None


def _fault(message: str) -> tuple[int, str]:
    """Returns where an expression is wrong, and how, from a message: the expression, a line with a mark, the error."""
    lines = message.split("\n")
    mark = next((line for line in lines if "^" in line and not line.strip(" ^")), "")
    what = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "")
    if not what:
        return 0, "it is too large" if "size limit" in message else "it is not understood"
    return max(0, mark.find("^") - _MARGIN), what
