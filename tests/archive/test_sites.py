"""Archives sorted by site."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.archive.records import records
from corpusprep.archive.sites import SiteError, place_of, sort_by_site
from corpusprep.commands.sites import command as sites


def page(url: str, body: str, *, record_id: str = "") -> bytes:
    """A page as a WARC record."""
    content = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}".encode()
    identity = f"WARC-Record-ID: <{record_id}>\r\n" if record_id else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\n{identity}WARC-Target-URI: {url}\r\nWARC-Date: 2009-05-21T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + content + b"\r\n\r\n")


#: A text that others have extracted from a page.
EXTRACTED = (
    b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://abc.co.uk/c\r\nWARC-Date: 2009-05-21T00:00:00Z\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 4\r\n\r\nText\r\n\r\n"
)


def test_pages_of_a_site_stand_in_its_archive(tmp_path: Path) -> None:
    """With address, date, type and text; in the order of the archives. Other records are left out."""
    first, second = tmp_path / "1.warc.gz", tmp_path / "2.warc.gz"
    first.write_bytes(page("http://www.abc.co.uk/a", "<p>é", record_id="urn:uuid:1") + page("http://x.example/", "x"))
    second.write_bytes(page("http://abc.co.uk/b", "b") + gzip.compress(EXTRACTED) + b"damaged")
    out = tmp_path / "sites"
    assert sort_by_site([first, second], out) == {"abc.co.uk": 2, "x.example": 1}
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "ac/abc.co.uk.warc.gz",
        "xx/x.example.warc.gz",
    ]
    one, two = records(out / "ac" / "abc.co.uk.warc.gz")
    assert (one.url, one.date, one.record_id) == ("http://www.abc.co.uk/a", "2009-05-21T00:00:00Z", "urn:uuid:1")
    assert (one.content_type, one.charset, one.body.decode(), one.verdict) == ("text/html", "utf-8", "<p>é", None)
    assert (two.url, two.body, two.record_id != "") == ("http://abc.co.uk/b", b"b", True)
    again = tmp_path / "again"
    sort_by_site([first, second], again)
    for path in out.rglob("*.gz"):
        assert (again / path.relative_to(out)).read_bytes() == path.read_bytes()


def test_little_memory_gives_the_same_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are added to the archives in several turns."""
    archive = tmp_path / "1.warc.gz"
    archive.write_bytes(b"".join(page(f"http://{'ab'[n % 2]}.example/{n}", str(n)) for n in range(6)))
    sort_by_site([archive], tmp_path / "whole")
    monkeypatch.setattr("corpusprep.archive.sites.HELD_BYTES", 1)
    sort_by_site([archive], tmp_path / "turns")
    for path in (tmp_path / "whole").rglob("*.gz"):
        assert (tmp_path / "turns" / path.relative_to(tmp_path / "whole")).read_bytes() == path.read_bytes()


def test_a_folder_with_files_is_refused(tmp_path: Path) -> None:
    """Archives of another run are not added to."""
    with pytest.raises(SiteError, match="new or an empty folder"):
        sort_by_site([], Path(__file__).parent)


def test_the_command_prints_the_pages_of_each_site(tmp_path: Path) -> None:
    """One line per site."""
    archive = tmp_path / "1.warc.gz"
    archive.write_bytes(page("http://www.abc.co.uk/a", "a"))
    done = CliRunner().invoke(sites, [str(archive), "--output", str(tmp_path / "sites")])
    assert done.stdout == "abc.co.uk\t1\n"


@given(st.text(max_size=300))
def test_any_host_has_a_place_in_the_folder(site: str) -> None:
    """No name leaves the folder, is hidden, or is too long for a file system."""
    place = place_of(site)
    assert len(place.parts) == 2
    assert not place.name.startswith(".")
    assert ".." not in place.parts
    assert len(place.name) < 230
    assert place.name.isascii()
    assert "/" not in place.name
