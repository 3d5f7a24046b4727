"""What `extract` says about an input that gives no good text."""

import gzip
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep import Extraction, extract, extract_site
from corpusprep.commands.extract import command
from corpusprep.pages import html
from corpusprep.tables.verdicts import KEPT, PAGE_REASONS, RECORD_REASONS

PROSE = "In the evening the people of the village came down to the river and stood on the bank of it for a while. " * 3
WARC = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n"
ARC = b"filedesc://x.arc 0.0.0.0 20240101000000 text/plain 77\n1 0 InternetArchive\n"
#: Inputs that are no HTML pages: (first bytes, verdict, what is said).
OTHERS = {
    "warc": (WARC, "content_type", "a Web archive, not an HTML page: name it under archives in a config"),
    "warc-gzip": (gzip.compress(WARC), "content_type", "a Web archive, not an HTML page"),
    "arc": (ARC, "content_type", "a Web archive, not an HTML page"),
    "gzip": (gzip.compress(b"<p>page"), "content_type", "compressed with gzip, not an HTML page: decompress it"),
    "clipped-gzip": (b"\x1f\x8b\x08\x00", "content_type", "compressed with gzip"),
    "json": (b'{"a": "b"}', "json", "JSON data, not an HTML page"),
    "feed": (b"<rss><title>a</title>", "feed", "a feed or sitemap (RSS, Atom, XML), not an HTML page"),
    "pdf": (b"%PDF-1.7\n", "pdf", "a PDF document, not an HTML page: convert it to HTML first"),
    "random": (random.Random(1).randbytes(5000), "not_text", "binary data, not an HTML page"),
    "empty": (b"", "empty", "an empty file"),
}


@pytest.mark.parametrize(("data", "verdict", "reason"), OTHERS.values(), ids=OTHERS)
def test_what_is_no_page_is_named(data: bytes, verdict: str, reason: str) -> None:
    """No blocks, the verdict of the ledger, and what to do."""
    found = extract(data)
    assert (found, found.verdict) == ([], verdict)
    assert found.reason.startswith(reason)
    assert verdict in RECORD_REASONS


@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        (f"<p>{PROSE}", KEPT),
        ("<p><a href=x>Home</a>", "no_good_block"),
        ("<p></p>", "no_text"),
        ("This is the plain text of a page, without a tag.", KEPT),
        ("Home", "no_good_block"),
        ("<p>Page<p>moved", "no_good_block"),
        ("<p>This is a sentence.", KEPT),
    ],
)
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16"])
def test_a_page_has_a_verdict(page: str, verdict: str, encoding: str | None) -> None:
    """Kept, or why there is no good text."""
    found = extract(page if encoding is None else page.encode(encoding))
    assert (found.verdict, found.reason) == (verdict, PAGE_REASONS.get(verdict, ""))
    assert any(block.label == "good" for block in found) == (verdict == KEPT)


@pytest.mark.parametrize("link", ["Home", "\u9996\u9875", "-", "Our products"])
@pytest.mark.parametrize("count", [1, 2, 300])
def test_a_page_of_links_alone_has_no_low_scores(link: str, count: int) -> None:
    """They are 0 below 0.4, so that a link or two are not kept; text beside links is scored by the model."""
    links = f"<p><a href=x>{link}</a>" * count
    found = extract(links)
    scores = [block.score or 0.0 for block in found]
    assert len(scores) == count
    assert all(score == 0.0 or score >= 0.4 for score in scores)
    assert count > 2 or found.verdict == "no_good_block"
    beside = extract(f"{links}<p>{PROSE}")
    assert (beside[-1].label, beside.verdict) == ("good", KEPT)


def test_a_page_that_the_parser_gives_up_has_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the parser's message."""

    def refuse(_: str, **_options: object) -> None:
        raise html.PageError("parse_failed", "too much")

    monkeypatch.setattr(html, "parse", refuse)
    found = extract("<p>x")
    assert (found, found.verdict, found.reason) == ([], "parse_failed", "the parser gave no tree: too much")


def test_a_site_goes_on_without_what_is_no_page() -> None:
    """Each input has its own verdict, in the order of the inputs."""
    page = f"<p>{PROSE}".encode()
    found = extract_site([WARC, page, b"<p>Home", b"%PDF"], algorithm="justext")
    assert [page.verdict for page in found] == ["content_type", "kept", "no_good_block", "pdf"]
    assert all(isinstance(page, Extraction) for page in found)


def test_the_command_names_what_is_no_page(tmp_path: Path) -> None:
    """One line on standard error per file; the text of the others is printed, and the exit code is 1."""
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(WARC))
    (tmp_path / "b.html").write_text(f"<p>{PROSE}", encoding="utf-8")
    (tmp_path / "c.html").write_text("<p><a href=x>Home</a>", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.warc.gz", "b.html", "c.html")]
    done = CliRunner().invoke(command, files)
    assert (done.exit_code, done.stdout) == (1, PROSE.strip() + "\n")
    first, second = done.stderr.splitlines()
    assert first.startswith(f"{files[0]}: a Web archive, not an HTML page: name it")
    assert second == f"{files[2]}: blocks of text, but no good one"


def test_the_command_accepts_pages_without_good_text(tmp_path: Path) -> None:
    """They are named, and as JSON every file still has its line."""
    (tmp_path / "a.html").write_text("<p>", encoding="utf-8")
    done = CliRunner().invoke(command, [str(tmp_path / "a.html"), "--format", "json"])
    assert (done.exit_code, done.stderr) == (0, f"{tmp_path / 'a.html'}: no block of text\n")
    page = json.loads(done.stdout)
    assert (page["verdict"], page["text"], page["blocks"]) == ("no_text", "", [])
