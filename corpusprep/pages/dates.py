"""Reads dates as pages write them for machines, and gives them in one form."""

import re
from datetime import date, datetime, timedelta
from email.utils import parsedate_tz

_ISO = re.compile(
    r"(?P<day>\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{4}\.\d{1,2}\.\d{1,2}|\d{8})"
    r"(?:(?:[T ]|\s-\s)\s*(?P<time>\d{1,2}:\d{2}(?::\d{2})?|\d{6}(?!\d))(?:[.,]\d+)?\s*"
    r"(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?(?!\d)",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\b(?:\D{1,4}(\d{1,2}:\d{2}))?")
_NAMED = re.compile(
    r"(?:[A-Za-z]+,?\s+)?(?:(?P<month>[A-Za-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?|"
    r"(?P<day2>\d{1,2})(?:st|nd|rd|th)?\s+(?P<month2>[A-Za-z]{3,9})\.?),?\s+(?P<year>\d{4})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d{2})[/_-](0[1-9]|1[0-2]|[1-9])[/_-](0[1-9]|[12]\d|3[01]|[1-9])(?!\d)")
_JOINED_IN_ADDRESS = re.compile(r"(?<!\d)(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_SECONDS, _MILLISECONDS = re.compile(r"1\d{9}"), re.compile(r"1\d{12}")
#: No page of the Web is older; clocks and time zones differ by at most this many days.
FIRST_YEAR, TOLERANCE = 1990, 2
LONGEST = 80


def read_date(text: str) -> str:
    """Returns a date as YYYY-MM-DD, or with its time as YYYY-MM-DDThh:mm:ss and its zone; empty if it is none.

    Reads ISO 8601 with its usual departures, the form of e-mail and HTTP, seconds since 1970, and day and month in
    English or with full stops. Without a time of day, or if that cannot be, there is only the date.

    >>> read_date("2024-10-15 12:47:33+0200"), read_date("Tue, 15 Oct 2024 10:47:33 GMT"), read_date("soon")
    ('2024-10-15T12:47:33+02:00', '2024-10-15T10:47:33Z', '')
    """
    text = text.strip()[:LONGEST]
    if match := _ISO.match(text):
        digits = re.sub(r"\D", "-", match["day"])
        day = (
            _day(*map(int, digits.split("-")))
            if "-" in digits
            else _day(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        )
        return _with_time(day, match["time"], match["zone"])
    if match := _DAY_FIRST.search(text):
        return _with_time(_day(int(match[3]), int(match[2]), int(match[1])), match[4], None)
    if _SECONDS.fullmatch(text) or _MILLISECONDS.fullmatch(text):
        return (datetime(1970, 1, 1) + timedelta(seconds=int(text[:10]))).strftime("%Y-%m-%dT%H:%M:%SZ")
    return _mail(text) or _named(text)


def date_in_address(url: str) -> str:
    """Returns the date in the path of an address, as YYYY-MM-DD; empty if it has none.

    >>> date_in_address("https://news.example/2024/10/15/title.html"), date_in_address("https://news.example/1")
    ('2024-10-15', '')
    """
    path = url.partition("://")[2].partition("/")[2]
    if "20" not in path and "19" not in path:
        return ""
    match = _IN_ADDRESS.search(path) or _JOINED_IN_ADDRESS.search(path)
    return _day(int(match[1]), int(match[2]), int(match[3])) if match else ""


def plausible(candidate: str, crawled: str) -> bool:
    """Returns whether a page can have a date if it was fetched at the time `crawled` (ISO 8601; empty if not known)."""
    if not candidate or int(candidate[:4]) < FIRST_YEAR:
        return False
    try:
        latest = date.fromisoformat(crawled[:10]) + timedelta(days=TOLERANCE)
    except (ValueError, OverflowError):
        return True
    return candidate[:10] <= latest.isoformat()


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _with_time(day: str, time: str | None, zone: str | None) -> str:
    if not day or not time:
        return day
    if ":" not in time:
        time = f"{time[:2]}:{time[2:4]}:{time[4:]}"
    hour, minute, second = (*map(int, time.split(":")), 0)[:3]
    if hour > 23 or minute > 59 or second > 59:
        return day
    zone = (zone or "").upper()
    if zone in ("Z", "UTC", "GMT"):
        zone = "Z"
    elif zone:
        zone = f"{zone[:3]}:{zone[3:].lstrip(':') or '00'}"
    return f"{day}T{hour:02}:{minute:02}:{second:02}{zone}"


def _mail(text: str) -> str:
    """Returns a date in the form of e-mail and HTTP."""
    if ":" not in text:
        return ""
    try:
        parsed = parsedate_tz(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return ""
    if parsed is None or not any(month in text.lower() for month in _MONTHS):
        return ""
    zone = parsed[9]
    if zone is None:
        written = ""
    elif zone == 0:
        written = "Z"
    else:
        hours, minutes = divmod(abs(zone) // 60, 60)
        if hours > 23:
            return ""
        written = f"{'-' if zone < 0 else '+'}{hours:02}{minutes:02}"
    return _with_time(_day(*parsed[:3]), f"{parsed[3]:02}:{parsed[4]:02}:{parsed[5]:02}", written)


def _named(text: str) -> str:
    """Returns a date with an English name of its month."""
    match = _NAMED.match(text)
    if not match:
        return ""
    month = (match["month"] or match["month2"])[:3].lower()
    if month not in _MONTHS:
        return ""
    return _day(int(match["year"]), _MONTHS.index(month) + 1, int(match["day"] or match["day2"]))
