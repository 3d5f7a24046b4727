"""What people have in folders: texts, saved pages, e-mails, and documents that are not read."""

import codecs
import gzip
import time
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import languages
from corpusprep.archive import inputs, local_files, patterns
from corpusprep.archive.html_files import Addresses, saved_from
from corpusprep.archive.records import Record
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.errors import ArchiveError

PAGE = "<!DOCTYPE html><html><head><title>T</title></head><body><p>Žluť.</p></body></html>"
TEXT = "Žluťoučký kůň\núpěl ďábelské ódy.\n\nDruhý odstavec <b>.\n"


def read(path: Path, rules: tuple[str, ...] = ()) -> Record:
    """The one record of a file, which has all its bytes."""
    [record] = inputs.records(path, addresses=Addresses.of(rules))
    assert (record.offset, record.length, record.number) == (0, path.stat().st_size, 0)
    assert record.verdict is not None or record.body_bytes == len(record.body) > 0
    return record


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1250"])
def test_texts_are_read_in_their_encoding(encoding: str, tmp_path: Path) -> None:
    """As those of pages are found; paragraphs are separated by blank lines."""
    path = tmp_path / "my text.txt"
    path.write_bytes(TEXT.encode(encoding))
    assert inputs.kind(path) == "text"
    table = read_archives("b", [path], languages.get("cs"), default_page_rules(), "detected")
    [row] = table.to_dicts()
    assert (row["verdict"], row["record_type"], row["url"]) == ("kept", "conversion", f"file:{tmp_path}/my%20text.txt")
    body = read(path).body.decode(row["encoding"])
    paragraphs = "<p>Žluťoučký kůň úpěl ďábelské ódy.</p>\n<p>Druhý odstavec &lt;b&gt;.</p>\n"
    assert body == f"<html><body>\n{paragraphs}</body></html>\n"


def test_paragraphs_of_texts() -> None:
    """Lines, where some are too long for print or none is blank."""
    long = "word " * 50
    assert local_files.page_of_bytes(f"One.\n{long}\n\nTwo.".encode()).count(b"<p>") == 3
    assert local_files.page_of_bytes(b"One.\nTwo.\r\nThree.").count(b"<p>") == 3
    assert local_files.page_of_bytes(b"One\r\nline.\r\n\r\n\r\nTwo.").count(b"<p>") == 2


def test_names_of_texts(tmp_path: Path) -> None:
    """Content tells other kinds; rules for robots and binary files are none."""
    for name, data, kind in [
        ("a.txt", b"Some text.", "text"),
        ("a.TXT.gz", gzip.compress(b"Some text."), "text"),
        ("b.txt", PAGE.encode(), "html"),
        ("c.txt", b'{"text": "x"}', "json"),
        ("robots.txt", b"User-agent: *", ""),
        ("d.txt", b"\0\1", ""),
        ("e", b"Some text.", ""),
    ]:
        (tmp_path / name).write_bytes(data)
        assert inputs.kind(tmp_path / name) == kind


@pytest.mark.parametrize(
    ("start", "url", "date"),
    [
        ("<!-- saved from url=(0030)https://www.example.org/a?b=c -->\n", "https://www.example.org/a?b=c", ""),
        ("<!-- saved from url=(0014)about:internet -->\n", "", ""),
        (
            "<!DOCTYPE html> <html lang=cs><!--\n Page saved with SingleFile \n url: https://e.example/x \n saved date:"
            " Wed Nov 28 2018 11:33:17 GMT+0100 (CET)\n-->",
            "https://e.example/x",
            "2018-11-28T10:33:17Z",
        ),
        (
            "<html>\n<!-- Mirrored from www.example.org/x.html by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 01 Jan"
            " 2018 10:00:00 GMT -->\n",
            "http://www.example.org/x.html",
            "2018-01-01T10:00:00Z",
        ),
        (
            '<html lang="en" data-scrapbook-source="https://e.example/x" data-scrapbook-create="20180102030405678">',
            "https://e.example/x",
            "2018-01-02T03:04:05Z",
        ),
        (PAGE, "", ""),
    ],
)
def test_saved_pages_say_where_they_are_from(start: str, url: str, date: str, tmp_path: Path) -> None:
    """In comments of browsers and other programs. A rule of the user counts more."""
    path = tmp_path / "x.html"
    for data in ((start + PAGE).encode(), codecs.BOM_UTF16_LE + (start + PAGE).encode("utf-16-le")):
        path.write_bytes(data)
        record = read(path)
        assert (record.url, record.date) == (url or f"file:{path}", date)
    assert read(path, (f"{tmp_path}/*=https://*",)).url == "https://x.html"


