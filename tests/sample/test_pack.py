import base64
import bz2
import gzip
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pack
import pytest
import yaml
from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from corpusprep.errors import ConfigError

PAGES = pack.HERE / "pages"


@dataclass(frozen=True)
class Stored:
    """A record as warcio reads it back."""

    kind: str
    url: str
    headers: dict[str, str]
    http: dict[str, str]
    raw: bytes  # as stored: compressed and chunked
    content: bytes  # as a browser shows it


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packed crawl."""
    folder = tmp_path_factory.mktemp("crawl")
    result = CliRunner().invoke(pack.main, ["--output", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(scope="module")
def stored(crawl: Path) -> dict[str, list[Stored]]:
    """The records of every archive in order, by its name."""
    return {path.name: _read(path) for path in sorted(crawl.iterdir())}


@pytest.fixture(scope="module")
def responses(stored: dict[str, list[Stored]]) -> dict[str, Stored]:
    """The responses by URL."""
    return {record.url: record for records in stored.values() for record in records if record.kind == "response"}


def _read(path: Path) -> list[Stored]:
    with path.open("rb") as raw, path.open("rb") as decoded:
        pairs = zip(ArchiveIterator(raw), ArchiveIterator(decoded), strict=True)
        return [
            Stored(
                kind=record.rec_type,
                url=record.rec_headers.get_header("WARC-Target-URI") or "",
                headers=dict(record.rec_headers.headers),
                http=dict(record.http_headers.headers) if record.http_headers else {},
                raw=record.raw_stream.read(),
                content=again.content_stream().read(),
            )
            for record, again in pairs
        ]


def _exchanges(wanted: Callable[[pack.Exchange], bool] = lambda _: True) -> list[pack.Exchange]:
    records = [record for archive in pack.load_manifest() for record in archive.records]
    return [record for record in records if record.revisit_of is None and wanted(record)]


def test_the_archives_of_the_manifest_are_written(crawl: Path) -> None:
    """Every archive is there under its name, and there are no other files."""
    assert sorted(path.name for path in crawl.iterdir()) == [archive.name for archive in pack.load_manifest()]


def test_packing_again_gives_the_same_bytes(crawl: Path, tmp_path: Path) -> None:
    """Archives contain no current time, random identifier or path of the machine."""
    CliRunner().invoke(pack.main, ["--output", str(tmp_path)])
    for path in crawl.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_archives_that_are_there_are_not_written_again(tmp_path: Path) -> None:
    """They stay older than what was made of them; a file that is another one is replaced."""
    CliRunner().invoke(pack.main, ["--output", str(tmp_path)], catch_exceptions=False)
    first, *others = sorted(tmp_path.iterdir())
    for path in others:
        os.utime(path, (0, 0))
    first.write_bytes(b"another")
    CliRunner().invoke(pack.main, ["--output", str(tmp_path)], catch_exceptions=False)
    assert first.read_bytes() != b"another"
    assert {path.stat().st_mtime_ns for path in others} == {0}


def test_every_record_is_a_gzip_member(crawl: Path, stored: dict[str, list[Stored]]) -> None:
    """Readers can find each record by its offset."""
    for path in crawl.iterdir():
        members, data = 0, path.read_bytes()
        while data:
            inflater = zlib.decompressobj(wbits=31)
            inflater.decompress(data)
            members, data = members + 1, inflater.unused_data
        assert members == len(stored[path.name])


def test_records_are_in_the_order_of_the_manifest(stored: dict[str, list[Stored]]) -> None:
    """A warcinfo record first, then every response; its request follows if the manifest asks for it."""
    for archive in pack.load_manifest():
        expected = [("warcinfo", "")]
        for record in archive.records:
            expected.append(("revisit" if record.revisit_of else "response", record.url))
            expected += [("request", record.url)] if record.request else []
        assert [(record.kind, record.url) for record in stored[archive.name]] == expected


def test_record_identifiers_are_unique(stored: dict[str, list[Stored]]) -> None:
    """Requests, revisits and responses of one URL have different identifiers."""
    identifiers = [record.headers["WARC-Record-ID"] for records in stored.values() for record in records]
    assert len(set(identifiers)) == len(identifiers)


def test_requests_name_their_responses(stored: dict[str, list[Stored]], responses: dict[str, Stored]) -> None:
    """Each request points at the response to it."""
    requests = [record for records in stored.values() for record in records if record.kind == "request"]
    assert requests
    for request in requests:
        assert request.headers["WARC-Concurrent-To"] == responses[request.url].headers["WARC-Record-ID"]


def test_digests_are_right(crawl: Path, responses: dict[str, Stored]) -> None:
    """A reader that checks digests accepts every response, except the one that it cannot read to its end."""
    passed = set()
    for path in sorted(crawl.iterdir()):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests=True):
                record.raw_stream.read()
                if record.rec_type == "response" and record.digest_checker.passed:
                    passed.add(record.rec_headers.get_header("WARC-Target-URI"))
    assert responses.keys() - passed == {"http://www.fellwalkers.example/reports/night-on-the-moor.html"}


def test_pages_are_in_the_encodings_of_the_manifest(responses: dict[str, Stored]) -> None:
    """Decoded with its encoding, every undamaged page equals its source."""
    whole = _exchanges(lambda record: bool(record.file and not record.damage))
    assert len(whole) >= 45
    for record in whole:
        content = responses[record.url].content
        if record.content_encoding not in (None, "gzip"):
            content = bz2.decompress(content)
        text = content.decode(record.encoding)
        assert text == (PAGES / str(record.file)).read_text(encoding="utf-8"), record.url


def test_legacy_encodings_differ_from_utf_8(responses: dict[str, Stored]) -> None:
    """There are at least three encodings, on pages that are not valid UTF-8."""
    legacy = _exchanges(lambda record: not record.encoding.startswith("utf-8"))
    assert {record.encoding for record in legacy} >= {"windows-1250", "iso-8859-2", "windows-1252"}
    for record in legacy:
        with pytest.raises(UnicodeDecodeError):
            responses[record.url].content.decode("utf-8")


def test_some_legacy_pages_declare_nothing(responses: dict[str, Stored]) -> None:
    """Neither the header nor the page names an encoding."""
    legacy = _exchanges(lambda record: not record.encoding.startswith("utf-8"))
    undeclared = {
        record.encoding
        for record in legacy
        if "charset" not in str(record.content_type) and b"charset" not in responses[record.url].content
    }
    assert undeclared == {"windows-1250", "iso-8859-2", "windows-1252"}


def test_one_page_declares_an_encoding_that_it_is_not_in(responses: dict[str, Stored]) -> None:
    """The header says utf-8; the bytes are windows-1250."""
    page = responses["http://www.podhradske-listy.example/2014/kolotoc-na-pouti.html"]
    assert page.http["Content-Type"] == "text/html; charset=utf-8"
    with pytest.raises(UnicodeDecodeError):
        page.content.decode("utf-8")


def test_a_page_starts_with_a_byte_order_mark(responses: dict[str, Stored]) -> None:
    """The municipal notice is UTF-8 with its mark."""
    assert responses["http://www.mestys-lipova.example/vodovod"].content.startswith(b"\xef\xbb\xbf<!DOCTYPE")


def test_chunks_cut_characters_in_two(responses: dict[str, Stored]) -> None:
    """A reader that decodes each chunk separately would fail on the page sent in chunks and compressed."""
    page = responses["http://www.zvidavec.example/priroda/pamet-vran"]
    assert page.http["Transfer-Encoding"] == "chunked"
    assert page.raw.startswith(b"5dc\r\n\x1f\x8b")
    assert page.raw.endswith(b"\r\n0\r\n\r\n")


def test_a_broken_gzip_body_cannot_be_decompressed(responses: dict[str, Stored]) -> None:
    """The truncated stream has no end."""
    with pytest.raises(EOFError):
        gzip.decompress(responses["http://www.backlanegarden.example/sowing-calendar"].raw)


def test_broken_chunks_have_no_last_chunk(responses: dict[str, Stored]) -> None:
    """The truncated page has no chunk of size 0 at its end."""
    assert not responses["http://www.lumen-magazine.example/earth/where-rivers-begin"].raw.endswith(b"0\r\n\r\n")


def test_the_last_record_of_an_archive_is_cut(crawl: Path, responses: dict[str, Stored]) -> None:
    """Its gzip member is truncated: a part of the page is there, less than the record declares."""
    page = responses["http://www.fellwalkers.example/reports/night-on-the-moor.html"]
    assert 0 < len(page.raw) < int(page.http["Content-Length"])
    with pytest.raises(EOFError):
        gzip.decompress((crawl / "sample-00003.warc.gz").read_bytes())


def test_copies_have_the_same_date_or_a_later_one(responses: dict[str, Stored]) -> None:
    """One pair of copies has different dates, the other differs only in its URLs."""
    dates = {url: record.headers["WARC-Date"] for url, record in responses.items()}
    ferry = "http://www.riverton-courier.example/2014/03/ferry-returns.html"
    footbridge = "http://www.podhradske-listy.example/2014/nova-lavka.html"
    assert dates[ferry] < dates["http://wire.threecounties.example/n/88117"]
    assert dates[footbridge] == dates["http://zpravy.trikraje.example/z/5120"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"colour": "red"}, "unknown keys colour"),
        ({"damage": "fire"}, "damage is one of cut_record, cut_chunks, cut_gzip"),
    ],
)
def test_a_manifest_that_is_wrong_is_named(tmp_path: Path, record: dict[str, str], message: str) -> None:
    """Unknown keys and damages are errors; they are not ignored."""
    with pytest.raises(ConfigError, match=f"http://a.example/: {message}"):
        pack.load_manifest(_manifest(tmp_path, record))


def test_only_the_last_record_can_be_cut(tmp_path: Path) -> None:
    """A cut in the middle would also damage the records after it."""
    with pytest.raises(ConfigError, match="only the last record"):
        pack.load_manifest(_manifest(tmp_path, {"damage": "cut_record"}, {}))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"file": "absent.html"}, "no source absent.html"),
        ({"file": "dash.html", "encoding": "iso-8859-2"}, "dash.html: no character '–' in iso-8859-2"),
        ({"base64": "%"}, "base64"),
    ],
)
def test_a_body_that_cannot_be_made_is_named(tmp_path: Path, record: dict[str, str], message: str) -> None:
    """The message names a missing source, or the character that the encoding lacks."""
    (tmp_path / "dash.html").write_text("<p>1908–2014</p>", encoding="utf-8")
    [archive] = pack.load_manifest(_manifest(tmp_path, record))
    with pytest.raises(ConfigError, match=message):
        pack.pack(archive, tmp_path)


def test_an_error_leaves_no_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command prints only the error, and writes nothing."""
    manifest = pack.load_manifest(_manifest(tmp_path, {"file": "absent.html"}))
    monkeypatch.setattr(pack, "load_manifest", lambda: manifest)
    result = CliRunner().invoke(pack.main, ["--output", str(tmp_path / "crawl")])
    assert result.exit_code == 1
    assert result.output.startswith("Error: http://a.example/: no source absent.html")
    assert not (tmp_path / "crawl").exists()


def test_bytes_that_are_not_text_are_sent_as_they_are(tmp_path: Path) -> None:
    """A body given in base64 is not converted."""
    content = bytes(range(256))
    path = _manifest(tmp_path, {"base64": base64.b64encode(content).decode(), "encoding": "windows-1250"})
    [archive] = pack.load_manifest(path)
    assert pack.body(archive.records[0], tmp_path) == content


def _manifest(folder: Path, *records: dict[str, str]) -> Path:
    base = {"url": "http://a.example/", "date": "2014-08-11T04:00:00Z"}
    archive = {"name": "a.warc.gz", "date": base["date"], "records": [base | record for record in records]}
    path = folder / "crawl.yaml"
    path.write_text(yaml.safe_dump({"archives": [archive]}), encoding="utf-8")
    return path
