"""HTTP messages: headers, chunks, content encodings, hostile ones included."""

import contextlib
import gzip
import zlib
from collections.abc import Callable, Iterator

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.archive import content_encodings, http
from corpusprep.archive.content_encodings import BodyError, decode
from corpusprep.tables.verdicts import RECORD_REASONS

PAGE = b"<html><p>" + b"Some text of a page. " * 200 + b"</p></html>"


def raw_deflate(data: bytes) -> bytes:
    """The deflate stream without zlib's header."""
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


def zstd(data: bytes) -> bytes:
    """One Zstandard frame."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("x-gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "brotli": ("br", brotli.compress),
    "zstandard": ("zstd", zstd),
}


def read(block: bytes, max_bytes: int = 1_000_000) -> tuple[bytes, bool]:
    """The decoded body of a response, and whether it is truncated."""
    message = http.parse(block)
    assert message is not None
    return http.body(block, message, max_bytes)


def body_of(block: bytes, max_bytes: int = 1_000_000) -> bytes:
    """The decoded body of a response, which is whole."""
    body, truncated = read(block, max_bytes)
    assert not truncated
    return body


def verdict_of(block: bytes, max_bytes: int = 1_000_000) -> str:
    """Why a response has no body."""
    with pytest.raises(BodyError) as caught:
        body_of(block, max_bytes)
    assert caught.value.verdict in RECORD_REASONS
    return caught.value.verdict


def response(fields: str, body: bytes) -> bytes:
    """A response with these header fields, separated by bars in the argument."""
    lines = "".join(f"{field.strip()}\r\n" for field in fields.split("|"))
    return f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode() + body


@pytest.mark.parametrize(
    ("header", "status", "content_type", "charset"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", 200, "text/html", "utf-8"),
        (b"HTTP/1.0 404 Not Found\nContent-Type: TEXT/HTML\n\n", 404, "text/html", None),
        (b"HTTP/2 200\r\ncontent-type: text/html\r\n\r\n", 200, "text/html", None),
        (b"HTTP/1.1 301\r\n\r\n", 301, "", None),
        (b"\r\nHTTP/1.1 200 OK\r\n\r\n", 200, "", None),
        (b"HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html;\r\n\tcharset='x'\r\n\r\n", 200, "text/html", "x"),
        (b"HTTP/1.1 200 OK\nno colon here\ncontent-TYPE : a/b\n\n", 200, "a/b", None),
        (b"HTTP/1.1 200 OK\r\r\nContent-Type: a/b\r\r\n\r\r\n", 200, "a/b", None),
        (b"HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Type: c/d; charset=\"E\"\n\n", 200, "c/d", "E"),
        (b"HTTP/1.1 200 OK\nContent-Type: text/html Last-Modified: x\n", 200, "text/html", None),
        (b"HTTP/1.1 200 OK\nX-Content-Type: a/b\n\n", 200, "", None),
    ],
)  # fmt: skip
def test_headers_are_read_leniently(header: bytes, status: int, content_type: str, charset: str | None) -> None:
    """Bare line feeds, missing reasons, folded, malformed and repeated fields."""
    message = http.parse(header + b"<p>body")
    assert message is not None
    assert (message.status, message.content_type, message.charset) == (status, content_type, charset)


@pytest.mark.parametrize("block", [b"", b"<html>", b"Content-Type: text/html\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n"])
def test_without_status_line_there_is_no_message(block: bytes) -> None:
    """A content that does not begin with a status line is not an HTTP response."""
    assert http.parse(block) is None


def test_a_header_without_blank_line_ends_at_markup() -> None:
    """Some old servers omit the blank line: the page is not taken for header lines."""
    block = b"HTTP/1.0 200 Document follows\r\nContent-type: text/html\r\n<HTML>\r\n\r\n<p>Hello\r\n"
    assert body_of(block) == b"<HTML>\r\n\r\n<p>Hello\r\n"


def test_a_header_alone_has_an_empty_body() -> None:
    """A response cut off in its header."""
    assert body_of(b"HTTP/1.1 204 No Content\r\nServer: x") == b""


@pytest.mark.parametrize(
    "chunked",
    [
        b"5\r\n<html\r\n6\r\n>text.\r\n0\r\n\r\n",
        b"5;name=value\r\n<html\r\n006 \r\n>text.\r\n0\r\nTrailer: x\r\n\r\n",
        b"5\n<html\n6\n>text.\n0\n\n",
    ],
)
def test_chunks_are_joined(chunked: bytes) -> None:
    """Chunk extensions, trailers, padded sizes and bare line feeds."""
    assert body_of(response("Transfer-Encoding: chunked", chunked)) == b"<html>text."


@pytest.mark.parametrize(
    ("broken_off", "left"),
    [
        (b"5\r\n<html\r\n6\r\n>te", b"<html>te"),
        (b"5\r\n<html\r\n", b"<html"),
        (b"5\r\n<html\r\nxyz\r\n", b"<html"),
        (b"5\r\n<html>text\r\n0\r\n\r\n", b"<html"),
        (b"ffffffffffffffff\r\n<html>", b"<html>"),
        (b"b\r\n<html>text.\r\n0", b"<html>text."),
    ],
)
def test_chunks_that_break_off_are_kept_as_far_as_they_go(broken_off: bytes, left: bytes) -> None:
    """A short chunk, a wrong or missing size, and a missing last chunk: browsers show what came."""
    assert read(response("Transfer-Encoding: chunked", broken_off)) == (left, True)


def test_chunks_without_a_byte_are_bad_transfer() -> None:
    """Nothing is left of the body."""
    assert verdict_of(response("Transfer-Encoding: chunked", b"5\r\n")) == "bad_transfer"


@pytest.mark.parametrize(("length", "truncated"), [("11", True), ("10", False), ("9", False), ("x", False)])
def test_a_body_shorter_than_its_length_is_truncated(length: str, truncated: bool) -> None:
    """Decoded bodies with the length of the compressed ones are longer."""
    assert read(response(f"Content-Length: {length}", b"<p>a page.")) == (b"<p>a page.", truncated)


@pytest.mark.parametrize("body", [PAGE, b"\r\n<html>", b"", gzip.compress(PAGE, mtime=0)])
def test_a_body_stored_without_its_chunks_is_taken_as_it_is(body: bytes) -> None:
    """Crawlers that join the chunks but keep the header."""
    assert body_of(response("Transfer-Encoding: chunked", body)) == body


@pytest.mark.parametrize("name", ENCODERS)
def test_content_encodings_are_undone(name: str) -> None:
    """Every known encoding is decoded, also with chunks."""
    coding, encoder = ENCODERS[name]
    encoded = encoder(PAGE)
    assert body_of(response(f"Content-Encoding: {coding.upper()}", encoded)) == PAGE
    chunked = f"{len(encoded):x}\r\n".encode() + encoded + b"\r\n0\r\n\r\n"
    assert body_of(response(f"Content-Encoding: {coding}|Transfer-Encoding: chunked", chunked)) == PAGE


def test_several_encodings_are_undone_in_reverse_order() -> None:
    """Encodings may be in one field or several; names that mean no compression change nothing."""
    encoded = zstd(gzip.compress(brotli.compress(PAGE), mtime=0))
    assert body_of(response("Content-Encoding: identity, br, gzip|Content-Encoding: zstd", encoded)) == PAGE
    assert body_of(response("Content-Encoding: utf-8", PAGE)) == PAGE
    assert body_of(response("Transfer-Encoding: gzip", gzip.compress(PAGE, mtime=0))) == PAGE


def test_members_and_frames_are_joined_and_what_follows_is_ignored() -> None:
    """Several gzip members or Zstandard frames are one body; bytes after them are ignored."""
    assert decode(gzip.compress(b"one ", mtime=0) + gzip.compress(b"two") + b"\0\0", ["gzip"], 100)[0] == b"one two"
    assert decode(zstd(b"one ") + zstd(b"two") + b"junk", ["zstd"], 100)[0] == b"one two"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
@pytest.mark.parametrize("body", [PAGE, b"<p>x", "Příliš žluťoučký kůň.".encode("cp1250") * 9, b""])
def test_a_body_stored_decoded_is_taken_as_it_is(coding: str, body: bytes) -> None:
    """Crawlers that decode the body but keep the header."""
    assert body_of(response(f"Content-Encoding: {coding}", body)) == body


@pytest.mark.parametrize("name", ENCODERS)
def test_compressed_bodies_are_kept_as_far_as_they_go(name: str) -> None:
    """A body whose checksum is cut off, and one cut in its middle, if blocks decode one by one."""
    coding, encoder = ENCODERS[name]
    text = b"".join(f"<p>{number} {number**5}".encode() for number in range(30_000))
    encoded = encoder(text)
    fields = f"Content-Encoding: {coding}"
    if name not in {"brotli", "zstandard"}:
        assert read(response(fields, encoded[:-1])) == (text, True)
    half, truncated = read(response(fields, encoded[: len(encoded) // 2]))
    assert truncated
    assert len(half) > 1000
    assert text.startswith(half)


@pytest.mark.parametrize("name", ENCODERS)
def test_corrupt_bodies_are_bad_compression(name: str) -> None:
    """A body without a byte of data, and one with a flipped byte where a checksum or the format shows it."""
    coding, encoder = ENCODERS[name]
    encoded = encoder(PAGE)
    fields = f"Content-Encoding: {coding}"
    assert verdict_of(response(fields, encoded[:2])) == "bad_compression"
    if name not in {"raw deflate", "brotli"}:
        corrupt = encoded[:-2] + bytes([encoded[-2] ^ 1]) + encoded[-1:]
        assert verdict_of(response(fields, corrupt)) == "bad_compression"


@pytest.mark.parametrize("coding", ["compress", "sdch", "foo", "foo, zstd"])
def test_unknown_encodings_are_named(coding: str) -> None:
    """An unknown content encoding has its own verdict."""
    assert verdict_of(response(f"Content-Encoding: {coding}", gzip.compress(PAGE, mtime=0))) == "unknown_compression"


@pytest.mark.parametrize("coding", ["text/html", "aws-chunked", "foo", "foo, gzip", "gzip, foo"])
def test_an_unknown_encoding_of_a_text_is_none(coding: str) -> None:
    """Servers send names here that are no compression."""
    body = gzip.compress(PAGE, mtime=0) if "gzip" in coding else PAGE
    assert body_of(response(f"Content-Encoding: {coding}", body)) == PAGE


@pytest.mark.parametrize(
    "before",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * 3,
        b"HTTP/1.0 200 Connection established\r\n\r\n",
    ],
)
def test_the_last_header_is_that_of_the_page(before: bytes) -> None:
    """Interim responses, and that of a proxy, may stand before the response."""
    block = before + b"HTTP/1.1 203 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
    message = http.parse(block)
    assert message is not None
    assert (message.status, message.content_type, body_of(block)) == (203, "text/html", PAGE)


@pytest.mark.parametrize("value", ["=", "='", '="', ""])
def test_a_field_of_very_many_spaces_is_read_in_linear_time(value: str) -> None:
    """A server writes what it likes into its header."""
    message = http.parse(response(f"Content-Type: text/html; charset{value}{' ' * 300_000};x", PAGE))
    assert message is not None
    assert (message.content_type, message.charset) == ("text/html", None)


def test_a_header_without_end_is_no_page() -> None:
    """The fields after the first megabyte are not taken for text."""
    head = b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * (http.HEADER_LIMIT // 6)
    assert http.parse(head + b"Content-Type: text/html\r\n\r\n" + PAGE) is None


def chunked(body: bytes, size: int = 1000) -> bytes:
    """A body in chunks."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""])


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("X: y", chunked(PAGE)),
        ("Transfer-Encoding: chunked, chunked", chunked(PAGE)),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", chunked(chunked(PAGE))),
        ("Transfer-Encoding: Chunked ; q=1", chunked(PAGE)),
        ("Transfer-Encoding: chunked", b"\r\n" + chunked(PAGE)),
        ("Content-Encoding: gzip", chunked(gzip.compress(PAGE, mtime=0))),
        ("X: y", PAGE),
    ],
)
def test_chunks_that_are_declared_wrongly_are_joined(fields: str, body: bytes) -> None:
    """Not declared, declared twice, with a parameter, after a blank line."""
    assert body_of(response(fields, body)) == PAGE


