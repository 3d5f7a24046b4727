"""The patterns of concordances: what they find, and where a wrong one is marked."""

import time

import polars as pl
import pytest

from corpusprep.inspection.automaton import Parts, Repeated
from corpusprep.inspection.conditions import passing
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import PatternError, literal, parse, parse_condition


def found(pattern: str, *tokens: str, columns: tuple[str, ...] = ("word", "lemma", "tag")) -> list[str]:
    """The tokens, with columns after tabs, that the first element of a pattern finds."""
    element = parse(pattern, columns).elements[0]
    rows = [token.split("\t") for token in tokens]
    values = [pl.Series([row[column] if column < len(row) else "" for row in rows]) for column in range(len(columns))]
    passed = [passing(test, values) for test in element.tests]
    return [token for number, token in enumerate(tokens) if all(mask[number] for mask in passed)]


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
    pattern = parse('strong []{0,2} "te.*"{2} tea').pattern
    assert isinstance(pattern, Parts)
    sizes = [(part.least, part.most) if isinstance(part, Repeated) else (1, 1) for part in pattern.parts]
    assert sizes == [(1, 1), (0, 2), (2, 2), (1, 1)]


def test_conditions_of_a_token() -> None:
    """Joined by &, |, ! and brackets; & binds closer than |."""
    tokens = ("went\tgo\tVVD", "going\tgo\tNN", "tea\ttea\tNN", "Tea\ttea\tNP")
    assert found('[lemma="go" | tag="NP"]', *tokens) == [tokens[0], tokens[1], tokens[3]]
    assert found('[lemma="go" & !tag="N.*"]', *tokens) == [tokens[0]]
    assert found('[word="tea" | lemma="go" & tag="NN"]', *tokens) == [tokens[1], tokens[2]]
    assert found('[(word="tea" | lemma="go") & !(tag="VVD")]', *tokens) == [tokens[1], tokens[2]]
    assert found('[lc="tea"]', *tokens) == [tokens[2], tokens[3]]
    assert found('[lc!="tea" & lemma="tea"]', *tokens) == []
    assert found('"TEA"%c', *tokens) == [tokens[2], tokens[3]]
    assert found('[word=="c++"]', "c++", "ccc") == ["c++"]
    assert found('[word!=="c++"]', "c++", "ccc") == ["ccc"]


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
        ('[lemma="go" tag="x"]', 12, "&, | or ] must stand here"),
        ('[lemma="go" & (tag="x"]', 14, "no ) closes this"),
        ('[lemma="go" |]', 13, "the name of a column must stand here"),
        ("(tea | coffee", 0, "no ) closes this"),
        ("tea | | coffee", 6, "a token must stand here"),
        ("(tea|coffee)* x", 0, "begin and end"),
        ("(tea{0,1} | x) y{0,1}", 20, "begin and end"),
        ("<s> tea{0,1} | x", 0, "a token in any case"),
        ("<s tea", 6, "= or != must stand here"),
        ("<s> tea </s x", 12, "> must stand here"),
        ("tea within <s", 11, "no /> closes this"),
        ("tea within <doc host=x/>", 21, "a quotation mark must stand here"),
        ('tea within <doc "x"/>', 16, "the name of an attribute must stand here"),
        ("tea within (coffee", 11, "no ) closes this"),
        ("(meet tea coffee 3)", 18, "a number of tokens"),
        ("(meet tea coffee 3 -3)", 20, "must not be larger"),
        ("(meet tea [] -3 3)", 10, "one token that says"),
        ('tea within (coffee "(")', 20, "regular expression"),
        ('strong "te(a"', 10, "regular expression: unclosed group"),
        ('"te" "(?=a)b"', 6, "look-around"),
        (r'"(a)\1"', 4, "backreferences"),
        ('"a)|(?:b"', 2, "unopened group"),
        (f'"{"(" * 500}a{")" * 500}"', 251, "nest"),
        ('"(a{1000}){1000}"', 1, "too large"),
        ("tea ] x", 4, "has no meaning here"),
        ("tea []{3,2} x", 6, "is no range"),
        ("tea []{0,101} x", 6, "is no range"),
        (" ".join("abcdefghijklmnopqrstuvwxyz1234567"), 0, "more than 32 tokens that differ"),
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


@pytest.mark.parametrize(
    "word", ["tea", '"', "[3]", "a{2}", 'x"\\"[', "http://a.example/?b[]=1&c=.*", "(", "a|b", "<b>"]
)
def test_a_word_is_found_whatever_its_characters(word: str) -> None:
    """Its pattern is one element that nothing else passes."""
    assert found(literal(word), word, word.upper(), f"{word}x", "a.example/?b=1") == [word, word.upper()]


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


@pytest.mark.parametrize(
    ("condition", "passed"),
    [
        ('a>="2020"', [False, True, True, False, False]),
        ("a<10.5", [False, False, False, True, False]),
        ('a<"1e2"', [False, False, False, True, False]),
        ('a<="b"', [True, True, True, True, False]),
        ('a>"2019-12-31" | a!="..*"', [False, True, True, True, True]),
        ('!(a>="2020") & a=".+"', [True, False, False, True, False]),
    ],
)
def test_comparisons(condition: str, passed: list[bool]) -> None:
    """Of numbers, where both are; else of texts. A value that is missing passes none."""
    structure = parse_condition(condition)
    values = pl.Series(["2019-05-01", "2020-05-01", "2021", "9", ""])
    assert (structure.name, structure.attributes) == ("doc", ("a",))
    assert structure.condition is not None
    assert passing(structure.condition, [values]).tolist() == passed


@pytest.mark.parametrize(("condition", "position"), [("", 0), ("host", 4), ('host="x" date="y"', 9), ('a="("', 3)])
def test_a_wrong_condition_is_marked(condition: str, position: int) -> None:
    """As a query is."""
    with pytest.raises(PatternError) as wrong:
        parse_condition(condition)
    assert wrong.value.position == position


def test_words_that_are_signs_elsewhere() -> None:
    """`within` behind a plain word is a word, unless a structure or a group follows."""
    assert not parse('tea within "cup"').clauses
    assert len(parse('tea within "cup"').elements) == 3
    for query in ('"tea" within "a" []* "cup" containing [lc="b"]', 'tea within (a []* cup) containing "b"'):
        first, second = parse(query).clauses
        assert (first.contained, second.contained) == (False, True)
        assert isinstance(first.other, Query)
        assert isinstance(second.other, Query)
        assert (len(first.other.elements), len(second.other.elements)) == (3, 1)
    assert len(parse('<s/> containing "a" "b"').clauses) == 2
    assert len(parse('within "cup" | (containing "a")').elements) == 4
    assert len(parse("a (b | within) | c").elements) == 4
