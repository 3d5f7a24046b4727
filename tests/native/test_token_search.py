"""The search for sequences of tokens, against plain Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import plain_search

from corpusprep._native.token_search import TokenSearch
from corpusprep.inspection.concordance import _Decisions, kernel_of
from corpusprep.inspection.query import Query, parse
from corpusprep.inspection.token_bytes import ANY

WORDS = ["a", "A", "b", "ab", "Ab", "ſ", "s", "&lt;p&gt;", "<", "é", "É", "longer-than-eight", "b\tlemma", "a\tx\ty"]
WORDS += ["\tx", "&apos;s", "b&gt;"]
STRUCTURES = ["<g/>", "</p>", '<p heading="0">', "<p>", "</doc>", '<doc id="1">', "<s>", ""]
lists_of_lines = st.lists(st.sampled_from(WORDS * 3 + STRUCTURES), max_size=60)
verticals = st.tuples(lists_of_lines, st.sampled_from(["\n", ""])).map(
    lambda drawn: "\n".join(['<doc id="0">', "<p>", *drawn[0]]) + drawn[1]
)
elements = st.sampled_from(
    [
        "a",
        "ab",
        "s",
        "é",
        "longer-than-eight",
        '"[ab]+"',
        '".*"',
        '[lemma="x|lemma"]',
        '[word!="a"]',
        '"<p>"',
        "b{1,3}",
        "'s",
        "ſ",
        '"[aA]b?"',
        '"a|.*b"',
        '".*[>s]"',
    ]
)
gaps = st.sampled_from(["", "", "[]{0,2}", "[]", "[]{3}", "a{0,2}"])
patterns = st.tuples(elements, gaps, elements, gaps, elements).map(" ".join) | elements
COLUMNS = ("word", "lemma", "tag")


def found(vertical: str, query: Query) -> list[tuple[int, ...]]:
    """What the kernel finds; it is given the same vertical twice, as two pieces, and must find the same."""
    search, decide = kernel_of(query), _Decisions(query)
    first, second = (search.find(vertical.encode(), decide).tolist() for _ in range(2))
    assert first == second
    return [tuple(row) for row in first]


@given(verticals, patterns)
def test_finds_what_plain_python_finds(vertical: str, pattern: str) -> None:
    """For any vertical, also one with structures in any order."""
    query = parse(pattern, COLUMNS)
    assert found(vertical, query) == plain_search.find(vertical, query)


def test_an_example() -> None:
    """The shortest sequence from each token; none leaves its block."""
    vertical = "<doc>\n<p>\na\nx\nb\nb\n</p>\n<p>\na\n</p>\n<p>\nb\n</p>\n</doc>\n"
    assert [vertical[begin:end] for _, _, begin, end in found(vertical, parse("a []{0,2} b"))] == ["a\nx\nb"]


def test_counts_tokens() -> None:
    """Of all pieces, without structures and what is outside blocks."""
    search = TokenSearch([(1, 1)], ANY, ANY, 0, False)
    for _ in range(2):
        search.find(b"outside\n<doc>\n<p>\na\n<g/>\n.\n</p>\n</doc>\n", lambda types: [0] * len(types))
    assert search.tokens == 4


@pytest.mark.parametrize("ranges", [[], [(0, 1)], [(2, 1)], [(1, 200), (1, 200)], [(1, 1)] * 33])
def test_refuses_wrong_elements(ranges: list[tuple[int, int]]) -> None:
    """As the interface says."""
    with pytest.raises(ValueError):
        TokenSearch(ranges, ANY, ANY, 0, False)
