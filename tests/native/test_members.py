"""Members of gzip files and heads of records, natively, beside zlib and the slower readers."""

import gzip
import os
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep import http
from corpusprep._native import members as native
from corpusprep.record_heads import clean_url, iso_date, read_head

LIMIT = 1 << 20
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)

data = st.one_of(
    st.binary(max_size=2000),
    st.builds(bytes.__mul__, st.binary(min_size=1, max_size=40), st.integers(1, 20_000)),
    st.builds(
        lambda seed, size, letters: bytes(random.Random(seed).choices(letters, k=size)),
        st.integers(0, 1000),
        st.integers(0, 300_000),
        st.lists(st.integers(0, 255), min_size=1, max_size=256),
    ),
    st.builds(  # matches at every distance, codes of every length
        lambda seed, size: b" ".join(b"%d" % int(random.Random(seed).expovariate(1) * 2**k) for k in range(size % 400)),
        st.integers(0, 1000),
        st.integers(0, 399),
    ),
)


def member(plain: bytes, level: int, strategy: int, flush: bool) -> bytes:
    """One gzip member; with `flush`, in two halves that end at a byte."""
    coder = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    half = len(plain) // 2 if flush else 0
    first = coder.compress(plain[:half]) + (coder.flush(zlib.Z_FULL_FLUSH) if flush else b"")
    return first + coder.compress(plain[half:]) + coder.flush()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to write over."""
    return tmp_path_factory.mktemp("members") / "members.gz"


def decoded(file: Path, stored: bytes, start: int = 0, limit: int = LIMIT) -> tuple[list[bytes], int]:
    """The members that are whole, and what ended them: WHOLE at the end of the file."""
    file.write_bytes(stored)
    with file.open("rb") as stream:
        members = native.GzipMembers(stream.fileno(), start, len(stored), limit)
        found = []
        while members.end < len(stored):
            before = members.end
            if (said := members.next()) != native.WHOLE:
                return found, said
            assert members.offset == before < members.end
            found.append(members.data(0, LIMIT))
            assert len(members) == len(found[-1])
    return found, native.WHOLE


@given(st.lists(st.tuples(data, st.integers(0, 9), st.sampled_from(STRATEGIES), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_members_are_what_zlib_makes_of_them(file: Path, parts: list[tuple[bytes, int, int, bool]]) -> None:
    """Stored, fixed and dynamic blocks, of any data, one member after another."""
    plain = [part[0] for part in parts]
    assert decoded(file, b"".join(member(*part) for part in parts)) == (plain, native.WHOLE)


def test_members_longer_than_the_buffers(file: Path) -> None:
    """Input and output are held in pieces, and a member may end anywhere in them."""
    random_bytes = random.Random(0).randbytes(700_000)
    for step in (1, 63, 4096):
        plain = [random_bytes[: 262_144 - step], random_bytes[step:900_000], b"", b"text " * 150_000, random_bytes]
        assert decoded(file, b"".join(gzip.compress(part) for part in plain)) == (plain, native.WHOLE)


@given(data, st.integers(0, 9), st.sampled_from(STRATEGIES), st.integers(0, 10**6), st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_damage_never_passes(file: Path, plain: bytes, level: int, strategy: int, place: int, change: int) -> None:
    """A byte changed, or the end cut off: not whole; or whole, with the same data, where zlib thinks so too."""
    stored = member(plain, level, strategy, False)
    place %= len(stored)
    assert decoded(file, stored[:place])[0] == []
    changed = stored[:place] + bytes([stored[place] ^ change]) + stored[place + 1 :]
    found, said = decoded(file, changed)
    if said == native.WHOLE:
        assert found == [plain]
        assert zlib.decompress(changed, 31) == plain


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_deflated_bytes_are_what_zlib_says(file: Path, garbage: bytes) -> None:
    """Random bytes under a gzip header are unsound, whatever they decode to."""
    assert decoded(file, b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + garbage + bytes(8))[0] == []


def test_a_header_may_have_fields(file: Path) -> None:
    """Extra bytes, a name, a comment; one that has no end, or a checksum of its own, is for the other reader."""
    stored = gzip.compress(b"text", mtime=0)
    for flags, fields, expected in (
        (4, b"\x03\0abc", [b"text"]),
        (8, b"name\0", [b"text"]),
        (4 | 8 | 16, b"\0\0" + b"n" * 300 + b"\0comment\0", [b"text"]),
        (8, b"name", []),
        (4, b"\xff\xff", []),
        (2, b"\0\0", []),
        (32, b"", []),
    ):
        header = stored[:3] + bytes([flags]) + stored[4:10]
        body = stored[10:].replace(b"\0", b"\1") if expected == [] else stored[10:]
        assert decoded(file, header + fields + body)[0] == expected


def test_members_start_anywhere_and_end_at_the_limit(file: Path) -> None:
    """From the offset of a member on; one that decodes to more than the limit is not given."""
    one, two = gzip.compress(b"one" * 30_000), gzip.compress(bytes(500_001))
    assert decoded(file, b"junk" + one + two, 4, 500_001) == ([b"one" * 30_000, bytes(500_001)], native.WHOLE)
    assert decoded(file, b"junk" + one + two, 4, 500_000) == ([b"one" * 30_000], native.TOO_LONG)


@given(st.binary(max_size=700) | st.integers(0, 100_000).map(os.urandom))
def test_checksums_are_those_of_zlib(plain: bytes) -> None:
    """Of any length, by table and by carry-less multiplication."""
    assert native.crc32(plain) == zlib.crc32(plain)


pieces = st.text("abW:-<>/ ./\r\n\t\x00é", max_size=12).map(str.encode)
names = st.sampled_from(
    [
        b"WARC-Type",
        b"warc-type",
        b"WARC-Target-URI",
        b"WARC-Date",
        b"Content-Type",
        b"Content-Length",
        b"X-Y",
        b"A B",
        b"",
    ]
)
values = st.one_of(
    pieces,
    st.sampled_from([b"response", b"12", b"007", b"1x", b"http://a.example/?x", b"<http://a.example/>", b"WARC/1.0"]),
    st.from_regex(rb"20[0-2][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]Z", fullmatch=True),
)
ends = st.sampled_from([b"\r\n"] * 20 + [b"\n", b"\r\r\n", b"\r\n "])
fields = st.builds(lambda *parts: b"".join(parts), names, st.sampled_from([b": ", b":", b" :"]), values, ends)


@given(
    st.sampled_from([b"WARC/1.0\r\n", b"WARC/1.1\r\n", b"WARC/0.18\r\n", b"warc/1.0\r\n", b"WARC/1.0\n"]),
    st.lists(fields, max_size=8),
    st.sampled_from([b"Content-Length: 3\r\n", b""]),
    st.sampled_from([b"\r\n", b"\n", b""]),
    pieces,
)
@settings(max_examples=500)
def test_heads_of_records_are_those_of_the_slower_reader(
    version: bytes, lines: list[bytes], length: bytes, blank: bytes, content: bytes
) -> None:
    """Where the kernel says what a head is, the reader of all heads says the same."""
    record = version + b"".join(lines) + length + blank + content
    found = native.warc_head(record)
    if found is None:
        return
    kind, url, date, is_plain, content_type, content_length, size = found
    head = read_head(record, 0)
    assert head is not None
    assert (kind.lower(), clean_url(url), url, iso_date(date)) == (head.record_type, head.url, head.url, head.date)
    assert (content_type.lower(), content_length, size) == (head.content_type, head.length, head.size)
    assert not is_plain or date == head.date


http_names = st.sampled_from([b"Content-Type", b"content-type ", b"Content-Length", b"Content-Encoding", b"X", b""])
http_values = st.sampled_from([b"text/html; charset=utf-8", b"", b"gzip", b"a\rb", b"<", b" x "]) | pieces
http_fields = st.builds(
    lambda *parts: b"".join(parts), http_names, st.sampled_from([b": ", b":", b""]), http_values, ends
)


@given(
    st.sampled_from([b"HTTP/1.1 200 OK", b"HTTP/1.0 404", b"HTTP/1.1  200", b"HTTP/1.1 2000", b"HTTP 200", b"x"]),
    ends,
    st.lists(http_fields, max_size=6),
    st.sampled_from([b"\r\n", b"\n", b"\r\r\n", b"<html>", b""]),
    pieces,
)
@settings(max_examples=500)
def test_heads_of_messages_are_those_of_the_slower_reader(
    status: bytes, end: bytes, lines: list[bytes], blank: bytes, content: bytes
) -> None:
    """Where the kernel says what an HTTP header is, http.parse says the same, and the body stands as it is."""
    block = status + end + b"".join(lines) + blank + content
    found = native.http_head(block)
    if found is None:
        return
    message = http.parse(block)
    assert message is not None
    assert (found[0], *http.declared(found[1]), found[2]) == (
        message.status, message.content_type, message.charset, message.body_start,
    )  # fmt: skip
    assert http.body(block, message, LIMIT) == block[found[2] :]


def test_heads_as_crawlers_write_them_are_taken() -> None:
    """The usual head is not one for the slower reader."""
    record = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-02-28T00:00:00Z\r\nContent-Length: 7\r\n\r\n"
    assert native.warc_head(record + b"content") == ("response", "", "2020-02-28T00:00:00Z", True, "", 7, len(record))
    message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: \xff\r\n\r\n"
    assert native.http_head(message + b"<p>") == (200, "text/html", len(message))
