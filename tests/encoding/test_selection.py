"""The selection of pages by host, address and date."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.archives import warc_record

from corpusprep import languages
from corpusprep.archive.records import Record
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.encoding.selection import Patterns, Selection
from corpusprep.errors import ConfigError

URL = "https://www.example.org:8080/blog/2024?print=1"
PAGE = Record(0, 0, 9, "response", URL, "2024-05-31T12:30:00Z", 200, "text/html", None, b"<p>Text.</p>")


@given(st.text("ab*", max_size=8), st.text("ab", max_size=12))
def test_a_star_stands_for_any_characters(pattern: str, text: str) -> None:
    """As in a regular expression, but in linear time."""
    expected = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text) is not None
    assert Patterns([pattern]).match(text) == expected


def test_a_hostile_address_is_matched_quickly() -> None:
    """A regular expression would try some 10^20 ways."""
    assert not Patterns(["a*" * 20 + "b"]).match("a" * 100_000)


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        ({}, None),
        ({"hosts": ["example.org"]}, None),
        ({"hosts": ["ORG."]}, None),
        ({"hosts": ["www.example.org", "example.net"]}, None),
        ({"hosts": ["*.example.org"]}, None),
        ({"hosts": ["ex*"]}, None),
        ({"hosts": ["ample.org"]}, "host"),
        ({"hosts": ["blog.example.org"]}, "host"),
        ({"hosts": ["!example.org"]}, "host"),
        ({"hosts": ["org", "!www.example.org"]}, "host"),
        ({"hosts": ["!net"]}, None),
        ({"urls": ["*/blog/*"]}, None),
        ({"urls": ["https://*"]}, None),
        ({"urls": ["*/blog/"]}, "url"),
        ({"urls": ["*/BLOG/*"]}, "url"),
        ({"urls": ["!*?print=*"]}, "url"),
        ({"urls": ["*/blog/*", "!*?print=*"]}, "url"),
        ({"urls": ["!*/shop/*"]}, None),
        ({"first_date": "2024"}, None),
        ({"first_date": "2024-06"}, "date"),
        ({"first_date": "2024-05-31T12:30:00Z", "last_date": "2024-05-31T12:30:00Z"}, None),
        ({"first_date": "2024-05-31T12:30:01Z"}, "date"),
        ({"first_date": "2024-05", "last_date": "2024"}, None),
        ({"first_date": "2024", "last_date": "2024-05"}, None),
        ({"last_date": "2024-05"}, None),
        ({"last_date": "2024-05-30"}, "date"),
        ({"last_date": "2023"}, "date"),
        ({"hosts": ["!org"], "urls": ["!*"], "last_date": "2023"}, "host"),
    ],
)
def test_the_first_setting_against_a_page_decides(settings: dict[str, Any], verdict: str | None) -> None:
    """Domains with their subdomains, patterns of whole addresses, and periods that are taken whole."""
    assert Selection.of(**settings).verdict(PAGE) == verdict


def test_pages_without_host_or_date() -> None:
    """They are in no selection, and nothing is against them where they are only to leave out."""
    bare = replace(PAGE, url="", date="")
    assert Selection.of(hosts=["org"]).verdict(bare) == "host"
    assert Selection.of(hosts=["!org"], urls=["!*/x"]).verdict(bare) is None
    assert Selection.of(first_date="1990").verdict(bare) == Selection.of(last_date="2100").verdict(bare) == "date"


def test_a_host_in_the_letters_of_its_language() -> None:
    """Stands for its ASCII form, which is in most addresses, too."""
    selection = Selection.of(hosts=["příklad.cz"])
    for host in ("www.xn--pklad-zsa96e.cz", "příklad.cz"):
        assert selection.verdict(replace(PAGE, url=f"http://{host}/")) is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hosts": ["https://example.org/"]}, "hosts: 'https://example.org/' is not a host"),
        ({"hosts": ["example.org:80"]}, "hosts: 'example.org:80' is not a host"),
        ({"hosts": ["!@none.txt"]}, "hosts: none.txt: the list cannot be read"),
        ({"urls": ["@none.txt"]}, "urls: none.txt: the list cannot be read"),
        ({"first_date": "May 2024"}, "first_date is 'May 2024'"),
        ({"first_date": "2024-13"}, "first_date is '2024-13', which is not in the calendar: month must be in 1..12"),
        ({"last_date": "2023-02-29"}, "last_date is '2023-02-29', which is not in the calendar: day is out of range"),
        ({"last_date": "2024-05-31T25:00:00Z"}, "which is not in the calendar: hour must be in 0..23"),
        ({"first_date": "2024-06", "last_date": "2024-05-31"}, "first_date (2024-06) is after last_date (2024-05-31)"),
        ({"first_date": "2024-06-02", "last_date": "2024-06-01"}, "no page would be taken"),
    ],
)
def test_a_mistake_is_named(settings: dict[str, Any], message: str) -> None:
    """In one line that begins with the setting."""
    with pytest.raises(ConfigError) as error:
        Selection.of(**settings)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_every_record_has_a_verdict(tmp_path: Path) -> None:
    """Selected pages go on; an empty archive among others is one record; the lengths are those of the files."""
    pages = {"http://a.example/": b"<p>One</p>", "http://b.example/x": b"<p>Two</p>", "http://b.example/": b"<p>3</p>"}
    (tmp_path / "a.warc.gz").write_bytes(b"".join(warc_record(url, body) for url, body in pages.items()))
    (tmp_path / "b.warc.gz").touch()
    (tmp_path / "c.warc.gz").write_bytes(warc_record("http://c.example/", b"<p>Four</p>"))
    (tmp_path / "hosts.txt").write_text("c.example\n", encoding="utf-8")
    selection = Selection.of([f"!@{tmp_path}/hosts.txt"], ["!*/x"], "2024", "2024-01")
    archives = sorted(tmp_path.glob("*.gz"))
    table = read_archives("b", archives, languages.get("en"), default_page_rules(selection=selection), "detected")
    assert table["verdict"].to_list() == ["kept", "url", "kept", "empty_archive", "host"]
    assert table["record"].to_list() == list(range(5))
    assert table["length"].sum() == sum(path.stat().st_size for path in archives)
