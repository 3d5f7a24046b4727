"""Heads of records and of HTTP messages: the native reader, compared with the slower ones."""

from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native import record_heads as native
from corpusprep.archive import http
from corpusprep.archive.heads import clean_record_id, clean_url, iso_date, read_head

LIMIT = 1 << 20
pieces = st.text("abW:-<>/ ./\r\n\t\x00é", max_size=12).map(str.encode)
names = st.sampled_from(
    [
        b"WARC-Type",
        b"warc-type",
        b"WARC-Target-URI",
        b"WARC-Date",
        b"WARC-Record-ID",
        b"Content-Type",
        b"Content-Length",
        b"WARC-Truncated",
        b"WARC-Segment-Number",
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
    """If the kernel reads a head, the result is the same as that of the slower reader."""
    record = version + b"".join(lines) + length + blank + content
    found = native.warc_head(record)
    if found is None:
        return
    kind, url, date, is_plain, content_type, content_length, size, record_id = found
    head = read_head(record, 0)
    assert head is not None
    assert (kind.lower(), clean_url(url), url, iso_date(date)) == (head.record_type, head.url, head.url, head.date)
    assert (content_type.lower(), content_length, size) == (head.content_type, head.length, head.size)
    assert not is_plain or date == head.date
    assert clean_record_id(record_id) == head.record_id
    assert not head.truncated


http_names = st.sampled_from([b"Content-Type", b"content-type ", b"Content-Length", b"Content-Encoding", b"X", b""])
http_values = st.sampled_from([b"text/html; charset=utf-8", b"", b"gzip", b"a\rb", b"<", b" x ", b"3", b"9"]) | pieces
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
    """If the kernel reads an HTTP header, the result is the same as that of http.parse, also with an unchanged body."""
    block = status + end + b"".join(lines) + blank + content
    found = native.http_head(block, 0, len(block))
    if found is None:
        return
    message = http.parse(block)
    assert message is not None
    assert (found[0], *http.declared(found[1]), found[2]) == (
        message.status, message.content_type, message.charset, message.body_start,
    )  # fmt: skip
    assert http.body(block, message, LIMIT) == (block[found[2] :], False)


def test_heads_as_crawlers_write_them_are_taken() -> None:
    """The usual head is not one for the slower reader."""
    record = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-02-28T00:00:00Z\r\nContent-Length: 7\r\n\r\n"
    assert native.warc_head(record + b"content") == (
        "response", "", "2020-02-28T00:00:00Z", True, "", 7, len(record), "",
    )  # fmt: skip
    message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: \xff\r\n\r\n"
    assert native.http_head(b"x" + message + b"<p>", 1, 1000) == (200, "text/html", len(message))
