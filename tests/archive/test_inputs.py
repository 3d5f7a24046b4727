"""Kinds of inputs: each is recognised by its content, gives records, and accounts for every byte."""

import codecs
import datetime
import errno
import gzip
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import zstandard
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support.archives import warc_record

from corpusprep import languages
from corpusprep.archive import inputs, plain_text, verticals
from corpusprep.archive.accepted_pages import accepted_pages, extracted_texts
from corpusprep.archive.html_files import Addresses
from corpusprep.archive.patterns import expand
from corpusprep.archive.records import Record
from corpusprep.cleaners.justext import JusText
from corpusprep.commands.application import application
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.extraction.recut import recut_batch
from corpusprep.tables import schemas
from corpusprep.tables.writing import TableWriter, write_table

TEXTS = ["Über Äpfel\nSüß & rot < reif.", "Short.\n\nAnother paragraph."]
HTML = b"<!DOCTYPE html><title>T</title><p>Some text.</p>"
DATATROVE = [
    {
        "text": text,
        "id": f"<urn:uuid:{n}>",
        "metadata": {"url": f"http://a.example/{n}", "date": "2024-05-06T07:08:09Z"},
    }
    for n, text in enumerate(TEXTS)
]
HPLT = [
    {"f": "x.warc.gz", "o": 7, "u": f"http://a.example/{n}", "ts": "2024-05-06T07:08:09Z", "text": text, "id": f"h{n}"}
    for n, text in enumerate(TEXTS)
]
VERTICAL = (
    '<corpus name="x">\n'
    '<doc url="http://a.example/0" crawl_date="2024-05-06" title="A &amp; B">\n'
    '<p heading="1">\nÜber\tPRP\tüber\nÄpfel\tN\n'
    "</p>\n<p>\n<s>\nSüß\n&amp;\nrot\n&lt;\nreif\n<g/>\n.\n</s>\n</p>\n</doc>\n"
    '<doc url="http://a.example/1">\nShort\n<g/>\n.\n<p/>\nAnother\nparagraph\n<g/>\n.\n</doc>\n</corpus>\n'
)
WET = b"".join(
    b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/%d\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
    b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (n, len(text.encode()), text.encode())
    for n, text in enumerate(TEXTS)
)


