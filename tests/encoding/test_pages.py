"""Stage `encoding`: which responses count as pages, and the encodings they are decoded with."""

from dataclasses import replace
from pathlib import Path

import pytest

from corpusprep import languages
from corpusprep.archive.records import Record
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import TRUST, is_text, page_encodings, read_archives
from corpusprep.errors import ArchiveError, ConfigError

PAGE = Record(
    0, 0, 100, "response", "http://a.example/", "2024-01-01T00:00:00Z", 200, "text/html", None, b"<p>Text.</p>"
)
CZECH = "<p>Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho v celé té stáji neslyšel.</p>"


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        (PAGE, "kept"),
        (replace(PAGE, verdict="damaged", body=b""), "damaged"),
        (replace(PAGE, status=404), "status"),
        (replace(PAGE, content_type="image/png"), "content_type"),
        (replace(PAGE, content_type="application/xhtml+xml"), "kept"),
        (replace(PAGE, content_type="", body=b"  <!DOCTYPE html><p>a"), "kept"),
        (replace(PAGE, content_type="", body=b"plain words"), "content_type"),
        (replace(PAGE, body=b""), "empty"),
        (replace(PAGE, body=b"<p>x"), "too_small"),
        (replace(PAGE, body=b"<p>xy"), "kept"),
        (replace(PAGE, body=b"x" * 100), "kept"),
        (replace(PAGE, body=b"x" * 101), "too_large"),
        (replace(PAGE, body=b"%PDF-1.4 and more"), "not_text"),
    ],
)
def test_the_first_rule_against_a_record_decides(record: Record, verdict: str) -> None:
    """Covers each reason, and the responses that are kept."""
    assert default_page_rules(min_bytes=5, max_bytes=100).verdict(record) == verdict


def test_sizes_that_no_page_has_are_refused() -> None:
    """The smallest page must not be larger than the largest."""
    with pytest.raises(ConfigError, match=r"^min_bytes \(2\) is over max_bytes \(1\)$"):
        default_page_rules(min_bytes=2, max_bytes=1)


@pytest.mark.parametrize(
    ("body", "detected", "text"),
    [
        (b"a" * 100, "utf-8", True),
        (b"a" * 95 + b"\0" * 5, "utf-8", True),
        (b"a" * 94 + b"\0" * 6, "utf-8", False),
        (b"a\0" * 50, "utf-8", False),
        (b"a\0" * 50, "utf-16le", True),
        ("a".encode("utf-32-le") * 50, "utf-16le", False),
    ],
)
def test_nul_bytes(body: bytes, detected: str, text: bool) -> None:
    """Up to 5 % are allowed, up to half in UTF-16."""
    assert is_text(body, detected) == text


@pytest.mark.parametrize("trust", TRUST)
def test_declared_wrongly(trust: str) -> None:
    """windows-1250 declared as UTF-8 is detected, and used unless `trust` is `declared`."""
    found = page_encodings(CZECH.encode("windows-1250"), "UTF-8", languages.get("cs"), trust)
    assert (found.http, found.meta, found.detected) == ("utf-8", None, "windows-1250")
    assert found.trusted == ("utf-8" if trust == "declared" else "windows-1250")


def test_declared_rightly_in_the_page() -> None:
    """The declared encoding is stored next to the detected one, by its WHATWG name."""
    body = b'<meta charset="latin2">' + CZECH.encode("iso-8859-2")
    found = page_encodings(body, None, languages.get("cs"), "declared-then-detected")
    assert (found.meta, found.trusted) == ("iso-8859-2", "iso-8859-2")


@pytest.mark.parametrize("trust", TRUST)
def test_byte_order_mark_is_believed(trust: str) -> None:
    """A byte order mark decides, whatever is declared or trusted."""
    found = page_encodings(CZECH.encode("utf-8-sig"), "windows-1250", languages.get("cs"), trust)
    assert (found.bom, found.trusted) == ("utf-8", "utf-8")


def test_a_late_declaration_decides_where_the_bytes_do_not() -> None:
    """It is found if the page is not UTF-8 and declares nothing before."""
    page = b"<style>" + b"a{}" * 2000 + b"</style><meta charset=koi8-r><p>"
    found = page_encodings(page + "Да".encode("koi8-r"), None, languages.get("en"), "detected")
    assert (found.meta, found.trusted) == ("koi8-r", "koi8-r")
    assert page_encodings(page, None, languages.get("en"), "detected").meta is None


@pytest.mark.parametrize("trust", TRUST)
def test_garbage_beside_a_declaration(trust: str) -> None:
    """Invalid bytes that are no text do not override a declared encoding; encoded surrogates are not invalid."""
    body = b"<p>It\xe2\x80\x99s here." + b" \xff\xc0\xaf" * 20
    assert page_encodings(body, "utf-8", languages.get("en"), trust).trusted == "utf-8"
    body = b"<p>It\xe2\x80\x99s here." + b"\xed\xa0\xbd\xed\xb8\x80" * 9
    assert page_encodings(body, None, languages.get("en"), trust).trusted == "utf-8"


def test_an_archive_that_is_gone_is_named(tmp_path: Path) -> None:
    """In one line: it may have been there when the batches were planned."""
    with pytest.raises(ArchiveError, match=r"cannot read archive .*gone.warc.gz: No such file"):
        read_archives("b", [tmp_path / "gone.warc.gz"], languages.get("en"), default_page_rules(), "detected")
