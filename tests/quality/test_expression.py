"""Conditions on signals: what they mean, and where they are wrong."""

import contextlib
import operator
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.quality.expression import MOST_DEPTH, ExpressionError, parse

NAMES = ("words", "lines", "digits")
VALUES = {"words": [1.0, 2.0, 3.0], "lines": [3.0, 2.0, None], "digits": [0.5, 2.5, 3.5]}
COMPARED = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

Tree = tuple[Any, ...]
value = st.sampled_from(["words", "digits", "1", "2.0", ".5", "3"])
comparison = st.tuples(st.just("compare"), st.sampled_from(list(COMPARED)), value, value)
trees: st.SearchStrategy[Tree] = st.recursive(
    comparison,
    lambda inner: st.one_of(st.tuples(st.just("not"), inner), st.tuples(st.sampled_from(["and", "or"]), inner, inner)),
    max_leaves=8,
)


def written(tree: Tree) -> str:
    """The condition as a text, with all parentheses."""
    kind, *parts = tree
    if kind == "compare":
        return f"{parts[1]}{parts[0]} {parts[2]}"
    if kind == "not":
        return f"not ({written(parts[0])})"
    return f"({written(parts[0])}) {kind} ({written(parts[1])})"


def holds(tree: Tree, row: int) -> bool:
    """Whether the condition holds of a row."""
    kind, *parts = tree
    if kind == "compare":
        left, right = (VALUES[part][row] if part in VALUES else float(part) for part in parts[1:])
        return bool(COMPARED[parts[0]](left, right))
    if kind == "not":
        return not holds(parts[0], row)
    return (all if kind == "and" else any)(holds(part, row) for part in parts)


@given(trees)
def test_a_condition_means_what_it_says(tree: Tree) -> None:
    """And its text, in one form, means the same."""
    condition = parse(written(tree), NAMES)
    again = parse(condition.text, NAMES)
    found = pl.DataFrame(VALUES).with_columns(a=condition.holds, b=again.holds).select("a", "b")
    for column in found:
        assert column.to_list() == [holds(tree, row) for row in range(3)]
    assert again.text == condition.text


def test_and_binds_more_than_or() -> None:
    """As in all languages; `not` binds most."""
    frame = pl.DataFrame(VALUES)
    for text in ("words > 2 or words < 2 and digits > 1", "not words <= 2 or words < 0"):
        assert frame.select(parse(text, NAMES).holds).to_series().to_list() == [False, False, True], text


def test_a_missing_value_decides_nothing() -> None:
    """Unless the rest does."""
    frame = pl.DataFrame(VALUES)
    assert frame.select(parse("lines > 2", NAMES).holds).to_series().to_list() == [True, False, None]
    assert frame.select(parse("lines > 2 or words > 2", NAMES).holds).to_series().to_list() == [True, False, True]


@pytest.mark.parametrize(
    ("text", "position", "what"),
    [
        ("wrds >= 50", 0, "'wrds' is no signal; did you mean words?"),
        ("words >= 50 and", 15, "a signal or a number is missing"),
        ("words", 5, "a comparison is missing"),
        ("words >= 50 lines < 3", 12, "the condition ends before this"),
        ("(words >= 50", 12, "a closing parenthesis is missing"),
        ("1 < words < 3", 10, "one comparison follows another"),
        ("words = 50", 6, "'=' is no part of a condition"),
        ("__import__('os')", 0, "'_' is no part of a condition"),
        ("words.real > 1", 5, "'.' is no part of a condition"),
        ("and > 1", 0, "a signal or a number is missing"),
        ("", 0, "a signal or a number is missing"),
        ("(" * (MOST_DEPTH + 5) + "1 < 2", MOST_DEPTH + 1, "within each other"),
        ("not " * 2_000 + "1 < 2", 4 * (MOST_DEPTH + 1), "within each other"),
        ("1 < 2 or " * 2_000, 0, "longer than 10,000 characters"),
    ],
)
def test_an_error_shows_the_place(text: str, position: int, what: str) -> None:
    """With a caret under the first wrong character."""
    with pytest.raises(ExpressionError) as caught:
        parse(text, NAMES)
    assert what in str(caught.value)
    assert caught.value.position == position
    _, shown, caret = str(caught.value).split("\n")
    assert caret.index("^") == position + 2 <= len(shown)


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    """Never anything else."""
    with contextlib.suppress(ExpressionError):
        assert parse(text, NAMES).text
