"""Packing folders."""

import errno
import os
from pathlib import Path

import pytest

from corpusprep.archive.html_files import Addresses
from corpusprep.archive.inputs import records
from corpusprep.crawling.packing import pack
from corpusprep.errors import ConfigError


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as `wget --mirror` makes it, in the working directory."""
    monkeypatch.chdir(tmp_path)
    folder = Path("mirror")
    (folder / "a.example" / "sub").mkdir(parents=True)
    (folder / "a.example" / "index.html").write_text("<html><p>One.", encoding="utf-8")
    (folder / "a.example" / "sub" / "page").write_text("<!doctype html><p>Two.", encoding="utf-8")
    (folder / "a.example" / "notes.txt").write_text("Three.\n\nFour.\n", encoding="utf-8")
    (folder / "a.example" / "logo.png").write_bytes(b"\x89PNG")
    for path in folder.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return folder


def test_pages_and_texts_are_packed_with_their_addresses(mirror: Path) -> None:
    """The same files give the same bytes; what is packed can be read."""
    rules = Addresses.of(["mirror/*=https://*"])
    found = pack(mirror, Path("x.warc.gz"), rules)
    assert (found.pages, found.texts, found.others) == (2, 1, 1)
    rows = [(r.record_type, r.url, r.date, r.verdict) for r in records(Path("x.warc.gz"))]
    date = "2023-11-14T22:13:20Z"
    assert rows == [
        ("warcinfo", "", "1970-01-01T00:00:00Z", "record_type"),
        ("response", "https://a.example/index.html", date, None),
        ("conversion", "https://a.example/notes.txt", date, None),
        ("response", "https://a.example/sub/page", date, None),
    ]
    first = Path("x.warc.gz").read_bytes()
    pack(mirror, Path("x.warc.gz"), rules)
    assert Path("x.warc.gz").read_bytes() == first


def test_saved_pages_have_their_addresses(mirror: Path) -> None:
    """And dates, if programs have written them; the folders of their parts are left out."""
    saved = "<!-- Mirrored from b.example/x by HTTrack Website Copier/3.x, Mon, 01 Jan 2018 10:00:00 GMT -->"
    (mirror / "a.example" / "sub" / "page").write_text(f"<!doctype html>{saved}<p>Two.", encoding="utf-8")
    (mirror / "a.example" / "index_files").mkdir()
    (mirror / "a.example" / "index_files" / "frame.html").write_text("<html><p>Three.", encoding="utf-8")
    assert pack(mirror, Path("x.warc.gz"), Addresses()).pages == 2
    assert [(record.url, record.date) for record in records(Path("x.warc.gz"))][3] == (
        "http://b.example/x",
        "2018-01-01T10:00:00Z",
    )


def test_other_files_are_not_read_whole(mirror: Path) -> None:
    """They may be larger than memory."""
    with (mirror / "a.example" / "film").open("wb") as film:
        film.truncate(8 << 40)
    assert pack(mirror, Path("x.warc.gz"), Addresses()).others == 2


def test_a_folder_that_cannot_be_read_is_an_error(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages would be left out without a word."""
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ConfigError, match=r"^mirror/a\.example/sub: cannot be read: Permission denied$"):
        pack(mirror, Path("x.warc.gz"), Addresses())
    assert not Path("x.warc.gz").exists()


def test_rules_for_robots_are_no_text(mirror: Path) -> None:
    """They are in the archive as a server sends them; a robots.txt elsewhere is a text like any other."""
    for path in (mirror / "a.example" / "robots.txt", mirror / "a.example" / "sub" / "robots.txt"):
        path.write_text("User-agent: *\n", encoding="utf-8")
    found = pack(mirror, Path("x.warc.gz"), Addresses.of(["mirror/*=https://*"]))
    assert (found.pages, found.texts, found.rules) == (2, 2, 1)
    kinds = {r.url: r.record_type for r in records(Path("x.warc.gz"))}
    assert kinds["https://a.example/robots.txt"] == "response"
    assert kinds["https://a.example/sub/robots.txt"] == "conversion"


def test_nothing_is_written_for_a_folder_without_pages(mirror: Path) -> None:
    """The error says what is looked for; an error in one file leaves no archive either."""
    for path in [*mirror.rglob("*.html"), *mirror.rglob("page"), *mirror.rglob("*.txt")]:
        path.unlink()
    with pytest.raises(ConfigError, match=r"^mirror: no HTML file and no text file \(\.txt\) among 1 files; give"):
        pack(mirror, Path("x.warc.gz"), Addresses())
    (mirror / "b.txt").write_bytes(b"ok\n\xff\n")
    with pytest.raises(ConfigError, match=r"^mirror/b\.txt, line 2: not UTF-8; convert"):
        pack(mirror, Path("x.warc.gz"), Addresses())
    assert not list(Path().glob("x*"))