@given(
    st.lists(st.sampled_from(["<!-- Mirrored from ", " by HTTrack ", "a", " ", ", ", "<html ", "saved date: ", "\n"]))
)
def test_saved_from_takes_any_start(parts: list[str]) -> None:
    """Without an error."""
    saved_from("".join(parts).encode())


def test_parts_of_saved_pages_are_no_pages(tmp_path: Path) -> None:
    """Nor are lists beside archives; folders with such names that belong to no page are read."""
    for folder in ("Page_files", "Seite-Dateien", "Other_files", "crawl"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "frame.html").write_text(PAGE, encoding="utf-8")
    for name in ("Page.html", "Seite.htm", "crawl/a.warc.gz", "crawl/urls.txt", "text.txt"):
        (tmp_path / name).write_text(PAGE if ".htm" in name else "text", encoding="utf-8")
    found = [str(path.relative_to(tmp_path)) for path in inputs.archives_in(tmp_path)]
    assert sorted(found) == [
        *("Other_files/frame.html", "Page.html", "Seite.htm", "crawl/a.warc.gz", "crawl/frame.html", "text.txt"),
    ]


def test_documents_are_named_with_what_reads_them(tmp_path: Path) -> None:
    """In a note, and in the error if a folder has nothing else."""
    for name in ("a.pdf", "b.PDF", "c.docx", "d.epub", ".hidden.pdf"):
        (tmp_path / name).write_bytes(b"x")
    said = (
        "1 DOCX (make text of them with pandoc -t plain), 1 EPUB (make text of them with pandoc -t plain),"
        " 2 PDF (make text of them with pdftotext)"
    )
    with pytest.raises(ArchiveError, match=r"has no archive; .*; it has ") as error:
        patterns.expand([str(tmp_path)])
    assert str(error.value).endswith(f"it has {said}")
    assert patterns.left_out([str(tmp_path), "!x", "@list"]) == [f"{tmp_path}: left out: {said}"]


def mhtml(tmp_path: Path, *, kind: str = "mhtml") -> Path:
    """A page as browsers save it."""
    message = EmailMessage()
    message["From"] = "<Saved by Blink>"
    message["Snapshot-Content-Location"] = "https://e.example/x?y=1"
    message["Subject"] = "T"
    message["Date"] = "Wed, 28 Nov 2018 11:33:17 +0100"
    message.set_content(PAGE, subtype="html", charset="windows-1250", cte="quoted-printable")
    message.add_related(b"PNG", "image", "png")
    path = tmp_path / f"x.{kind}"
    path.write_bytes(message.as_bytes())
    return path


def test_mhtml_is_a_page(tmp_path: Path) -> None:
    """With the address and date of the page that was saved."""
    path = mhtml(tmp_path)
    assert inputs.kind(path) == "mhtml"
    record = read(path)
    assert (record.url, record.date, record.charset) == (
        "https://e.example/x?y=1",
        "2018-11-28T10:33:17Z",
        "windows-1250",
    )
    assert record.body.decode("windows-1250").strip() == PAGE
    assert record.record_type == "resource"


