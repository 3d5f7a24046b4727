"""Reading archives: kinds, fields, damage. The damaged archives are made here and named for what is wrong."""

import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reading_work import ReadingWork
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpusprep.archive import records as archives
from corpusprep.archive import tolerant_reader
from corpusprep.archive.records import Record, host, records
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.archive.tolerant_reader import read_stretches
from corpusprep.errors import ArchiveError
from corpusprep.tables.verdicts import RECORD_REASONS

DATE = "2008-04-30T20:48:25Z"


def page(name: str) -> bytes:
    """Makes a page of about 2 kB that compresses badly, so that damage to its member damages the page."""
    words = random.Random(name).choices("abcdefghijklmnopqrstuvwxyz0123456789 ", k=2000)
    return f"<html><p>{name} {''.join(words)}</p></html>\n".encode()


def http(body: bytes, fields: bytes = b"Content-Type: text/html; charset=UTF-8\r\n") -> bytes:
    """An HTTP response."""
    return b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n" + body


def warc(
    name: str, *, kind: str = "response", content: bytes | None = None, excess: int = 0, version: str = "1.0"
) -> bytes:
    """One WARC record; `excess` is added to its true length."""
    content = http(page(name)) if content is None else content
    return (
        f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/{name}\r\n"
        f"WARC-Date: {DATE}\r\nWARC-Record-ID: <urn:x:{name}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(content) + excess}\r\n\r\n"
    ).encode() + (content + b"\r\n\r\n")


def arc(name: str, excess: int = 0) -> bytes:
    """One ARC record; `excess` is added to its true length."""
    content = http(page(name))
    head = f"http://a.example/{name} 10.0.0.1 20080430204825 text/html {len(content) + excess}\n"
    return head.encode() + content + b"\n"


def gz(record: bytes) -> bytes:
    """One gzip member."""
    return gzip.compress(record, mtime=0)