def test_a_text_that_begins_like_a_chunk_is_taken_as_it_is() -> None:
    """Without a declaration, chunks count only if they are whole."""
    assert body_of(response("X: y", b"5\r\n<html> and more")) == b"5\r\n<html> and more"


@pytest.mark.parametrize("line", [b"0\n", b"0\r\n", b"00 \n", b"0;x\n"])
def test_a_text_that_begins_with_zero_is_taken_as_it_is(line: bytes) -> None:
    """A zero is the last chunk only if chunks are declared, or if nothing is behind it."""
    assert body_of(response("X: y", line + PAGE)) == line + PAGE
    assert body_of(response("X: y", line + b"\r\n")) == b""
    assert body_of(response("Transfer-Encoding: chunked", line + PAGE)) == b""


@pytest.mark.parametrize("name", ENCODERS)
def test_a_body_that_grows_over_the_limit_is_too_large(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """100 MB of zeros in some kilobytes: decoding stops at the limit of 1 MB."""
    coding, encoder = ENCODERS[name]
    bomb = encoder(bytes(100_000_000)) if name != "brotli" else brotli.compress(bytes(100_000_000), quality=3)
    decoded = 0
    gathered = content_encodings._gathered

    def counting(pieces: Iterator[bytes], max_bytes: int) -> bytes:
        def counted() -> Iterator[bytes]:
            nonlocal decoded
            for piece in pieces:
                decoded += len(piece)
                yield piece

        return gathered(counted(), max_bytes)

    monkeypatch.setattr(content_encodings, "_gathered", counting)
    assert verdict_of(response(f"Content-Encoding: {coding}", bomb)) == "too_large"
    assert 1_000_000 < decoded < 3_000_000


def test_the_limit_holds_for_plain_bodies() -> None:
    """A body of exactly the limit is returned; with one byte more it is too large."""
    assert body_of(response("Server: x", b"12345"), max_bytes=5) == b"12345"
    assert verdict_of(response("Server: x", b"123456"), max_bytes=5) == "too_large"
    assert body_of(response("Content-Encoding: gzip", gzip.compress(PAGE, mtime=0)), max_bytes=len(PAGE)) == PAGE
    assert verdict_of(response("Content-Encoding: gzip", gzip.compress(PAGE, mtime=0)), len(PAGE) - 1) == "too_large"


def test_a_body_of_countless_codings_ends() -> None:
    """Each takes time; a text that was stored decoded is read whatever is declared."""
    body = b"x" * 100_000
    for _ in range(6):
        body = gzip.compress(body, 0)
    with pytest.raises(BodyError, match="bad_compression"):
        decode(body, ["gzip"] * 6, 1 << 20)
    assert decode(gzip.decompress(body), ["gzip"] * 5, 1 << 20)[0] == b"x" * 100_000
    text = b"<p>" + b"text " * 1_000_000
    assert decode(text, ["gzip", "br"] * 1_000, 1 << 23)[0] == text


def test_a_body_of_countless_members_ends() -> None:
    """A million empty gzip members are refused, not counted."""
    assert verdict_of(response("Content-Encoding: gzip", gzip.compress(b"", mtime=0) * 40_000)) == "bad_compression"


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "identity", "gzip, br"]),
    st.booleans(),
    st.binary(max_size=300) | st.sampled_from([gzip.compress(PAGE, mtime=0), brotli.compress(PAGE), zstd(PAGE)]),
    st.binary(max_size=20),
    st.integers(0, 300),
)
def test_any_body_is_given_or_gets_a_verdict(
    codings: str, chunked: bool, body: bytes, insert: bytes, place: int
) -> None:
    """No bytes raise anything but a named verdict."""
    fields = f"Content-Encoding: {codings}" + ("|Transfer-Encoding: chunked" if chunked else "")
    with contextlib.suppress(BodyError):
        read(response(fields, body[:place] + insert + body[place:]))


@given(st.binary(max_size=400))
def test_any_block_is_parsed_or_is_none(data: bytes) -> None:
    """No header raises, and the body begins within the content."""
    message = http.parse(b"HTTP/1.1 200 OK" + data)
    assert message is None or 15 <= message.body_start <= 15 + len(data)