@pytest.mark.parametrize("form", ["plain", "both", "html", "none"])
def test_an_email_is_a_text(form: str, tmp_path: Path) -> None:
    """Its plain text, with subject, author and date; or its page, if it has no other."""
    message = EmailMessage()
    message["From"] = "Žofie Nová <z@e.example>"
    message["To"] = "a@e.example"
    message["Subject"] = "Dobrý den"
    message["Message-ID"] = "<1@e.example>"
    message["Date"] = "Wed, 28 Nov 2018 11:33:17 +0100"
    if form in ("plain", "both"):
        message.set_content(TEXT, charset="iso-8859-2")
    if form == "both":
        message.add_alternative(PAGE, subtype="html")
    if form == "html":
        message.set_content(PAGE, subtype="html")
    message.add_attachment("not this", filename="a.txt") if form != "none" else None
    path = tmp_path / "x.eml"
    path.write_bytes(message.as_bytes())
    assert inputs.kind(path) == "email"
    record = read(path)
    assert record.url == f"file:{path}"
    if form == "none":
        assert record.verdict == "empty"
    elif form == "html":
        assert record.body.decode().strip() == PAGE
    else:
        assert record.record_id == "1@e.example"
        body = record.body.decode()
        assert "<title>Dobrý den</title>" in body
        assert "Žofie Nová" in body
        assert "2018-11-28T10:33:17Z" in body
        assert "z@e.example" not in body
        assert "<p>Žluťoučký kůň úpěl ďábelské ódy.</p>\n<p>Druhý odstavec &lt;b&gt;.</p>\n</body></html>" in body


@pytest.mark.parametrize("kind", ["mhtml", "eml"])
def test_damaged_messages_have_a_verdict(kind: str, tmp_path: Path) -> None:
    """Wherever they are cut, and whatever byte is changed."""
    data = mhtml(tmp_path, kind=kind).read_bytes()
    path = tmp_path / f"y.{kind}"
    for place in range(200, len(data), 23):
        for changed in (data[:place], data[:place] + b"\xff" + data[place + 1 :]):
            path.write_bytes(changed)
            if inputs.kind(path) in ("mhtml", "email"):
                read(path)


def test_fields_that_cannot_be_decoded_stay_as_they_are(tmp_path: Path) -> None:
    """The text of the message is read."""
    path = tmp_path / "x.eml"
    path.write_bytes(
        b"From: =?ut\xfff-8?Q?A?= <a@e.example>\nTo: b@e.example\nSubject: =?utf-8?B?U29tZ?= a\n\nSome text.\n"
    )
    record = read(path)
    assert b"<p>Some text.</p>" in record.body
    assert b"<title>=?utf-8?B?U29tZ?= a</title>" in record.body


def test_long_heads_of_messages_are_read(tmp_path: Path) -> None:
    """Signatures and the servers on the way stand before who wrote it."""
    path = tmp_path / "x.eml"
    head = b"".join(b"ARC-Seal: i=%d; a=rsa-sha256;\n b=%b\n" % (number, b"x" * 900) for number in range(12))
    path.write_bytes(head + b"From: A <a@e.example>\nTo: b@e.example\nSubject: S\n\nSome text.\n")
    assert inputs.kind(path) == "email"
    assert b"<p>Some text.</p>" in read(path).body


HEAD = b"From: a@e.example\nTo: b@e.example\nDate: Wed, 28 Nov 2018 11:33:17 +0100\n"
NESTED = b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(150))


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        (HEAD + b"Subject: " + b"=?utf-8?Q?a?= " * 70_000 + b"\n\nSome text.\n", None),
        (HEAD + b"Content-Type: text/plain" + b"; a*0=b" * 140_000 + b"\n\nSome text.\n", None),
        (HEAD + b"Content-Type: multipart/mixed; boundary=b0\n\n" + NESTED + b"x\n" * 500_000, "damaged"),
    ],
    ids=["words", "parameters", "parts"],
)
def test_messages_are_read_in_linear_time(message: bytes, verdict: str | None, tmp_path: Path) -> None:
    """Long fields took Python's email 25 s per 2 MB, deep parts 14 s."""
    path = tmp_path / "x.eml"
    path.write_bytes(message)
    start = time.process_time()
    assert read(path).verdict == verdict
    assert time.process_time() - start < 2
