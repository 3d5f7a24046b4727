"""Marks of rights in headers."""

import doctest

import pytest

from corpusprep.archive import rights
from corpusprep.archive.rights import MARKS, header_rights, refused
from corpusprep.config.schema import setting


@pytest.mark.parametrize(
    ("fields", "marks"),
    [
        ("X-Robots-Tag: noindex\r\nx-robots-tag: NOAI, noImageAI", "noai@header noimageai@header noindex@header"),
        ("X-Robots-Tag: googlebot: noindex", ""),
        ("X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST", ""),
        ("X-Robots-Tag: nofollow, max-snippet: 5", "nofollow@header"),
        ("tdm-reservation: 1\ntdm-policy: https://a.example/p", "tdm-reservation@header"),
        ("tdm-reservation: 0", ""),
        ("X-Other: x-robots-tag noindex", ""),
        ("Content-Type: text/html", ""),
    ],
)
def test_marks_of_headers(fields: str, marks: str) -> None:
    """Words that are known, of rules for all robots; a reservation that is one."""
    assert header_rights(f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode()) == marks


def test_what_is_refused() -> None:
    """A mark at any place; `none` stands for two."""
    assert refused("noai@meta noindex@header", frozenset({"noai"}))
    assert refused("none@meta", frozenset({"nofollow"}))
    assert not refused("noindex@meta", frozenset({"noai"}))
    assert refused("disallow@robots.txt", frozenset({"disallow"}))
    assert not refused("allow@robots.txt", frozenset(MARKS))
    assert not refused("", frozenset(MARKS))


def test_the_setting_has_the_marks() -> None:
    """The schema allows those that are recorded."""
    assert setting("rights.refuse")["items"]["enum"] == list(MARKS)


def test_examples_in_docstrings() -> None:
    """They are right."""
    assert doctest.testmod(rights).failed == 0
