"""Conditions on named values: the columns of a token, the attributes of a structure.

A test compares one value with a regular expression, as a whole, or with a number or a text (`date>="2020"`). Tests are
joined by `&`, `|`, `!` and brackets. Expressions are as in Rust's `regex`, which polars has: time is linear in the
length of a value, for any expression.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: Characters of a value that tests look at: no expression may take minutes for a page that is one long token.
LONGEST_VALUE = 10_000
#: Operators that compare two numbers; else texts, in the order of their characters. No value that is missing passes.
COMPARISONS = ("<=", ">=", "<", ">")


@dataclass(frozen=True, slots=True)
class Test:
    """A test of one value.

    Attributes:
        column: number of the value; of a token, 0 is the word.
        expression: must match the whole value; or, with a comparison, what the value is compared with.
        negated: whether the value must not match.
        lowered: whether the value is compared in lower case.
        comparison: one of COMPARISONS; empty: the expression decides.
    """

    column: int
    expression: str
    negated: bool = False
    lowered: bool = False
    comparison: str = ""

    def passes(self, values: pl.Series) -> NDArray[np.bool_]:
        """Returns for each value of its column whether its first LONGEST_VALUE characters pass."""
        if (values.str.len_bytes() > LONGEST_VALUE).any():
            values = values.str.slice(0, LONGEST_VALUE)
        if self.lowered:
            values = values.str.to_lowercase()
        if self.comparison:
            return _compared(values, self.comparison, self.expression)
        matched = values.str.contains(whole(self.expression)).to_numpy()
        return ~matched if self.negated else matched


@dataclass(frozen=True, slots=True)
class All:
    """Conditions that must all be true."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Conditions of which at least one must be true."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """A condition that must be false."""

    part: "Condition"


Condition: TypeAlias = Test | All | Any | Not


def passing(condition: Condition, columns: Sequence[pl.Series]) -> NDArray[np.bool_]:
    """Returns for each row of values whether it passes a condition.

    Args:
        condition: of these values.
        columns: the values, text without null, all of one length.
    """
    match condition:
        case Test():
            return condition.passes(columns[condition.column])
        case Not(part):
            return ~passing(part, columns)
        case All(parts):
            return np.asarray(np.all([passing(part, columns) for part in parts], axis=0), dtype=np.bool_)
        case Any(parts):
            return np.asarray(np.any([passing(part, columns) for part in parts], axis=0), dtype=np.bool_)


def tests_of(condition: Condition) -> Iterator[Test]:
    """Yields all tests of a condition."""
    match condition:
        case Test():
            yield condition
        case Not(part):
            yield from tests_of(part)
        case All(parts) | Any(parts):
            for part in parts:
                yield from tests_of(part)


def whole(expression: str) -> str:
    """Returns an expression that matches what another one matches as a whole."""
    return rf"\A(?:{expression})\z"


def _compared(values: pl.Series, comparison: str, text: str) -> NDArray[np.bool_]:
    passed = _passed(values, comparison, text)
    try:
        limit = float(text)
    except ValueError:
        pass
    else:
        numbers = values.cast(pl.Float64, strict=False)
        passed = np.where(numbers.is_not_null().to_numpy(), _passed(numbers.fill_null(0.0), comparison, limit), passed)
    return np.asarray(passed & (values != "").to_numpy(), dtype=np.bool_)


def _passed(values: pl.Series, comparison: str, limit: float | str) -> NDArray[np.bool_]:
    match comparison:
        case "<=":
            passed = values <= limit
        case ">=":
            passed = values >= limit
        case "<":
            passed = values < limit
        case _:
            passed = values > limit
    return passed.to_numpy()
