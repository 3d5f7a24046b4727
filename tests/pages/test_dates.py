"""Dates as pages write them."""

import doctest
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.pages import dates
from corpusprep.pages.dates import date_in_address, plausible, read_date


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024-10-15", "2024-10-15"),
        ("2024-10-15T12:47:33+02:00", "2024-10-15T12:47:33+02:00"),
        ("2024-10-15T12:47:33.123Z", "2024-10-15T12:47:33Z"),
        ("2024-10-15T12:47:33+0200", "2024-10-15T12:47:33+02:00"),
        ("2024-10-15 12:47", "2024-10-15T12:47:00"),
        ("2024-1-5", "2024-01-05"),
        ("2024/10/15 01:02:03", "2024-10-15T01:02:03"),
        ("20241015T124733Z", "2024-10-15T12:47:33Z"),
        ("20241015", "2024-10-15"),
        ("15.10.2024 - 12:47", "2024-10-15T12:47:00"),
        ("Tue, 15 Oct 2024 12:47:33 +0200", "2024-10-15T12:47:33+02:00"),
        ("October 15, 2024", "2024-10-15"),
        ("15th Oct. 2024", "2024-10-15"),
        ("1728982053", "2024-10-15T08:47:33Z"),
        ("1728982053000", "2024-10-15T08:47:33Z"),
        ("2024-10-15T25:00:00", "2024-10-15"),
        *(
            (none, "")
            for none in ("", "2024", "2024-13-01", "0000-00-00", "yesterday", "31.02.2024", "123456789012345")
        ),
    ],
)
def test_dates(written: str, read: str) -> None:
    """ISO 8601 and its departures, e-mail, seconds since 1970, English, with full stops; nothing for what is none."""
    assert read_date(written) == read


@given(st.one_of(st.text(max_size=90), st.text("0123456789-/.:TZ +Oct", max_size=90)))
def test_any_text_gives_a_date_or_nothing(text: str) -> None:
    """In one of the two forms; reading a date again gives it back."""
    found = read_date(text)
    assert re.fullmatch(r"(\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?)?)?", found, re.ASCII)
    assert read_date(found) == found
    date_in_address(f"http://a.example/{text}")


def test_dates_in_addresses() -> None:
    """Year, month and day in the path, with a mark between or joined; not in the host or in numbers."""
    assert date_in_address("https://a.example/2024/1/5/title") == "2024-01-05"
    assert date_in_address("https://a.example/news-2024-01-05.html") == "2024-01-05"
    assert date_in_address("https://a.example/20240105/x") == "2024-01-05"
    assert date_in_address("https://2024-01-05.example/x") == ""
    assert date_in_address("https://a.example/120240105") == ""


def test_dates_after_the_crawl_are_not_plausible() -> None:
    """Nor those before the Web; two days are left for clocks and zones."""
    assert plausible("2024-01-03", "2024-01-01T00:00:00Z")
    assert not plausible("2024-01-04", "2024-01-01T00:00:00Z")
    assert not plausible("1970-01-01", "")
    assert plausible("2024-01-04", "")


def test_examples_in_docstrings() -> None:
    """They are right."""
    assert doctest.testmod(dates).failed == 0
