"""Reads a single HTML file as an archive of one page; a rule makes its address from its path."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from html import unescape
from pathlib import Path
from typing import Self
from urllib.parse import quote

from corpusprep.archive.heads import clean_url, iso_date
from corpusprep.archive.records import Record
from corpusprep.archive.stored_streams import StoredFile, open_stream
from corpusprep.errors import ConfigError

#: The type of records that hold a file (ISO 28500, 6.4).
RECORD_TYPE = "resource"
MEDIA_TYPE = "text/html"
#: Ends of the names of pages, in lower case.
HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml")
#: A comment ends at its first end. Trying the others, too, takes exponential time with the number of comments.
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?><!--.{0,4096}?-->\s*)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|base|link)\b",
    re.IGNORECASE | re.DOTALL,
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: How programs write where they have saved a page from: browsers, SingleFile, HTTrack, ScrapBook.
_SAVED = (
    re.compile(r"<!-- ?saved from url=\(\d{4}\)(?P<url>https?://[^\s<>]+) ?-->"),
    re.compile(r"<!--\s+Page saved with SingleFile\s+url: (?P<url>\S+)\s+saved date: (?P<date>[^\n]+)"),
    re.compile(r"<!-- Mirrored from (?P<url>\S+) by HTTrack [^,\n]*, (?P<date>[^\n]{10,40}?) -->"),
    re.compile(
        r'<html\b[^>]{0,999}?\sdata-scrapbook-source="(?P<url>https?://[^"\s]+)"'
        r'(?:[^>]{0,999}?\sdata-scrapbook-create="(?P<date>\d{14}))?'
    ),
)
_OF_SCRIPT = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{4}) (\d{2}:\d{2}:\d{2})(?: GMT([+-]\d{4}))?")
_START_BYTES = 4096
#: Characters that stay as they are in an address; what is `%` in a name may be an escape already.
_SAFE = "/:?#[]@!$&'()*+,;=%~-._"


def starts_page(data: bytes) -> bool:
    """Returns whether a file that begins with these bytes is an HTML page."""
    if data.startswith(_UTF16):
        data = data[2:].replace(b"\0", b"")
    return _START.match(data) is not None


def pages_in(folder: Path) -> list[Path]:
    """Returns the files in a folder, and in those in it, that are pages by their names; hidden ones are left out."""
    pages = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        pages += [
            Path(parent, name)
            for name in sorted(names)
            if name.lower().endswith(HTML_NAMES) and not name.startswith(".") and Path(parent, name).is_file()
        ]
    return pages


@dataclass(slots=True, frozen=True)
class Addresses:
    """Rules that make addresses of paths: `PATTERN=ADDRESS`, with one `*` on both sides; the first that fits counts."""

    rules: tuple[tuple[str, str, str], ...] = ()  # before and after the asterisk in the path; the address

    @classmethod
    def of(cls, rules: Iterable[str]) -> Self:
        """Reads rules.

        Raises:
            ConfigError: a rule has another form.
        """
        places = []
        for rule in rules:
            path, separator, address = rule.partition("=")
            before, star, after = path.partition("*")
            if not (separator and star and address.count("*") == 1 and "://" in address) or "*" in after:
                raise ConfigError(
                    f"addresses: {rule!r} is no rule; write PATTERN=ADDRESS with one * on both sides, such as"
                    " 'mirror/*=https://*'"
                )
            places.append((os.path.normpath(before + "x")[:-1], after, address))
        return cls(tuple(places))

    def of_file(self, path: Path, said: str = "") -> str:
        """Returns the address of a file: by a rule, or as it says itself, or its path as a `file:` address.

        >>> Addresses.of(["mirror/*=https://*"]).of_file(Path("mirror/example.org/a b.html"))
        'https://example.org/a%20b.html'
        """
        name = os.path.normpath(path)
        for before, after, address in self.rules:
            if name.startswith(before) and name.endswith(after) and len(name) >= len(before) + len(after):
                middle = name[len(before) : len(name) - len(after)]
                return address.replace("*", _quoted(middle))
        return said or "file:" + _quoted(name)


def _quoted(text: str) -> str:
    return quote(os.fsencode(text), safe=_SAFE)


def records(stored: StoredFile, max_bytes: int, addresses: Addresses) -> Iterator[Record]:
    """Reads an HTML file, which may be compressed, as one record."""
    body, verdict = content(stored, max_bytes)
    url, date = saved_from(body)
    yield Record(
        0,
        0,
        stored.size,
        RECORD_TYPE,
        addresses.of_file(stored.path, url),
        date,
        content_type=MEDIA_TYPE,
        body=b"" if verdict else body,
        body_bytes=0 if verdict else len(body),
        verdict=verdict,
    )


def saved_from(body: bytes) -> tuple[str, str]:
    """Returns the address and the date that a program has written into a page when it saved it; "" without them.

    >>> saved_from(b"<!-- saved from url=(0023)http://www.example.org/ --><html>")
    ('http://www.example.org/', '')
    """
    start = body[:_START_BYTES]
    if start.startswith(_UTF16):
        start = start[2:].replace(b"\0", b"")
    text = start.decode("utf-8", "replace")
    match = next((found for pattern in _SAVED if (found := pattern.search(text))), None)
    if match is None:
        return "", ""
    url = clean_url(unescape(match["url"]))
    return url if "://" in url else f"http://{url}", _saved_date(match.groupdict().get("date") or "")


def _saved_date(text: str) -> str:
    """Returns a date as HTTP, JavaScript (Wed Nov 28 2018 11:33:17 GMT+0000) or ScrapBook (digits) write it."""
    if text[:14].isdigit():
        return iso_date(text[:14])
    if script := _OF_SCRIPT.match(text):
        text = f"{script[2]} {script[1]} {script[3]} {script[4]} {script[5] or '+0000'}"
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return iso_date(moment.isoformat())


def content(stored: StoredFile, max_bytes: int) -> tuple[bytes, str | None]:
    """Returns the bytes of a file, and the verdict if it has none."""
    pieces: list[bytes] = []
    size = position = 0
    while position < stored.size:
        stream = open_stream(stored, position)
        while piece := stream.read():
            pieces.append(piece)
            size += len(piece)
            if size > max_bytes:
                return b"", "too_large"
        if stream.broken:
            return b"", "bad_compression"
        position = stream.position
    return b"".join(pieces), None