def zst(record: bytes) -> bytes:
    """One Zstandard frame with a checksum."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(record)


def flipped(data: bytes, place: int) -> bytes:
    """`data` with four bits of one byte flipped."""
    return data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]


ONE, BAD, TWO = warc("one"), warc("bad"), warc("two")
ARC_HEAD = b"filedesc://x.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\n"
ARC_HEAD += b"URL IP-address Archive-date Content-type Archive-length\n\n\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., list[Record]]:
    """Writes bytes to a file, reads its records, and checks that they are numbered and tile the file."""

    def read(data: bytes, max_bytes: int = 20_000_000) -> list[Record]:
        path = tmp_path / "archive"
        path.write_bytes(data)
        return accounted(path, max_bytes)

    return read


def accounted(path: Path, max_bytes: int = 20_000_000) -> list[Record]:
    """The records of an archive, which are numbered, tile its file and keep their promises."""
    found = list(records(path, max_bytes))
    position = 0
    for number, record in enumerate(found):
        assert (record.number, record.offset) == (number, position)
        assert record.verdict is None or record.verdict in RECORD_REASONS
        assert record.body_bytes == len(record.body)
        assert record.verdict is None or not record.body
        position += record.length
    assert position == path.stat().st_size
    return found


def names(found: list[Record], verdict: str | None = None) -> list[str]:
    """The last parts of the URLs of the records with this verdict."""
    return [record.url.rpartition("/")[2] for record in found if record.verdict == verdict]


CLEAN = {
    "plain.warc": ONE + TWO,
    "member_a_record.warc.gz": gz(ONE) + gz(TWO),
    "one_member.warc.gz": gz(ONE + TWO),
    "members_cut_anywhere.warc.gz": b"".join(
        gz((ONE + TWO)[start : start + 700]) for start in range(0, len(ONE + TWO), 700)
    ),
    "empty_member_last.warc.gz": gz(ONE) + gz(TWO) + gz(b""),
    "empty_member_first.warc.gz": gz(b"") + gz(ONE) + gz(TWO),
    "frame_a_record.warc.zst": zst(ONE) + zst(TWO),
    "one_frame.warc.zst": zst(ONE + TWO),
    "skippable_frame.warc.zst": b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zst(ONE) + zst(TWO),
    "bare_line_feeds.warc": b"".join(
        warc(name, content=http(b"x").replace(b"\r\n", b"\n")).replace(b"\r\n", b"\n") for name in ("one", "two")
    ),
    "no_line_breaks_after_records.warc": ONE[:-4] + TWO[:-4],
    "lower_case_version.warc": ONE.replace(b"WARC/1.0", b"warc/1.0") + TWO,
    "version_0.17.warc": warc("one", version="0.17") + warc("two", version="0.18"),
    "version_1.1.warc.gz": gz(warc("one", version="1.1")) + gz(warc("two", version="1.1")),
    "plain_after_gzip.warc": gz(ONE) + TWO,
    "gzip_after_plain.warc": ONE + gz(TWO),
    "frame_after_plain.warc": ONE + zst(TWO),
    "chunks_not_declared.warc.gz": b"".join(
        gz(warc(name, content=http(b"%x\r\n%b\r\n0\r\n\r\n" % (len(page(name)), page(name)))))
        for name in ("one", "two")
    ),
    "interim_response.warc.gz": b"".join(
        gz(warc(name, content=b"HTTP/1.1 100 Continue\r\n\r\n" + http(page(name)))) for name in ("one", "two")
    ),
    "version_1.arc": ARC_HEAD + arc("one") + arc("two"),
    "no_description.arc": arc("one") + arc("two"),
    "member_a_record.arc.gz": gz(ARC_HEAD) + gz(arc("one")) + gz(arc("two")),
    "one_member.arc.gz": gz(ARC_HEAD + arc("one") + arc("two")),
    "version_2.arc": b"".join(
        arc(name).replace(b"text/html ", b"text/html 200 checksum - 209 x.arc ") for name in ("one", "two")
    ),
}


@pytest.mark.parametrize("name", CLEAN)
def test_every_kind_of_archive_is_read(read: Callable[..., list[Record]], name: str) -> None:
    """WARC and ARC of all versions, in any compression: both pages are read and nothing is damaged."""
    found = read(CLEAN[name])
    assert names(found) == ["one", "two"]
    assert not names(found, "damaged")
    if name != "bare_line_feeds.warc":
        assert [record.body for record in found if record.verdict is None] == [page("one"), page("two")]


DAMAGED = {
    "truncated_member.warc.gz": gz(ONE) + gz(BAD)[:-300] + gz(TWO),
    "member_without_trailer.warc.gz": gz(ONE) + gz(BAD)[:-8] + gz(TWO),
    "flipped_byte_in_member.warc.gz": gz(ONE) + flipped(gz(BAD), 700) + gz(TWO),
    "flipped_checksum.warc.gz": gz(ONE) + flipped(gz(BAD), -6) + gz(TWO),
    "flipped_magic.warc.gz": gz(ONE) + flipped(gz(BAD), 1) + gz(TWO),
    "flipped_flags.warc.gz": gz(ONE) + gz(BAD)[:3] + b"\x08" + gz(BAD)[4:] + gz(TWO),
    "garbage_between_members.warc.gz": gz(ONE) + b"no member \x1f\x8b\x08 this" * 20 + gz(TWO),
    "zeros_between_members.warc.gz": gz(ONE) + bytes(4096) + gz(TWO),
    "member_without_record.warc.gz": gz(ONE) + gz(b"no record\r\n" * 9) + gz(TWO),
    "length_too_long.warc.gz": gz(ONE) + gz(warc("bad", excess=50)) + gz(TWO),
    "length_far_too_long.warc.gz": gz(ONE) + gz(warc("bad", excess=10**8)) + gz(TWO),
    "length_takes_in_the_next.warc.gz": gz(ONE) + gz(warc("bad", excess=4 + len(TWO))) + gz(TWO) * 2,
    "length_too_short.warc.gz": gz(ONE) + gz(warc("bad", excess=-50)) + gz(TWO),
    "length_missing.warc.gz": gz(ONE) + gz(BAD.replace(b"Content-Length", b"Content-Lenght")) + gz(TWO),
    "length_no_number.warc.gz": gz(ONE) + gz(BAD.replace(b"Content-Length: ", b"Content-Length: -")) + gz(TWO),
    "version_line_broken.warc.gz": gz(ONE) + gz(BAD.replace(b"WARC/1.0", b"WXRC/1.0")) + gz(TWO),
    "truncated_frame.warc.zst": zst(ONE) + zst(BAD)[:-300] + zst(TWO),
    "flipped_byte_in_frame.warc.zst": zst(ONE) + flipped(zst(BAD), 700) + zst(TWO),
    "garbage_between_frames.warc.zst": zst(ONE) + b"garbage \x28\xb5\x2f\xfd" * 20 + zst(TWO),
    "length_too_long.warc": ONE + warc("bad", excess=50) + TWO,
    "length_takes_in_the_next_head.warc": ONE + warc("bad", excess=4 + 200) + TWO,
    "length_beyond_the_end.warc": ONE + warc("bad", excess=10**9) + TWO,
    "length_too_short.warc": ONE + warc("bad", excess=-50) + TWO,
    "cut_short_before_the_next.warc": ONE + BAD[:-300] + TWO,
    "cut_short_in_header.warc": ONE + BAD[:100] + TWO,
    "garbage_between_records.warc": ONE + b"garbage\r\n" * 90 + TWO,
    "garbage_without_line_break.warc": ONE + b"garbage" + TWO,
    "length_too_short_in_one_member.warc.gz": gz(ONE + warc("bad", excess=-50) + TWO),
    "length_too_long_in_one_member.warc.gz": gz(ONE + warc("bad", excess=500) + TWO),
    "truncated_member.arc.gz": gz(arc("one")) + gz(arc("bad"))[:-300] + gz(arc("two")),
    "length_too_short.arc": arc("one") + arc("bad", excess=-50) + arc("two"),
    "length_too_long.arc": arc("one") + arc("bad", excess=50) + arc("two"),
    "length_no_number.arc": arc("one") + b"http://a.example/bad 10.0.0.1 20080430204825 text/html x\n" + arc("two"),
    "garbage_between_records.arc": arc("one") + b"garbage\n" * 90 + arc("two"),
    "cut_short_before_the_next.arc": arc("one") + arc("bad")[:-300] + arc("two"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_records_before_and_after_damage_are_read(read: Callable[..., list[Record]], name: str) -> None:
    """One damaged stretch gets its verdict; the pages on both sides of it are whole."""
    found = read(DAMAGED[name])
    kept = {record.url.rpartition("/")[2]: record.body for record in found if record.verdict is None}
    assert kept == {"one": page("one"), "two": page("two")}
    assert [record.verdict for record in found if record.verdict] == ["damaged"]


def with_line_ends(record: bytes, breaks: bytes) -> bytes:
    """A record as a checkout makes it that converts line ends: its length is that of before."""
    return record.replace(b"\r\n", b"\n").replace(b"\n", breaks)


LINES = http(b"<html>\r\n<p>A line.\r\n<p>Another.\r\n" * 9)
MENDED = {
    "length_ends_in_the_next_head.warc": warc("bad", excess=6),
    "length_too_short.warc": warc("bad", excess=-10),
    "length_too_long.arc": arc("bad", excess=10),
    "length_too_short.arc": arc("bad", excess=-10),
    "shorter_line_ends.warc": with_line_ends(warc("bad", content=LINES), b"\n"),
    "longer_line_ends.warc": with_line_ends(warc("bad", content=LINES.replace(b"\r\n", b"\n")), b"\r\n"),
}


@pytest.mark.parametrize("name", MENDED)
@pytest.mark.parametrize("compress", [bytes, gz, zst])
@pytest.mark.parametrize("last", [False, True])
def test_a_record_whose_length_is_nearly_right_is_mended(
    read: Callable[..., list[Record]], name: str, compress: Callable[[bytes], bytes], last: bool
) -> None:
    """The page is whole, and says that it was mended; so are the pages on both sides."""
    others = (arc("one"), arc("two")) if name.endswith(".arc") else (ONE, TWO)
    parts = [others[0], MENDED[name], *([] if last else others[1:])]
    for data in (b"".join(map(compress, parts)), compress(b"".join(parts))):
        found = read(data)
        assert [record.verdict for record in found] == [None] * len(parts)
        assert [record.mended for record in found] == [False, True, False][: len(parts)]
        assert found[0].body == page("one")
        lines = "line_ends" in name
        body = LINES[LINES.index(b"<") :] if lines else page("bad")
        assert found[1].body.replace(b"\r\n", b"\n") == body.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("excess", [80, -80])
def test_a_length_that_nothing_explains_is_damage(read: Callable[..., list[Record]], excess: int) -> None:
    """A page with fewer line ends than bytes too many or too few is not whole."""
    found = read(ONE + warc("bad", content=LINES, excess=excess) + TWO)
    assert [record.verdict for record in found] == [None, "damaged", None]
    assert not any(record.mended for record in found)


TRUNCATED = {
    "truncated_last.warc": ONE + TWO[:-400],
    "truncated_in_last_header.warc": ONE + TWO[:60],
    "truncated_last.warc.gz": gz(ONE) + gz(TWO)[:-400],
    "truncated_in_last_trailer.warc.gz": gz(ONE) + gz(TWO)[:-3],
    "truncated_in_last_magic.warc.gz": gz(ONE) + gz(TWO)[:2],
    "truncated_one_member.warc.gz": gz(ONE + TWO)[:-400],
    "truncated_last.warc.zst": zst(ONE) + zst(TWO)[:-400],
    "truncated_last.arc": arc("one") + arc("two")[:-400],
    "truncated_last.arc.gz": gz(arc("one")) + gz(arc("two"))[:-400],
}


@pytest.mark.parametrize("name", TRUNCATED)
def test_a_truncated_last_record_is_damaged(read: Callable[..., list[Record]], name: str) -> None:
    """Records before a record that is cut off by the end of the file are read."""
    found = read(TRUNCATED[name])
    assert names(found) == ["one"]
    assert [record.verdict for record in found] == [None, "damaged"]


def test_a_damaged_record_keeps_what_its_head_says(read: Callable[..., list[Record]]) -> None:
    """A damaged record has URL, date and type if its head could be read."""
    found = read(DAMAGED["truncated_member.warc.gz"])
    assert (found[1].url, found[1].date, found[1].record_type) == ("http://a.example/bad", DATE, "response")


def test_records_before_damage_in_one_member_are_read(read: Callable[..., list[Record]]) -> None:
    """A flipped byte in a member of many records loses those after it, none before it."""
    data = gz(b"".join(warc(str(number)) for number in range(40)))
    found = read(flipped(data, len(data) * 3 // 4))
    assert names(found)[:28] == [str(number) for number in range(28)]
    assert found[-1].verdict == "damaged"


def test_consecutive_damaged_members_are_told_apart(read: Callable[..., list[Record]]) -> None:
    """Each member with a wrong checksum is a record of its own."""
    found = read(b"".join(flipped(gz(warc(str(number))), -5) for number in range(5)) + gz(TWO))
    assert names(found, "damaged") == ["0", "1", "2", "3", "4"]
    assert names(found) == ["two"]


@pytest.mark.parametrize("compress", [gz, zst])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_damage_to_one_member_costs_no_other(
    tmp_path_factory: pytest.TempPathFactory, compress: Callable[[bytes], bytes], data: st.DataObject
) -> None:
    """If bytes of a member are changed, lost or added, all other records are still read."""
    members = [compress(warc(str(number))) for number in range(4)]
    victim = data.draw(st.integers(0, 3))
    member = members[victim]
    start = data.draw(st.integers(0, len(member)))
    end = min(len(member), start + data.draw(st.integers(0, 40)))
    members[victim] = member[:start] + data.draw(st.binary(max_size=40)) + member[end:]
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(b"".join(members))
    bodies = {record.url: record.body for record in accounted(path) if record.verdict is None}
    for number in range(4):
        if number != victim:
            assert bodies[f"http://a.example/{number}"] == page(str(number))


@pytest.mark.parametrize("name", [name for name in CLEAN | DAMAGED | TRUNCATED if name.endswith("warc.gz")])
def test_both_readers_agree(tmp_path: Path, name: str) -> None:
    """The fast reader gives the same stretches as the tolerant one."""
    path = tmp_path / name
    path.write_bytes((CLEAN | DAMAGED | TRUNCATED)[name])
    stored = StoredFile(path)
    slow = [(stretch.offset, stretch.length, stretch.content is None) for stretch in read_stretches(stored, 0, 10**7)]
    stored.close()
    assert [(r.offset, r.length, r.verdict == "damaged") for r in records(path)] == slow


@pytest.mark.parametrize(
    "data",
    [
        random.Random(0).randbytes(8_000_000),
        bytes(8_000_000),
        b"\x1f\x8b\x08" * 2_000_000,
        b"\x28\xb5\x2f\xfd" * 1_000_000,
        b"\x1f\x8b\x08\x08\0\0\0\0\0\x03" + b"a name without end" * 400_000,
        b" 20080101000000 " * 500_000,
        b"http://a b 20080101000000 " * 300_000,
        (b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 10000000\r\n\r\nx\r\n\r\n") * 20_000,
        gz(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9000000\r\n\r\nx\r\n\r\n" * 20_000),
    ],
    ids=lambda data: repr(data[:16]),
)
def test_work_is_linear_in_any_garbage(
    read: Callable[..., list[Record]], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    """Files made to cause repeated reading of the same bytes: each byte is read three times at most."""
    work = ReadingWork(monkeypatch)
    assert {record.verdict for record in read(data)} == {"damaged"}
    assert len(data) <= work.bytes <= 3 * len(data)


def test_records_in_turn_plain_and_compressed_are_not_read_many_times(
    read: Callable[..., list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each declares all of the file, and the next one is found inside it: reading again has a limit."""
    monkeypatch.setattr(tolerant_reader, "_SECOND_LOOK", 0)
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 10000000\r\n\r\nx\r\n\r\n"
    data = (head + gz(head)) * 2000
    work = ReadingWork(monkeypatch)
    assert {record.verdict for record in read(data)} == {"damaged"}
    assert work.bytes <= 12 * len(data)


