"""Heads of records: dates, URLs, ARC lines, finding the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.archive.heads import clean_record_id, clean_url, find_start, iso_date, read_head, starts_record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2008-01-05T00:00:00Z", "2008-01-05T00:00:00Z"),
        ("2008-01-05T23:30:00+02:00", "2008-01-05T21:30:00Z"),
        ("2008-01-05T23:30:00-0700", "2008-01-06T06:30:00Z"),
        ("2008-01-05T01:02:03.987654Z", "2008-01-05T01:02:03Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("2016-01-11T23:24Z", "2016-01-11T23:24:00Z"),
        ("2016-01", "2016-01-01T00:00:00Z"),
        ("2016", "2016-01-01T00:00:00Z"),
        ("20080430204825", "2008-04-30T20:48:25Z"),
        ("200804302048", "2008-04-30T20:48:00Z"),
        ("20080430", "2008-04-30T00:00:00Z"),
        ("20080430204825123", "2008-04-30T20:48:25Z"),
        ("2009-03-65T08:43:19-0800", "2009-03-06T16:43:19Z"),
        ("2008-10-294T05:21:46-0700", "2008-10-20T12:21:46Z"),
        ("2009-03-99T08:43:19Z", ""),
        ("2008-13-01T00:00:00Z", ""),
        ("20081301000000", ""),
        ("0001-01-01T00:00:00+05:00", ""),
        ("yesterday", ""),
        ("-", ""),
        ("", ""),
    ],
)
def test_dates_become_iso_utc_seconds(text: str, expected: str) -> None:
    """Dates of WARC (also shortened or with offsets), ARC and ClueWeb09 (day of the year); others give nothing."""
    assert iso_date(text) == expected


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{1,20}|[0-9]{4}-[0-9]{2}-[0-9]{2,3}T[0-9:+Z-]{0,12}"))
def test_any_text_is_a_date_or_none(text: str) -> None:
    """No text raises."""
    assert len(iso_date(text)) in {0, 20}


def test_urls_are_stripped_of_brackets_and_control_characters() -> None:
    """Wget writes <…>; hostile URLs contain tabs and line breaks."""
    assert clean_url(b" <http://a.example/\x00x\r\n> ") == "http://a.example/x"
    assert clean_url("http://a.example/<x>") == "http://a.example/<x>"


def test_folded_fields_are_joined() -> None:
    """Line by line, in linear time; empty lines of a field add nothing."""
    head = read_head(b"WARC/1.0\r\nWARC-Target-URI:\r\n http://a.example/\r\n \r\n\tx\r\nContent-Length: 5\r\n\r\n", 0)
    assert head is not None
    assert (head.url, head.length) == ("http://a.example/ x", 5)


def test_lone_surrogates_are_left_out() -> None:
    """JSON can write them; they are no characters."""
    assert clean_url("http://a.example/\ud800x") == "http://a.example/x"
    assert clean_record_id("<urn:\udfffx>") == "urn:x"


@pytest.mark.parametrize(
    ("line", "url", "year"),
    [
        (b"http://a.example/ 10.0.0.1 20080430204825 text/html 5\n", "http://a.example/", "2008"),
        (b"http://a.example/x y 10.0.0.1 20080430204825 text/html 5\r\n", "http://a.example/x y", "2008"),
        (b"http://a/ 10.0.0.1 20080430204825 text/html; charset=x 5\n", "http://a/", "2008"),
        (b"http://a/ 10.0.0.1 20080430204825 text/html 200 sum - 7 f.arc 5\n", "http://a/", "2008"),
        (b"filedesc:// - - - 5\n", "filedesc://", ""),
        (b"dns:a.example 1::2 20080430204825 text/dns 5\n", "dns:a.example", "2008"),
    ],
)  # fmt: skip
def test_arc_lines(line: bytes, url: str, year: str) -> None:
    """Both versions; spaces in URLs and content types."""
    head = read_head(line + b"12345", 0)
    assert head is not None
    assert (head.url, head.date[:4], head.length, head.size, head.is_arc) == (url, year, 5, len(line), True)


@pytest.mark.parametrize(
    "line",
    [
        b"http://a/ 10.0.0.1 20080430204825 text/html x\n",
        b"http://a/ 10.0.0.1 20080430204825 text/html -1\n",
        b"http://a/ 10.0.0.1 20080430204825 text/html 5",
        b"a sentence that ends with five numbers 1 2 3 4 5\n",
        b"note: 5\n",
    ],
)
def test_other_lines_start_no_record(line: bytes) -> None:
    """Lines without a length, without an end, and of running text."""
    assert not starts_record(line)


def test_warc_fields_may_be_folded_and_in_any_case() -> None:
    """Continued lines (ISO 28500, 4), names in other case, unknown fields, bare line feeds."""
    data = b"WARC/0.17\nwarc-TYPE:\n\tResponse\nX: y\nno field\nCONTENT-LENGTH:\n 12\nWARC-Date: 2008\n\nHTTP"
    head = read_head(data, 0)
    assert head is not None
    assert (head.record_type, head.length, head.size) == ("response", 12, len(data) - 4)


def test_a_header_that_runs_into_the_next_is_none() -> None:
    """The end of a header without a blank line is not searched after the beginning of the next record."""
    record = b"WARC/1.0\r\nContent-Length: 5\r\n"
    assert read_head(record + record + b"\r\n12345", 0) is None
    assert find_start(record + record, 1, 2 * len(record), None) == len(record)


def test_a_url_that_ends_like_a_version_line_is_no_head() -> None:
    """A header may name a file called WARC/1.0."""
    data = b"WARC/1.0\r\nWARC-Target-URI: http://a.example/WARC/1.0\r\nContent-Length: 5\r\n\r\n12345"
    head = read_head(data, 0)
    assert head is not None
    assert head.length == 5
