"""Which bytes a token that passes a pattern can begin and end with: never too few."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.inspection import query as patterns
from corpusprep.inspection.query import PatternError, parse
from corpusprep.inspection.token_bytes import ANY, first_and_last, of_expression
from corpusprep.text.vertical import unescape

# Parts of expressions, in any order: what is no expression is left out.
PARTS = ["a", "b", "ab", "é", ".", "*", "?", "+", "{0,1}", "{2}", "|", "(", ")", "(?:", "(?i:", "[ab]", "[^a]", "[]a]"]
PARTS += ["[[a]b]", "[a&&b]", "[(", "[[:alpha:]]", r"\<", r"\b", r"\p{Lu}", "??"]
PARTS += [r"\.", r"\w", r"\x61", r"\(", r"[\]b]", "[a-b]", "(?i)", "$", "^", "&", "<", "'"]
expressions = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)
tokens = st.text("abAB.é()<>&'^]sſS", min_size=1, max_size=4)
words = st.text("abAB.éÉsSſıİiIKkßK'", min_size=1, max_size=3)


@given(expressions, st.lists(tokens, min_size=1, max_size=20))
def test_no_match_is_lost(written: str, given: list[str]) -> None:
    """Whatever an expression matches begins and ends with a byte that it allows."""
    try:
        query = parse(f'"{written}"')
    except PatternError:
        return
    check(query.elements[0].tests[0], *first_and_last(query), given)


@given(words, st.lists(words, min_size=1, max_size=20))
def test_no_word_is_lost(word: str, given: list[str]) -> None:
    """In small letters or capitals, and letters that have no capital of their own."""
    query = parse(word)
    check(query.elements[0].tests[0], *first_and_last(query), [*given, word, word.lower(), word.upper()])


def check(test: patterns.Test, first: bytes, last: bytes, given: list[str]) -> None:
    """As tokens stand in a vertical: with entities, of which there are more than are written."""
    escapes = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;"}
    tokens = [form for token in given for form in (token, "".join(escapes.get(one, one) for one in token))]
    for token, passes in zip(tokens, test.passes(pl.Series(list(map(unescape, tokens)))), strict=True):
        if passes:
            assert first[token.encode()[0]]
            assert last[token.encode()[-1]]


@pytest.mark.parametrize(
    ("written", "starts", "ends"),
    [
        ("c.*f", "c", "f"),
        ("[Tt]eas?", "Tt", None),
        ("(un)?do.*ing|go", None, "go"),
        ("un(do|tie)", "u", None),
        ("a*b", None, "b"),
        (r"\.com", ".", None),
        (r"\w+ality", None, None),
        (r"\w+-[a-z]+ality", None, "y"),
        ("[]x]|a", None, None),
        ("(?i)tea", None, None),
        ("tea|", None, None),
        ("[[a](]|x", None, None),
        (r"\<tea", None, None),
    ],
)
def test_expressions(written: str, starts: str | None, ends: str | None) -> None:
    """What decides, and what does not."""
    assert of_expression(written) == (starts, ends)


def test_a_test_of_another_column_decides_nothing() -> None:
    """Nor does one that must not match; one test of the word is enough."""
    assert first_and_last(parse('[lemma="go"]', ["word", "lemma"])) == (ANY, ANY)
    assert first_and_last(parse('[word!="go"]')) == (ANY, ANY)
    first, last = first_and_last(parse('[lemma="x" & word="go"]', ["word", "lemma"]))
    assert [bytes([byte]) for byte in range(128) if first[byte]] == [b"&", b"g"]
    assert [bytes([byte]) for byte in range(128) if last[byte]] == [b";", b"o"]