def test_a_zstandard_dictionary_is_used(read: Callable[..., list[Record]]) -> None:
    """A leading dictionary frame, itself compressed or not, serves all frames."""
    dictionary = zstandard.ZstdCompressionDict(ONE, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    frames = b"".join(zstandard.ZstdCompressor(dict_data=dictionary).compress(record) for record in (ONE, TWO))
    for stored in (dictionary.as_bytes(), zst(dictionary.as_bytes())):
        found = read(b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored + frames)
        assert names(found) == ["one", "two"]


def test_a_damaged_dictionary_leaves_no_frame_that_needs_it(read: Callable[..., list[Record]]) -> None:
    """Other frames are read. The library finds the damage only when it makes a decoder."""
    dictionary = b"\x37\xa4\x30\xec" + b"\xff" * 12
    stored = b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary
    assert [record.verdict for record in read(stored + zst(b"\xff" * 90))] == ["damaged"]
    assert names(read(stored + zst(ONE))) == ["one"]


def test_fields_of_a_page(read: Callable[..., list[Record]]) -> None:
    """URL, date, status, content type, charset and body of a response."""
    (record,) = read(gz(ONE))
    assert (record.number, record.offset, record.length) == (0, 0, len(gz(ONE)))
    assert (record.record_type, record.url, record.date) == ("response", "http://a.example/one", DATE)
    assert (record.status, record.content_type, record.charset) == (200, "text/html", "UTF-8")
    assert (record.body, record.verdict) == (page("one"), None)


@pytest.mark.parametrize(
    "kind", ["warcinfo", "request", "metadata", "resource", "revisit", "conversion", "continuation"]
)
def test_other_records_are_named_by_their_type(read: Callable[..., list[Record]], kind: str) -> None:
    """A record that is no response has the verdict record_type, and its type."""
    (record,) = read(gz(warc("one", kind=kind)))
    assert (record.record_type, record.verdict) == (kind, "record_type")


@pytest.mark.parametrize("packed", [gz, bytes])
@pytest.mark.parametrize("field", ["WARC-Truncated: length", "WARC-Segment-Number: 1", ""])
def test_records_that_hold_a_part_say_so(
    read: Callable[..., list[Record]], packed: Callable[[bytes], bytes], field: str
) -> None:
    """The body is kept as far as it goes; the next segment is no page."""
    first = warc("one").replace(b"WARC-Date", f"{field}\r\nWARC-Date".encode() if field else b"WARC-Date")
    more = warc("more", kind="continuation", content=b"<p>more")
    found = read(packed(first) + packed(more) + packed(TWO))
    assert [record.verdict for record in found] == [None, "record_type", None]
    assert [record.truncated for record in found] == [bool(field), False, False]
    assert found[0].body == page("one")


@pytest.mark.parametrize("packed", [gz, bytes])
def test_a_body_that_is_cut_says_so(read: Callable[..., list[Record]], packed: Callable[[bytes], bytes]) -> None:
    """A missing checksum, a missing last chunk, a length that the body does not reach."""
    html = b"Content-Type: text/html\r\n"
    bodies = {
        "gzip": http(gzip.compress(page("x"))[:-8], html + b"Content-Encoding: gzip\r\n"),
        "chunks": http(b"5\r\n<html", html + b"Transfer-Encoding: chunked\r\n"),
        "length": http(b"<html", html + b"Content-Length: 6\r\n"),
        "whole": http(b"<html", html + b"Content-Length: 5\r\n"),
    }
    found = read(b"".join(packed(warc(name, content=content)) for name, content in bodies.items()))
    assert [record.truncated for record in found] == [True, True, True, False]
    assert [record.body for record in found] == [page("x"), b"<html", b"<html", b"<html"]


@pytest.mark.parametrize(
    ("kind", "url", "content_type", "is_page"),
    [
        ("resource", "http://a.example/", "text/html; charset=koi8-r", True),
        ("resource", "HTTPS://a.example/", "", True),
        ("resource", "ftp://a.example/x.html", "text/html", True),
        ("resource", "urn:pageinfo:http://a.example/", "text/html", False),
        ("resource", "metadata://gnu.org/software/wget/warc/wget.log", "text/plain", False),
        ("resource", "dns:a.example", "text/dns", False),
        ("conversion", "http://a.example/", "text/html", True),
        ("response", "ftp://a.example/x.html", "text/html", True),
        ("response", "http://a.example/", "text/html", False),
        ("metadata", "http://a.example/", "text/html", False),
    ],
)
def test_a_content_without_http_may_be_a_page(
    read: Callable[..., list[Record]], kind: str, url: str, content_type: str, is_page: bool
) -> None:
    """Resources and conversions of the Web, and responses of FTP, have a body and no header."""
    record = warc("x", kind=kind, content=b"<p>x").replace(b"http://a.example/x", url.encode())
    record = record.replace(b"application/http; msgtype=response", content_type.encode())
    for data in (gz(record), record):
        (found,) = read(data)
        assert found.verdict == (None if is_page else "record_type")
        if is_page:
            charset = "koi8-r" if "koi8-r" in content_type else None
            assert (found.body, found.status, found.record_type) == (b"<p>x", 0, kind)
            assert (found.content_type, found.charset) == (content_type.partition(";")[0], charset)


def test_a_resource_over_the_limit_is_too_large(read: Callable[..., list[Record]]) -> None:
    """As a response is."""
    record = warc("x", kind="resource", content=b"<p>x" * 10).replace(
        b"application/http; msgtype=response", b"text/html"
    )
    assert read(gz(record), max_bytes=39)[0].verdict == "too_large"
    assert read(gz(record), max_bytes=40)[0].verdict is None


def test_a_dns_response_is_no_page(read: Callable[..., list[Record]]) -> None:
    """Responses of other protocols than HTTP count as another type of record."""
    content = b"20080430204825\na.example. 3600 IN A 10.0.0.1\n"
    data = warc("one", content=content).replace(b"application/http; msgtype=response", b"text/dns")
    assert [record.verdict for record in read(data)] == ["record_type"]


def test_an_arc_describes_itself(read: Callable[..., list[Record]]) -> None:
    """The filedesc record of an ARC is its warcinfo."""
    found = read(ARC_HEAD + arc("one"))
    assert [(r.record_type, r.verdict) for r in found] == [("warcinfo", "record_type"), ("response", None)]


def test_a_response_without_status_line_is_bad_http(read: Callable[..., list[Record]]) -> None:
    """An HTTP response that begins with a field, or with the page."""
    data = warc("one", content=b"Content-Type: text/html\r\n\r\n<p>x") + warc("two", content=b"<p>x")
    assert [record.verdict for record in read(data)] == ["bad_http", "bad_http"]


@pytest.mark.parametrize("compress", [gz, bytes])
def test_a_content_over_the_limit_is_too_large(
    read: Callable[..., list[Record]], compress: Callable[[bytes], bytes]
) -> None:
    """A body over the limit still has status and type, and no other record is lost."""
    found = read(compress(warc("big", content=http(bytes(3_000_000)))) + compress(TWO), max_bytes=50_000)
    assert [(r.verdict, r.status, r.content_type) for r in found] == [
        ("too_large", 200, "text/html"),
        (None, 200, "text/html"),
    ]


@pytest.mark.parametrize("after", [gz(TWO), gz(TWO) + gz(b"\r\n"), gz(b"junk") + gz(TWO), gz(TWO)[:-3]])
def test_a_content_that_is_not_held_ends_with_its_member(
    read: Callable[..., list[Record]], monkeypatch: pytest.MonkeyPatch, after: bytes
) -> None:
    """With long records both readers alternate, and give what the tolerant reader alone gives."""
    big = gz(warc("big", content=http(bytes(3_000_000))))
    data = gz(ONE) + big + gz(ONE) + big + big + after
    found = read(data, max_bytes=50_000)
    assert names(found, "too_large") == ["big"] * 3
    monkeypatch.setattr(archives, "GZIP_MAGIC", b"none")
    assert found == read(data, max_bytes=50_000)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_warcio_writes_is_read(tmp_path: Path) -> None:
    """Archives of the reference library, with warcinfo, request and response."""
    path = tmp_path / "warcio.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record("x", {"software": "test"}))
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        for url in ("http://a.example/1", "http://a.example/2"):
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(b"<p>x"), http_headers=headers)
            )
    assert [(r.record_type, r.verdict) for r in accounted(path)] == [
        ("warcinfo", "record_type"), ("response", None), ("response", None),
    ]  # fmt: skip