def json_lines(rows: list[dict[str, object]]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def plain(data: bytes) -> bytes:
    """No compression."""
    return data


def read(path: Path, **options: object) -> list[Record]:
    """All records of a file, whose bytes are all accounted for."""
    found = list(inputs.records(path, **options))  # type: ignore[arg-type]
    assert sum(record.length for record in found) == path.stat().st_size
    ends = [record.offset + record.length for record in found]
    assert [record.offset for record in found] == [0, *ends[:-1]]
    assert [record.number for record in found] == list(range(len(found)))
    return found


@pytest.mark.parametrize("pack", [plain, gzip.compress, zstandard.compress])
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("json", json_lines(DATATROVE)),
        ("json", b"\n" + json_lines(HPLT)),
        ("vertical", VERTICAL.encode()),
        ("archive", WET),
    ],
    ids=["datatrove", "hplt", "vertical", "wet"],
)
def test_texts_are_pages_of_their_paragraphs(
    kind: str, data: bytes, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Text, address and date of each, in any compression."""
    path = tmp_path / "file"
    path.write_bytes(pack(data))
    assert inputs.kind(path) == kind
    found = [record for record in read(path) if record.record_type == "conversion"]
    assert [record.url for record in found] == ["http://a.example/0", "http://a.example/1"]
    assert found[0].date.startswith("2024-05-06T")
    assert b"ber \xc3\x84pfel" in found[0].body
    assert "<p>Süß &amp; rot &lt; reif.</p>".encode() in found[0].body
    assert b"<p>Short.</p>\n<p>Another paragraph.</p>" in found[1].body


def test_a_table_is_read_with_its_columns(tmp_path: Path) -> None:
    """Parquet, with metadata in columns of their own, as structs, or as dates."""
    path = tmp_path / "x.parquet"
    rows = pl.DataFrame({"text": TEXTS, "url": ["http://a.example/0", None], "title": ["T", None]})
    rows.with_columns(date=pl.datetime(2024, 5, 6, 7)).write_parquet(path)
    found = read(path)
    assert [(record.url, record.date) for record in found] == [
        ("http://a.example/0", "2024-05-06T07:00:00Z"),
        ("", "2024-05-06T07:00:00Z"),
    ]
    assert b"<title>T</title>" in found[0].body
    pl.DataFrame(DATATROVE).write_parquet(path)
    assert [record.url for record in read(path)] == ["http://a.example/0", "http://a.example/1"]


def test_a_name_is_no_pattern(tmp_path: Path) -> None:
    """A table whose name has brackets is read itself, not what such a pattern matches."""
    for name, text in (("x[1].parquet", "wanted"), ("x1.parquet", "other")):
        pl.DataFrame({"text": [text]}).write_parquet(tmp_path / name)
    assert [b"<p>wanted</p>" in record.body for record in read(tmp_path / "x[1].parquet")] == [True]


def test_many_rows_keep_their_order(tmp_path: Path) -> None:
    """A table that is read in several parts."""
    pl.DataFrame({"text": [f"row {n}" for n in range(1000)]}).write_parquet(tmp_path / "x", row_group_size=300)
    found = read(tmp_path / "x")
    assert [f"row {n}".encode() in record.body for n, record in enumerate(found)] == [True] * 1000


def test_headings_and_titles_of_verticals_are_kept(tmp_path: Path) -> None:
    """So a corpus of this package can be read again."""
    path = tmp_path / "x.vert"
    path.write_text(VERTICAL, encoding="utf-8")
    body = read(path)[0].body.decode()
    assert "<title>A &amp; B</title>" in body
    assert "<h2>Über Äpfel</h2>" in body


def test_attributes_of_a_long_line_are_read_in_linear_time(tmp_path: Path) -> None:
    """A line may have a megabyte, with or without values."""
    path = tmp_path / "x.vert"
    long = f"<doc {'a' * 900_000} url='http://a.example/' title = \"T\">"
    path.write_text(f"<doc>\nx\n</doc>\n{long}\nx\n</doc>\n", encoding="utf-8")
    _, record = read(path)
    assert record.url == "http://a.example/"
    assert b"<title>T</title>" in record.body


def test_damage_stays_in_its_line_or_document(tmp_path: Path) -> None:
    """What is wrong has a verdict; what comes after it is read."""
    path = tmp_path / "x"
    path.write_bytes(json_lines(HPLT[:1]) + b'{"text": "cut\n[]\n' + json_lines([{"text": " "}, *HPLT[1:]]))
    assert [record.verdict for record in read(path)] == [None, "damaged", "damaged", "empty", None]
    path.write_text("<doc>\nA\n<doc>\nB\n</doc>\nstray\n<doc>\n</doc>\nC\n", encoding="utf-8")
    assert [record.verdict for record in read(path)] == ["damaged", None, "damaged", "empty", "damaged"]
    whole = gzip.compress(json_lines(HPLT * 400))
    path.write_bytes(whole[: len(whole) // 2])
    verdicts = [record.verdict for record in read(path)]
    assert len(verdicts) > 100
    assert verdicts[-1] == "damaged"
    assert set(verdicts[:-1]) == {None}


def test_only_strings_of_json_lines_are_texts(tmp_path: Path) -> None:
    """A number or a Boolean is none; the next name of the field counts."""
    path = tmp_path / "x"
    path.write_bytes(json_lines([{"text": 5}, {"text": True}, {"text": 5, "content": "b"}]))
    assert [record.verdict for record in read(path)] == ["empty", "empty", None]
    assert read(path)[2].body == plain_text.page_of_lines("b")


def test_long_texts_are_too_large(tmp_path: Path) -> None:
    """In memory there is one line at most."""
    path = tmp_path / "x"
    path.write_bytes(json_lines([{"text": "a" * 3_000_000}, {"text": "b" * 20_000}, {"text": "c"}]))
    assert [record.verdict for record in read(path, max_bytes=10_000)] == ["too_large", "too_large", None]
    path.write_bytes(b"<doc>\n" + b"word\n" * 9_000 + b"</doc>\n<doc>\nb\n</doc>\n")
    assert [record.verdict for record in read(path, max_bytes=10_000)] == ["too_large", None]


def test_lone_surrogates_of_json_lines_can_be_stored(tmp_path: Path) -> None:
    """An escape may write half of a character, in any field."""
    broken = "a\ud800b"
    row = {"text": broken, "title": broken, "url": f"http://a.example/{broken}", "id": broken, "date": broken}
    (tmp_path / "x.jsonl").write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    [record] = read(tmp_path / "x.jsonl")
    assert (record.url, record.record_id, record.date) == ("http://a.example/ab", "ab", "")
    assert b"<p>a?b</p>" in record.body
    table = read_archives("b", [tmp_path / "x.jsonl"], languages.get("en"), default_page_rules(), "detected")
    assert table["url"].to_list() == ["http://a.example/ab"]


def test_a_line_of_very_many_pieces_is_read_in_linear_time(tmp_path: Path) -> None:
    """A gzip member is a piece, however short it is."""
    space = gzip.compress(b" " * 1024, mtime=0)
    parts = [json_lines([{"text": "a"}]) + b'{"text":', b'"b"}\r\n{"text": "c"}']
    (tmp_path / "x").write_bytes(gzip.compress(parts[0]) + space * 40_000 + gzip.compress(parts[1]))
    found = read(tmp_path / "x")
    assert [record.body for record in found] == [plain_text.page_of_lines(letter) for letter in "abc"]
    assert [record.verdict for record in found] == [None] * 3


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet"])
def test_a_table_without_text_is_an_error(name: str, tmp_path: Path) -> None:
    """It names the fields that there are, and those that are known."""
    path = tmp_path / name
    if name.endswith("l"):
        path.write_text('{"body": "x", "n": 1}\n', encoding="utf-8")
    else:
        pl.DataFrame({"body": ["x"], "n": 1}).write_parquet(path)
    with pytest.raises(
        ArchiveError, match=r"x\.\w+(, line 1)?: no text: has body, n; name the field .* text, content or"
    ):
        list(inputs.records(path))


def test_one_line_without_text_is_no_error(tmp_path: Path) -> None:
    """A flipped bit in its first line must not refuse a file."""
    (tmp_path / "x.jsonl").write_bytes(json_lines([{"texu": "a"}, {"text": "b"}]))
    assert [record.verdict for record in read(tmp_path / "x.jsonl")] == ["empty", None]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "Int64"),
        ([["A", "word"]], r"List\(String\)"),
        ([True], "Boolean"),
        ([datetime.date(2024, 1, 1)], "Date"),
    ],
)
def test_a_column_of_other_things_is_no_text(values: list[object], kind: str, tmp_path: Path) -> None:
    """The error names the column and what it holds."""
    pl.DataFrame({"text": values}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(
        ArchiveError, match=rf"x\.parquet: the column text \({kind}\) holds no text; rename it, or write"
    ):
        list(inputs.records(tmp_path / "x.parquet"))


def test_a_further_column_of_other_things_is_left_out(tmp_path: Path) -> None:
    """Such as a mark of whether there is content."""
    pl.DataFrame({"content": [True, False], "text": ["x", " "]}).write_parquet(tmp_path / "x")
    assert [record.verdict for record in read(tmp_path / "x")] == [None, "empty"]


def test_binary_text_is_read_as_utf8(tmp_path: Path) -> None:
    """Some writers do not mark their strings. Wrong bytes are replaced."""
    metadata = json.dumps({"url": "http://a.example/", "date": "2024-05-06"}).encode()
    pl.DataFrame({"text": ["süß".encode(), b"\xff."], "metadata": metadata}).write_parquet(tmp_path / "x")
    found = read(tmp_path / "x")
    assert [record.verdict for record in found] == [None, None]
    assert "<p>süß</p>".encode() in found[0].body
    assert "<p>\ufffd.</p>".encode() in found[1].body
    assert (found[0].url, found[0].date) == ("http://a.example/", "2024-05-06T00:00:00Z")


@pytest.mark.parametrize(
    ("kind", "good", "date"),
    [
        (pl.Date, 19_849, "2024-05-06T00:00:00Z"),
        (pl.Datetime("ms"), 1_714_978_800_000, "2024-05-06T07:00:00Z"),
        (pl.Datetime("us"), 1_714_978_800_000_000, "2024-05-06T07:00:00Z"),
        (pl.Datetime("ns"), 1_714_978_800_000_000_000, "2024-05-06T07:00:00Z"),
        (pl.Datetime("us", "Asia/Tokyo"), 1_714_978_800_000_000, "2024-05-06T07:00:00Z"),
        (pl.Time, 1, ""),
        (pl.Duration("us"), 1, ""),
    ],
)
def test_dates_that_python_cannot_hold_are_none(kind: pl.DataType, good: int, date: str, tmp_path: Path) -> None:
    """Other rows have theirs, also in a struct."""
    values = [good, 2**30, -(2**30)] if kind == pl.Date else [good, 2**62, -(2**62), None]
    if kind == pl.Time:
        values = [good]
    table = pl.DataFrame({"text": ["x"] * len(values), "date": values}, schema_overrides={"date": pl.Int64})
    dated = table.with_columns(pl.col("date").cast(pl.Int32 if kind == pl.Date else pl.Int64).cast(kind))
    for written in (dated, dated.select("text", metadata=pl.struct(Date="date", days=pl.concat_list("date")))):
        written.write_parquet(tmp_path / "x")
        found = read(tmp_path / "x")
        assert found[0].date == date
        if not isinstance(kind, pl.Datetime) or kind.time_unit != "ns":  # all of these are within years 1677 to 2262
            assert {record.date for record in found[1:]} <= {""}
        assert {record.verdict for record in found} == {None}


def test_damage_stays_in_its_row_group(tmp_path: Path) -> None:
    """Others are read. The directory is at the end: nothing can be read without it."""
    table = tmp_path / "x.parquet"
    pl.DataFrame({"text": [f"row {n}" for n in range(90)]}).write_parquet(table, row_group_size=30)
    whole = table.read_bytes()
    frames = [frame.start() for frame in re.finditer(re.escape(zstandard.FRAME_HEADER), whole)]
    middle = frames[len(frames) // 2]
    table.write_bytes(whole[:middle] + bytes(9) + whole[middle + 9 :])
    found = read(table)
    assert [record.verdict for record in found] == [None] * 30 + ["damaged"] + [None] * 30
    assert [b"row 29<" in found[29].body, b"row 60<" in found[31].body] == [True, True]
    table.write_bytes(whole[:-20])
    assert [record.verdict for record in read(table)] == ["damaged"]


def test_a_table_with_a_damaged_byte_loses_no_row_silently(tmp_path: Path) -> None:
    """Polars may read no row of such a table, and report no error."""
    table = tmp_path / "x.parquet"
    pl.DataFrame({"text": ["Some text."] * 3}).write_parquet(table, compression="uncompressed")
    whole = table.read_bytes()
    for place in range(4, 64):
        table.write_bytes(whole[:place] + b"\0" + whole[place + 1 :])
        found = read(table)
        assert len(found) == 3 or [record.verdict for record in found] == ["damaged"], place


def wacz(path: Path, compression: int = zipfile.ZIP_STORED) -> list[bytes]:
    """Writes a WACZ with two archives; returns these."""
    archives = [b"".join(warc_record(f"http://a.example/{n}{m}", HTML) for m in "ab") for n in (1, 2)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("datapackage.json", "{}" * 100)
        archive.writestr("archive/1.warc.gz", archives[0], compression)
        archive.writestr("indexes/index.cdx.gz", "x")
        archive.writestr("archive/2.warc.gz", archives[1], compression)
    return archives


def test_the_archives_of_a_wacz_are_read_in_place(tmp_path: Path) -> None:
    """Each record has its place in the ZIP file; other bytes are records that are no responses."""
    first, _ = wacz(tmp_path / "x.wacz")
    found = read(tmp_path / "x.wacz")
    pages = [record for record in found if record.verdict is None]
    assert [record.url[-2:] for record in pages] == ["1a", "1b", "2a", "2b"]
    assert [record.body for record in pages] == [HTML] * 4
    assert {record.verdict for record in found} == {None, "record_type"}
    stored = (tmp_path / "x.wacz").read_bytes()[pages[0].offset :][: pages[0].length + pages[1].length]
    assert stored == first


@pytest.mark.parametrize("place", [-30, 10])
def test_archives_are_read_without_the_directory_of_a_wacz(place: int, tmp_path: Path) -> None:
    """Bytes that are lost move what stands behind them; those of the directory are its end."""
    path = tmp_path / "x.wacz"
    wacz(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:place] + whole[place + 4 :])
    pages = [record.url for record in read(path) if record.verdict is None]
    assert pages == [f"http://a.example/{name}" for name in ("1a", "1b", "2a", "2b")]


def test_a_wacz_that_is_compressed_twice_is_an_error(tmp_path: Path) -> None:
    """Its archives have no places in the file."""
    wacz(tmp_path / "x.wacz", zipfile.ZIP_DEFLATED)
    with pytest.raises(ArchiveError, match=r"x\.wacz: archive/1\.warc\.gz is compressed or encrypted within"):
        list(inputs.records(tmp_path / "x.wacz"))


def test_other_zip_files_are_no_archives(tmp_path: Path) -> None:
    """As before, such a file is one damaged record."""
    with zipfile.ZipFile(tmp_path / "x.docx", "w") as archive:
        archive.writestr("word/document.xml", "x")
    assert inputs.kind(tmp_path / "x.docx") == ""
    assert [record.verdict for record in read(tmp_path / "x.docx")] == ["damaged"]


@pytest.mark.parametrize(
    "data",
    [HTML, b"\xef\xbb\xbf\n <!-- c --><HTML>x", "\ufeff<html>x".encode("utf-16-le"), gzip.compress(HTML, mtime=0)],
)
def test_html_files_are_pages(data: bytes, tmp_path: Path) -> None:
    """In any encoding, also compressed."""
    path = tmp_path / "page"
    path.write_bytes(data)
    [record] = read(path)
    assert (record.record_type, record.verdict) == ("resource", None)
    assert record.body == (HTML if data[:1] == b"\x1f" else data)


def test_a_file_that_begins_with_many_comments_is_recognised(tmp_path: Path) -> None:
    """In linear time, whether a page comes after them or not."""
    path = tmp_path / "x"
    path.write_bytes(b"<!-- x -->\n" * 200 + HTML)
    assert inputs.kind(path) == "html"
    path.write_bytes(b"<!-- x -->\n" * 200 + b"<div>text</div>")
    assert inputs.kind(path) == ""


def test_an_error_page_under_the_name_of_an_archive_is_damage(tmp_path: Path) -> None:
    """That is what a failed download leaves."""
    (tmp_path / "x.warc.gz").write_bytes(HTML)
    assert [record.verdict for record in read(tmp_path / "x.warc.gz")] == ["damaged"]


@pytest.mark.parametrize(
    ("rules", "path", "address"),
    [
        (["mirror/*=https://*"], "mirror/a.example/b c.html", "https://a.example/b%20c.html"),
        (["./mirror/*.html=https://a.example/*"], "mirror/x/y.html", "https://a.example/x/y"),
        (["other/*=http://x/*", "*.htm=http://a/*"], "x.htm", "http://a/x"),
        ([], "mirror/ü.html", "file:mirror/%C3%BC.html"),
    ],
)
def test_rules_make_addresses(rules: list[str], path: str, address: str) -> None:
    """The first rule that fits counts."""
    assert Addresses.of(rules).of_file(Path(path)) == address


@pytest.mark.parametrize("rule", ["mirror", "mirror/=http://a/*", "a/*=b/*", "*/*=http://a/*", "a/*=http://a/"])
def test_a_wrong_rule_is_an_error(rule: str) -> None:
    """It says how rules are written."""
    with pytest.raises(ConfigError, match=r"addresses: '.*' is no rule; write PATTERN=ADDRESS with one \*"):
        Addresses.of([rule])


def test_a_folder_stands_for_the_archives_in_it(tmp_path: Path) -> None:
    """By content, or by name; other files are left out."""
    crawl = tmp_path / "crawl"
    (crawl / "deep" / ".hidden").mkdir(parents=True)
    (crawl / "b.warc.gz").write_bytes(warc_record("http://a.example/", HTML))
    (crawl / "cut.warc.gz").write_bytes(b"\x1f\x8b")
    (crawl / "deep" / "t.jsonl").write_bytes(json_lines(HPLT))
    (crawl / "deep" / "a.html").write_bytes(HTML)
    (crawl / "deep" / ".hidden" / "b.html").write_bytes(HTML)
    (crawl / "deep" / "datapackage.json").write_text('{"profile": "x"}', encoding="utf-8")
    (crawl / "deep" / "d.warc.gz.part").write_bytes(warc_record("http://a.example/", HTML))
    (crawl / "built" / "corpus").mkdir(parents=True)
    (crawl / "built" / "batches.tsv").touch()
    (crawl / "built" / "corpus" / "b.jsonl").write_bytes(json_lines(HPLT))
    (crawl / "README").write_text("about the crawl", encoding="utf-8")
    found = expand([str(crawl)])
    assert [path.name for path in found] == ["b.warc.gz", "cut.warc.gz", "a.html", "t.jsonl"]
    assert expand([str(crawl), "!*.jsonl"]) == found[:3]


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No archive is passed over silently: neither those of a folder without permission, nor a link to nothing."""
    (tmp_path / "a.warc.gz").write_bytes(warc_record("http://a.example/", HTML))
    for inner in ("deep", "lost+found"):
        (tmp_path / inner).mkdir()
        (tmp_path / inner / "b.warc.gz").write_bytes(warc_record("http://b.example/", HTML))
    link = tmp_path / "link.warc.gz"
    link.symlink_to("nowhere")
    with pytest.raises(ArchiveError, match=r"^cannot read archive .*/link\.warc\.gz: No such file or directory$"):
        expand([str(tmp_path)])
    assert [path.name for path in expand([str(tmp_path), "!link.*"])] == ["a.warc.gz", "b.warc.gz"]
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("deep"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ArchiveError, match=r"^cannot read folder .*/deep: Permission denied$"):
        expand([str(tmp_path)])


def test_an_archive_that_has_gone_is_an_error(tmp_path: Path) -> None:
    """Between the plan of a run and the job that reads it."""
    with pytest.raises(ArchiveError, match=r"^cannot read archive .*/gone\.warc: No such file or directory$"):
        read_archives("b", [tmp_path / "gone.warc"], languages.get("en"), default_page_rules(), "detected")


def classified(tmp_path: Path, *, kept: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables of blocks and pages of the texts, whose paragraphs jusText finds too short."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(json_lines(DATATROVE))
    table = read_archives("b", [path], languages.get("en"), default_page_rules(), "detected")
    assert table["encoding"].to_list() == ["utf-8", "utf-8"]
    write_table(table, schemas.ENCODING, tmp_path / "encoding")
    with TableWriter(tmp_path / "blocks", schemas.BOILERPLATE) as blocks:
        options = PageOptions(JusText(), texts_kept=kept)
        pages = classify_batch(tmp_path / "encoding", OneLanguage(languages.get("en")), options, blocks)
    return pl.read_parquet(tmp_path / "blocks"), pages


def test_paragraphs_of_texts_are_kept_as_blocks(tmp_path: Path) -> None:
    """All are good, and stay so when thresholds change."""
    blocks, pages = classified(tmp_path, kept=True)
    assert blocks["text"].to_list() == [line for text in TEXTS for line in text.splitlines() if line]
    assert set(blocks["verdict"]) == {"kept"}
    assert set(blocks["tag"]) == {"text"}
    assert pages["verdict"].to_list() == ["kept", "kept"]
    again, _ = recut_batch(blocks, pages, JusText())
    assert again.equals(blocks)


def test_paragraphs_of_texts_can_be_classified(tmp_path: Path) -> None:
    """As those of a page."""
    blocks, pages = classified(tmp_path, kept=False)
    assert set(blocks["verdict"]) == {"short"}
    assert set(blocks["tag"]) == {"p"}
    assert pages["verdict"].to_list() == ["no_good_block", "no_good_block"]


def test_texts_that_are_short_in_long_records_are_read_again(tmp_path: Path) -> None:
    """Escapes, further columns and empty lines are no part of a page, whose size is in the table of `encoding`."""
    cyrillic = "слово " * 100_000
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": cyrillic, "more": "x" * 2_000_000}), encoding="utf-8")
    (tmp_path / "b.vert").write_text("<doc>\n" + f"word\t{'tag' * 100}\n" * 5_000 + "</doc>\n", encoding="utf-8")
    text = b"\n" * 2_000_000 + b"text"
    head = b"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(text)
    (tmp_path / "c.wet").write_bytes(head + text + b"\r\n\r\n")
    paths = sorted(tmp_path.iterdir())
    table = read_archives("b", paths, languages.get("en"), default_page_rules(), "detected")
    assert table["verdict"].to_list() == ["kept"] * 3
    assert [len(page.body) for page in accepted_pages(table)] == table["payload_bytes"].to_list()


def test_the_command_takes_rules_for_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the workflow gives them."""
    monkeypatch.chdir(tmp_path)
    Path("mirror").mkdir()
    Path("mirror/x.html").write_bytes(HTML)
    options = ["c", "--batch", "b", "--archive", "mirror/x.html", "--model", "en"]
    done = CliRunner().invoke(
        application, ["step", "encoding", *options, "--addresses", "mirror/*=https://a.example/*"]
    )
    assert done.exception is None
    assert pl.read_parquet("c/encoding/b.parquet").select("url", "host", "verdict").rows() == [
        ("https://a.example/x.html", "a.example", "kept")
    ]


@pytest.mark.parametrize(
    ("charset", "content", "text"),
    [
        ("latin1", b"\x93s\xfc\xdf\x94", "“süß”"),
        ("macintosh", "süß".encode("mac_roman"), "süß"),
        ("utf-16", "süß".encode("utf-16-le"), "süß"),
        ("UTF-16", codecs.BOM_UTF16_BE + "süß".encode("utf-16-be"), "süß"),
        ("utf-8", b"\xef\xbb\xbfs\xc3\xbc\xff", "sü\ufffd"),
        ("unicode_escape", rb"\x41", r"\x41"),
        *((name, b"abc", "abc") for name in ("replacement", "x-user-defined", "rot13", "zlib", "idna", "\0")),
    ],
)
def test_texts_are_in_encodings_of_the_web(charset: str, content: bytes, text: str) -> None:
    """By their labels there; any other name means UTF-8."""
    assert plain_text.page_of_record(content, f"text/plain; charset={charset}") == plain_text.page_of_lines(text)


def test_no_encoding_of_texts_takes_quadratic_time() -> None:
    """As some of Python's codecs do."""
    text = "a" * 1_000_000 + "-" + "b" * 1_000_000
    assert plain_text.page_of_record(text.encode(), "text/plain; charset=punycode") == plain_text.page_of_lines(text)


def test_texts_can_be_left_out(tmp_path: Path) -> None:
    """They are records of another type then."""
    (tmp_path / "x.wet").write_bytes(WET)
    rules = default_page_rules(texts=False)
    assert [rules.verdict(record) for record in inputs.records(tmp_path / "x.wet")] == ["record_type"] * 2


def vertical(lines: str, tmp_path: Path, *documents: str) -> list[Record]:
    """The records of a vertical with these lines; `/` stands for a line break."""
    path = tmp_path / "x.vert"
    path.write_text(lines.replace(" / ", "\n") + "\n", encoding="utf-8")
    return list(inputs.records(path, documents=documents))


WORDS = "In / the / evening / they / came"


@pytest.mark.parametrize(
    "lines",
    [
        f"<!-- #vrt positional-attributes: word --> / <doc url='u'> / {WORDS} / </doc>",
        f"<?xml?> / <!-- a / b --> / <!DOCTYPE x> / <corpus> / <TEXT url='u'> / {WORDS} / </TEXT> / </corpus>",
        f"<text url=u id=7> / <p> / {WORDS} / </p> / </text>",
        f"<story url='u'> / {WORDS} / </story>",
        f"<session> / <speech url='u'> / {WORDS} / </speech> / </session>",
        f"<DOC URL='u'> / {WORDS} / </DOC>",
        f"<záznam> / <zaznam url='u'> / {WORDS} / </zaznam>".removeprefix("<záznam> / "),
        f"<doc url='u'> / <text> / {WORDS} / </text> / </doc>",
        f"<doc url='u'> / <!-- of the editor --> / {WORDS} / <!-- more / of it --> / </doc>",
        f"\ufeff<doc url='u'> / {WORDS} / </doc>",
        f"\ufeff<!-- a --> /  / <doc url='u'> / {WORDS} / </doc> / ",
    ],
)
def test_verticals_tell_what_their_documents_are(lines: str, tmp_path: Path) -> None:
    """Comments are no tokens, wherever they stand; attributes need no quotation marks."""
    records = vertical(lines, tmp_path)
    [found] = [record for record in records if record.verdict is None]
    assert {record.verdict for record in records} <= {None, "record_type"}
    assert found.url == "u"
    assert found.body.count(b"<p>") == 1
    assert b"<p>In the evening they came</p>" in found.body


@pytest.mark.parametrize("name", ["np", "ne", "q", "mwe", "quote", "u", "note", "ref", "l"])
@pytest.mark.parametrize("paragraph", ["p", "s", "head", "item"])
def test_structures_in_paragraphs_do_not_cut_them(name: str, paragraph: str, tmp_path: Path) -> None:
    """Whatever their names; outside of paragraphs they do."""
    inner = f"a / <{name} type='x'> / b / </{name}> / <lb/> / <pb n='3'/> / c / < / d"
    [found] = vertical(f"<doc> / <{paragraph}> / {inner} / </{paragraph}> / </doc>", tmp_path)
    assert b">a b c &lt; d</" in found.body
    [found] = vertical(f"<doc> / <{name}> / a / </{name}> / <{name}> / b / </{name}> / </doc>", tmp_path)
    assert b"<p>a</p>\n<p>b</p>" in found.body


def test_elements_of_paragraphs_cut_those_around_them(tmp_path: Path) -> None:
    """A paragraph without an end, too."""
    [found] = vertical(
        "<doc> / <p> / a / <p> / b / </p> / <div> / <p> / c / <ne> / d / </p> / e / </div> / </doc>", tmp_path
    )
    assert b"<p>a</p>\n<p>b</p>\n<p>c d</p>\n<p>e</p>" in found.body


def test_documents_can_be_chosen(tmp_path: Path) -> None:
    """They are read again in the same way."""
    lines = (
        f"<text url='t'> / <debate url='d1'> / {WORDS} / </debate> / <debate url='d2'> / {WORDS} / </debate> / </text>"
    )
    assert [record.url for record in vertical(lines, tmp_path)] == ["t"]
    assert [record.url for record in vertical(lines, tmp_path, "Debate")] == ["d1", "d2", ""]
    assert [record.url for record in vertical(lines, tmp_path, "speech")] == ["t"]
    rules = default_page_rules()
    table = read_archives("b", [tmp_path / "x.vert"], languages.get("en"), rules, "detected", None, ["debate"])
    assert table["verdict"].to_list() == ["kept", "kept", "record_type"]
    assert table.filter(extracted_texts()).height == 2
    assert [page.record for page in accepted_pages(table)] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "<DOC>\n<DOCNO> 1 </DOCNO>\n<TEXT>\nA running text of many words.\nAnother line.\n</TEXT>\n</DOC>\n",
        "<rss>\n<channel>\n<item>\nSome words of a text\n</item>\n</channel>\n</rss>\n",
        "<html>\n<body>\n<p>\nword\n</p>\n</body>\n</html>\n",
        "<note>\nword\n</note>\n",
    ],
)
def test_other_markup_is_no_vertical(text: str, tmp_path: Path) -> None:
    """Lines of many words are no tokens."""
    (tmp_path / "x").write_text(text, encoding="utf-8")
    assert inputs.kind(tmp_path / "x") != "vertical"


#: Lines of verticals, usual and not.
LINES = [
    "a",
    "b\tX\ty",
    "<g/>",
    "<g/>",
    "<s>",
    "</s>",
    "<p>",
    "</p>",
    "",
    " \t",
    "c\r",
    "<g/>\r",
    "R&amp;D",
    "&lt;g/&gt;",
    "&am",
]
LINES += [
    "p;",
    "d e ",
    "<!-- x",
    "y -->",
    "-->",
    "<!-- z -->",
    '<doc url="http://a.example/">',
    "</doc>",
    "\tX",
    "f\0",
    "<",
    "<g/>\tX",
]


@given(st.lists(st.sampled_from(LINES), max_size=40), st.sampled_from(["\n", "\r\n"]))
def test_tokens_of_verticals_are_read_in_runs(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[str], line_break: str
) -> None:
    """As they are one by one."""
    path = tmp_path_factory.getbasetemp() / "runs.vert"
    text = line_break.join(['<doc url="http://b.example/">', *WORDS.split(" / "), *drawn, "</doc>", ""])
    path.write_bytes(text.encode())
    in_runs = list(inputs.records(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verticals, "_ALONE", re.compile(rb"^[^\n]*", re.MULTILINE))
        assert list(inputs.records(path)) == in_runs
