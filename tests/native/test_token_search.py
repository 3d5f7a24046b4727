"""The search for sequences of tokens, against plain Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import plain_search

from corpusprep._native.token_search import TokenSearch
from corpusprep.inspection.matching import Matcher
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import parse
from corpusprep.inspection.token_bytes import ANY

WORDS = ["a", "A", "b", "ab", "Ab", "ſ", "s", "&lt;p&gt;", "<", "é", "É", "longer-than-eight", "b\tlemma", "a\tx\ty"]
WORDS += ["\tx", "&apos;s", "b&gt;"]
STRUCTURES = [
    "<g/>",
    "</p>",
    '<p heading="0">',
    "<p>",
    "</doc>",
    '<doc id="1">',
    "<s>",
    "</s>",
    '<s id="2">',
    "<br/>",
    "",
]
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
groups = st.sampled_from(
    ["(a | b s)+", '("a"? (b | ab)){1,2}', "<s> a", "<s> []? (a | b)", "(b | a </s>)", "(<s> a)+ </p>"]
)
sequences = st.tuples(elements, gaps, elements, gaps, elements).map(" ".join) | elements
sequences |= st.tuples(elements, groups, elements).map(" ".join) | groups
clauses = st.sampled_from(
    [
        "within <s/>",
        '!within <s id="2"/>',
        'within <doc id="0"/>',
        '!within <p heading="0"/>',
        "within (a []{0,3} b)",
        "!within (a | []+ b)",
        "containing (b)",
        "containing (a []* b) containing [] b",
        'containing <s id="2"/>',
        "!containing (s | <s> b)",
    ]
)
singles = elements.filter(lambda element: "{" not in element)
meetings = st.tuples(singles, singles, st.integers(-3, 1), st.integers(1, 3)).map(
    lambda drawn: f"(meet {drawn[0]} (union a {drawn[1]}) {drawn[2]} {drawn[3]})"
)
patterns = sequences | st.tuples(sequences | meetings | st.just("<s/>"), clauses).map(" ".join) | meetings
COLUMNS = ("word", "lemma", "tag")


def found(vertical: str, query: Query) -> list[tuple[int, ...]]:
    """What the kernel finds; it is given the same vertical twice, as two pieces, and must find the same."""
    search = Matcher(query)
    first, second = (search.find(vertical.encode()).tolist() for _ in range(2))
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
    assert [vertical[begin:end] for _, _, begin, end, _, _ in found(vertical, parse("a []{0,2} b"))] == ["a\nx\nb"]


NEVER = [(0, 0, [0], 0)]


def test_numbers_tokens() -> None:
    """Of each piece; the types that are new have the last numbers. What is outside blocks counts for nothing."""
    search = TokenSearch([0], NEVER, ANY, ANY, 0, False)
    fresh: list[list[bytes]] = []

    def decide(types: list[bytes]) -> list[int]:
        fresh.append(types)
        return [0] * len(types)

    piece = b'outside\n<doc>\n<p>\na\n<g/>\n.\n</p>\n<p id="2">\na\n</p>\n</doc>\n'
    for _ in range(2):
        assert search.find(piece, decide).shape == (0, 6)
        assert (search.numbers().tolist(), search.types) == ([1, 2, 1], 3)
        assert search.blocks().tolist() == [[8, 14, 0], [8, 32, 2]]
    assert (search.tokens, fresh) == (6, [[b"a", b"."]])


@pytest.mark.parametrize("number", [1 << 255, 1 << 1])
def test_refuses_places_that_are_not_there(number: int) -> None:
    """As the interface says."""
    for way in ((0, number, [0], 1), (0, 1, [number], 1), (0, 1, [0], number)):
        with pytest.raises(ValueError):
            TokenSearch([0], [way], ANY, ANY, 0, False)
    with pytest.raises(OverflowError):
        TokenSearch([0], [(0, 1 << 256, [0], 1)], ANY, ANY, 0, False)


@pytest.mark.parametrize(
    ("tests", "structures"), [([], []), ([0] * 256, []), ([32], []), ([0], [f"s{number}" for number in range(9)])]
)
def test_refuses_wrong_patterns(tests: list[int], structures: list[str]) -> None:
    """As the interface says."""
    with pytest.raises(ValueError):
        TokenSearch(tests, [(0, 1, [0] * len(tests), 1)], ANY, ANY, 0, False, structures)


def test_a_sequence_has_up_to_255_tokens() -> None:
    """The number that the interface names."""
    for tokens, hits in ((253, 1), (254, 0)):
        vertical = "<doc>\n<p>\na\n" + "x\n" * tokens + "b\n</p>\n</doc>\n"
        assert len(found(vertical, parse("a []* b"))) == hits


def test_long_gaps_take_linear_time() -> None:
    """Whatever the choices: a search that tries them one after another would need 2^100 steps."""
    query = parse("a (a | a a | [] a){1,50} b")
    vertical = "<doc>\n<p>\n" + "a\n" * 2_000 + "</p>\n</doc>\n"
    assert found(vertical, query) == []


def test_many_structures_of_a_block_take_linear_time() -> None:
    """A page may be one block with as many sentences as hits."""
    vertical = "<doc>\n<p>\n" + '<s id="1">\na\n</s>\n<s>\na\nb\n</s>\n' * 10_000 + "</p>\n</doc>\n"
    assert len(found(vertical, parse('a within <s id="1"/>'))) == 10_000
    assert len(found(vertical, parse('a !within <s id="1"/>'))) == 10_000