def test_an_archive_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A folder and a missing file are errors of one line that name them."""
    for path in (tmp_path, tmp_path / "none.warc"):
        with pytest.raises(ArchiveError, match=f"cannot read archive {path}"):
            list(records(path))


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    """No byte, no record."""
    (tmp_path / "empty.warc").touch()
    assert accounted(tmp_path / "empty.warc") == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://Example.ORG:8080/x", "example.org"),
        ("https://user:p@ss@example.org?q=http://b.example/", "example.org"),
        ("http://[::1]:80/", "[::1]"),
        ("http://bücher.example./", "bücher.example"),
        ("http:\\\\a", ""),
        ("dns:example.org", ""),
        ("", ""),
        ("http://[broken", "[broken"),
    ],
)
def test_host_of_a_url(url: str, expected: str) -> None:
    """Lower case, without user, port and final dot; empty where there is none."""
    assert host(url) == expected


@pytest.mark.parametrize("packed", [lambda record: record, gz, zst], ids=["plain", "gzip", "zstd"])
def test_records_have_their_ids(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    """Without angle brackets, by both readers; records of ARC files have none."""
    unbracketed = warc("three").replace(b"<urn:x:three>", b" urn:x:three ")
    none = warc("four").replace(b"WARC-Record-ID: <urn:x:four>\r\n", b"")
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(map(packed, (ONE, unbracketed, none, TWO[:-40]))))
    assert [record.record_id for record in records(path)][:3] == ["urn:x:one", "urn:x:three", ""]
    path.write_bytes(ARC_HEAD + arc("one"))
    assert [record.record_id for record in records(path)] == ["", ""]
