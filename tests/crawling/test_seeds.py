"""Queries for search engines, and lists of addresses."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from corpusprep.crawling import seeds, url_lists
from corpusprep.errors import ConfigError
from corpusprep.languages.frequencies import Frequencies


def words(*found: str, running: int = 0) -> Frequencies:
    """Words with falling frequencies."""
    shares = np.array([1 / (rank + 2) ** 2 for rank in range(len(found))])
    return Frequencies(found, shares, "made", running)


def test_words_of_middle_frequency_are_long_words_between_two_ranks() -> None:
    """Ranks count from 1; words with digits or hyphens are left out."""
    found = words("first", "second", "no", "third", "x-ray", "fourth1", "fifth", "sixth")
    assert seeds.middle_words(found, 2, 7) == ["second", "third", "fifth"]
    assert len(seeds.middle_words(seeds.of_language("cs"))) > 2_000
    assert min(map(len, seeds.middle_words(seeds.of_language("zh")))) == 2


def test_queries_are_the_same_in_every_run_and_have_different_words() -> None:
    """Another seed gives others; if there are few words, all tuples are taken."""
    found = [f"word{letter}" for letter in "abcdefghijklmnop"]
    made = seeds.queries(found, 30)
    assert made == seeds.queries(found, 30) != seeds.queries(found, 30, seed=1)
    assert len({frozenset(one) for one in made}) == 30
    assert all(len(set(one)) == 3 for one in made)
    assert sorted(seeds.queries(found[:3], 30, 2)) == [("worda", "wordb"), ("worda", "wordc"), ("wordb", "wordc")]
    assert seeds.quoted(made[0], "cz").endswith(" site:cz")


def test_keywords_are_more_frequent_than_in_general() -> None:
    """Words that occur by chance are left out."""
    general = words("which", "guitar", "general", running=1_000_000)
    special = Frequencies(
        ("guitar", "which", "chord", "strum", "once"), np.array([0.3, 0.1, 0.2, 0.2, 0.0002]), "made", 10_000
    )
    assert seeds.keywords(special, general, 10) == ["chord", "strum", "guitar"]


def test_texts_of_any_form_give_words(tmp_path: Path) -> None:
    """Plain text, JSON lines, verticals."""
    (tmp_path / "a.txt").write_text("Plain words, words", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(json.dumps({"text": "json & words"}) + "\n", encoding="utf-8")
    (tmp_path / "c.vert").write_text("<doc>\nvertical\nwords\n</doc>\n", encoding="utf-8")
    found = seeds.of_texts(tmp_path / name for name in ("a.txt", "b.jsonl", "c.vert"))
    assert found.words == ("words", "json", "plain", "vertical")


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("http://Example.org", "http://example.org/"),
        ("example.org/a", "http://example.org/a"),
        ("<https://EXAMPLE.org:443/%C3%A9?b=1&utm_medium=m#x>", "https://example.org/%C3%A9?b=1"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://example.org:8080/?q=a+b", "http://example.org:8080/?q=a+b"),
        ("ftp://example.org/", None),
        ("no address", None),
        ("localhost", None),
        ("http://[::1", None),
        ("http://example.org:port/", None),
    ],
)
def test_addresses_have_one_form(url: str, normal: str | None) -> None:
    """None: no address of a page."""
    assert url_lists.normal_url(url) == normal


def test_lists_are_cleaned(tmp_path: Path) -> None:
    """Each address once, in the order of the lists; tables and comments are taken."""
    (tmp_path / "a").write_text("# from a search engine\nhttp://b.example\n1\thttp://a.example/x\tTitle, and more\n\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"2,http://c.example/,x\nHTTP://B.example/#top\n"))
    assert url_lists.read([tmp_path / "a", tmp_path / "b.gz"]) == [
        "http://b.example/",
        "http://a.example/x",
        "http://c.example/",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"nothing here\n", r"list: no address; give a list with one per line"),
        (b"# only this\n", r"list: no address; give a list with one per line"),
        (b"\xff\xfe", r"list: not UTF-8; give a list"),
    ],
)
def test_what_is_no_list_is_an_error(content: bytes, message: str, tmp_path: Path) -> None:
    """It names file, line and remedy."""
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        url_lists.read([tmp_path / "list"])


def test_lines_without_an_address_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first one is named, with their number."""
    (tmp_path / "list").write_text("http://a.example\nnothing here\nhttp://\nhttp://b.example\n", encoding="utf-8")
    assert url_lists.read([tmp_path / "list"]) == ["http://a.example/", "http://b.example/"]
    said = capsys.readouterr().err
    assert said == f"{tmp_path / 'list'}, line 2: 'nothing here' is no address; left out: 2 such lines\n"


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("http://a.example/t.php?t=5&sid=0123456789abcdef0123456789ABCDEF", "http://a.example/t.php?t=5"),
        ("http://a.example/t.php?s=0123456789abcdef0123456789abcdef&t=5", "http://a.example/t.php?t=5"),
        ("http://a.example/?PHPSESSID=1099511627776", "http://a.example/"),
        ("http://a.example/?PHPSESSID=r2t5uvjq435r4q7ib3vtdjq120&x", "http://a.example/?x"),
        ("http://a.example/t;jsessionid=1A2B.node1?a=%C3%A9", "http://a.example/t?a=%C3%A9"),
        ("http://a.example/t;JSESSIONID=1A2B/more;v=2", "http://a.example/t/more;v=2"),
        ("http://a.example/?ASPSESSIONIDQABCDEFG=X&CFID=1&CFTOKEN=2&a=1", "http://a.example/?a=1"),
        ("http://a.example/(S(lit3py55t21z5v55vlm25s55))/page.aspx", "http://a.example/page.aspx"),
        ("http://a.example/?utm_source=q&fbclid=1", "http://a.example/"),
        ("http://a.example/story.php?sid=2024&s=winter&session=morning", None),
        ("http://a.example/?s=donaudampfschifffahrtsgesellschaft", None),
        ("http://a.example/?", None),
        ("http://a.example/?b=1&&a=2&b", None),
        ("http://a.example/wiki/Set_(S)/x", None),
    ],
)
def test_addresses_of_a_visit_lose_its_parameters(url: str, clean: str | None) -> None:
    """Sessions, and where a visitor came from; None: all is kept."""
    assert url_lists.without_visit(url) == (clean or url)


def test_too_few_words_are_an_error() -> None:
    """It says what to change."""
    with pytest.raises(ConfigError, match=r"2 words for queries of 3: give more text, other ranks"):
        seeds.queries(["a", "b"], 10)
    with pytest.raises(ConfigError, match=r"--language xx: no list of its words .*; give text in it with --text"):
        seeds.of_language("xx")
