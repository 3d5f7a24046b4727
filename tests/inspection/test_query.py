"""The patterns of concordances: what they find, and where a wrong one is marked."""

import time

import polars as pl
import pytest

from corpusprep.inspection import query
from corpusprep.inspection.query import PatternError, literal, parse


def found(pattern: str, *tokens: str, columns: tuple[str, ...] = ("word", "lemma", "tag")) -> list[str]:
    """The tokens, with columns after tabs, that the only element of a pattern finds."""
    (element,) = parse(pattern, columns).elements
    return [token for token in tokens if all(passes(test, token.split("\t")) for test in element.tests)]


def passes(test: query.Test, values: list[str]) -> bool:
    """Whether a token with these columns passes a test."""
    return bool(test.passes(pl.Series([values[test.column] if test.column < len(values) else ""]))[0])


def test_words_and_expressions() -> None:
    """Words in small letters or capitals; expressions match a whole token, as written."""
    assert found("Tea", "tea", "TEA", "teas", "tea.") == ["tea", "TEA"]
    assert found("čaj", "Čaj", "ČAJ", "caj") == ["Čaj", "ČAJ"]
    assert found('"[Tt]eas?"', "tea", "Teas", "TEA", "steak") == ["tea", "Teas"]
    assert found("c++", "c++", "cc") == ["c++"]
    assert found(r'"\"?"', '"', "'") == ['"']


def test_columns() -> None:
    """All tests of a token must pass; a column that is missing is empty."""
    tokens = ("went\tgo\tVVD", "going\tgo\tNN", "gone")
    assert found('[lemma="go"]', *tokens) == list(tokens[:2])
    assert found('[lemma="go" & tag!="N.*"]', *tokens) == [tokens[0]]
    assert found('[lemma=""]', *tokens) == ["gone"]


def test_ranges() -> None:
    """Of gaps and of other elements."""
    sizes = [(one.least, one.most) for one in parse('strong []{0,2} "te.*"{2} tea').elements]
    assert sizes == [(1, 1), (0, 2), (2, 2), (1, 1)]


@pytest.mark.parametrize(
    ("pattern", "position", "what"),
    [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("[]", 0, "what it looks for"),
        ("tea []{0,2}", 10, "begin and end with a token"),
        ("tea{0,1} x", 0, "begin and end"),
        ('[lemma="go', 7, "no quotation mark closes this"),
        ('[lemma="go"', 0, "no ] closes this"),
        ('[lemme="go"]', 1, "no column lemme"),
        ('[lemma~"go"]', 6, "= or != must stand here"),
        ("[lemma=go]", 7, "a quotation mark must stand here"),
        ('[lemma="go" tag="x"]', 12, "& or ] must stand here"),
        ('strong "te(a"', 10, "regular expression: unclosed group"),
        ('"te" "(?=a)b"', 6, "look-around"),
        (r'"(a)\1"', 4, "backreferences"),
        ('"a)|(?:b"', 2, "unopened group"),
        (f'"{"(" * 500}a{")" * 500}"', 251, "nest"),
        ('"(a{1000}){1000}"', 1, "too large"),
        ("tea ] x", 4, "has no meaning here"),
        ("tea []{3,2} x", 6, "is no range"),
        ("tea []{0,101} x", 6, "is no range"),
        (" ".join("abcdefghijklmnopqrstuvwxyz1234567"), 0, "more than 32 tokens"),
        (" ".join(["a{100}"] * 3), 0, "255"),
    ],
)
def test_a_wrong_pattern_is_marked(pattern: str, position: int, what: str) -> None:
    """At the first wrong character."""
    with pytest.raises(PatternError) as wrong:
        parse(pattern, ("word", "lemma", "tag"))
    assert what in str(wrong.value)
    assert wrong.value.position == position
    mark = str(wrong.value).split("\n")[-1]
    assert mark == "  " + " " * position + "^"


def test_patterns_are_composed_as_texts_are() -> None:
    """A word finds itself, however its characters are composed."""
    assert parse("caf\u0065\u0301").elements == parse("caf\u00e9").elements


@pytest.mark.parametrize("word", ["tea", '"', "[3]", "a{2}", 'x"\\"[', "http://a.example/?b[]=1&c=.*"])
def test_a_word_is_found_whatever_its_characters(word: str) -> None:
    """Its pattern is one element that nothing else passes."""
    [element] = parse(literal(word)).elements
    [test] = element.tests
    assert [passes(test, [token]) for token in (word, word.upper(), f"{word}x", "a.example/?b=1")] == [
        True,
        True,
        False,
        False,
    ]


def test_expressions_know_all_scripts() -> None:
    """Letters with their marks, also outside ASCII."""
    assert found(r'"\w+"', "čaj", "हिन्दी", "чай", "a-b") == ["čaj", "हिन्दी", "чай"]
    assert found(r'"\p{Lu}.*"', "Čaj", "čaj") == ["Čaj"]


@pytest.mark.parametrize("expression", ["(.*)*(.*)*(.*)*x{9}$", "(a+)+$", "(a|aa)+$", "(.*a){20}"])
def test_time_is_linear(expression: str) -> None:
    """A search by backtracking would try some 2^1000 ways."""
    start = time.monotonic()
    assert found(f'"{expression}"', f"{'a' * 1000}b") == []
    assert time.monotonic() - start < 30


def test_a_token_of_any_length_takes_bounded_time() -> None:
    """Of a page that is one word, an expression sees the beginning."""
    assert found('"a{9}.*"', "a" * 10_000_000) == ["a" * 10_000_000]
    assert found('".*b"', f"{'a' * 10_000_000}b") == []
