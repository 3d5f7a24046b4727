"""Stage `encoding`: which responses count as pages, and the encodings they are decoded with."""

from dataclasses import replace
from pathlib import Path

import pytest

from corpusprep import languages
from corpusprep.archive.accepted_pages import accepted_pages
from corpusprep.archive.records import Record
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import TRUST, is_text, page_encodings, page_markup, read_archives
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
        (replace(PAGE, body=b"%PDF-1.4 and more"), "pdf"),
        (replace(PAGE, body=b'{"a": 1}'), "json"),
        (replace(PAGE, body=b"PK\x03\x04 and more"), "not_text"),
        (replace(PAGE, content_type="html", body=b"<html><p>a"), "kept"),
        (replace(PAGE, content_type="*/*", body=b"<html><p>a"), "kept"),
        (replace(PAGE, content_type="unknown/unknown", body=b"<html><p>a"), "kept"),
        (replace(PAGE, content_type='"text/html"', body=b"<html><p>a"), "kept"),
        (replace(PAGE, content_type="text", body=b"plain words"), "content_type"),
        (replace(PAGE, content_type="text/plain", body=b"<html><p>a"), "content_type"),
        (replace(PAGE, record_type="resource", status=0), "kept"),
        (replace(PAGE, record_type="resource", status=0, content_type="image/png"), "content_type"),
        (replace(PAGE, record_type="resource", status=0, content_type="", body=b"words"), "content_type"),
        (replace(PAGE, record_type="conversion", status=0), "kept"),
        (replace(PAGE, record_type="conversion", status=0, content_type="text/plain", body=b'{"a": 1}'), "kept"),
        (replace(PAGE, url="ftp://a.example/", status=0), "kept"),
        (replace(PAGE, status=0), "status"),
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


def record(kind: str, content_type: str, content: bytes) -> bytes:
    """A record of an uncompressed archive."""
    fields = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: {content_type}\r\n"
    return f"{fields}Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n"


def test_plain_text_has_paragraphs_and_no_markup(tmp_path: Path) -> None:
    """Where the settings take it: blank lines separate paragraphs, in the encoding of the header or the language."""
    text = "\r\nPříliš žluťoučký kůň\r\núpěl a<b, <i>c</i> &amp; d.\r\n \t\r\n\n<meta charset=koi8-r>\n"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text.encode("iso-8859-2") + b"\xff"
    resource = record("resource", "text/plain; charset=windows-1250", text.encode("windows-1250"))
    (tmp_path / "a.warc").write_bytes(record("response", "application/http", http) + resource)
    rules = default_page_rules(content_types=["text/plain"])
    table = read_archives("b", [tmp_path / "a.warc"], languages.get("cs"), rules, "detected")
    assert table["verdict"].to_list() == ["kept"] * 2
    assert table["declared_meta"].to_list() == [None] * 2
    paragraphs = (
        "<p>Příliš žluťoučký kůň úpěl a&lt;b, &lt;i&gt;c&lt;/i&gt; &amp;amp; d.</p>\n<p>&lt;meta charset=koi8-r&gt;"
    )
    first, second = [page_markup(page)[0].decode() for page in accepted_pages(table)]
    assert first == f"<html><body>\n{paragraphs} ˙</p>\n</body></html>\n"
    assert second == f"<html><body>\n{paragraphs}</p>\n</body></html>\n"


def test_what_is_truncated_is_in_the_table(tmp_path: Path) -> None:
    """The page is kept as far as it goes."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
    pages = [head + length + b"\r\n\r\n<p>Text." for length in (b"9", b"8")]
    (tmp_path / "a.warc").write_bytes(b"".join(record("response", "application/http", page) for page in pages))
    table = read_archives("b", [tmp_path / "a.warc"], languages.get("cs"), default_page_rules(), "detected")
    assert table.select("verdict", "truncated").rows() == [("kept", True), ("kept", False)]
