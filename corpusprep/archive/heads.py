"""Finds and reads the heads of records: WARC headers (ISO 28500, drafts 0.17 and 0.18) and ARC lines."""

import datetime
import re
from dataclasses import dataclass

#: Longer headers and lines are not accepted.
WARC_HEADER_LIMIT = 1 << 20
ARC_LINE_LIMIT = 16 << 10
#: The most bytes that `starts_record` looks at.
START_LIMIT = ARC_LINE_LIMIT
_TYPE_LIMIT = 64  # characters of a record type, which is a word
_ID_LIMIT = 256  # characters of a record id; a urn:uuid has 45

_VERSION_AND_FIELD = rb"/[0-9]{1,3}\.[0-9]{1,3}[ \t]*\r{0,2}\n[A-Za-z0-9-]{1,64}[ \t]*:"
_WARC_START = re.compile(rb"[Ww][Aa][Rr][Cc]" + _VERSION_AND_FIELD)
#: The search for a head is case-sensitive (ten times as fast). The end of a URL or phrase is not a head.
_WARC_SOUGHT = re.compile(rb"WARC(?<![/ ]WARC)" + _VERSION_AND_FIELD)
_WARC_VERSION = re.compile(rb"WARC/[0-9.]{1,16}[ \t]*\r{0,2}\n", re.IGNORECASE)
#: A header that runs into the next head has lost its end. (Stopping there also keeps the search for a missing end
#: linear.)
_WARC_HEADER_END = re.compile(rb"(\n\r{0,2}\n)|" + _WARC_SOUGHT.pattern)
_DIGITS = re.compile(r"[0-9]{1,18}")
_ARC_URL = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,31}:")
_ARC_ADDRESS = re.compile(rb"[0-9A-Fa-f.:]{1,45}|-")
_ARC_DATE = re.compile(rb"[0-9]{4,20}|-")
_ARC_LENGTH = re.compile(rb"[0-9]{1,18}")
#: Searched after damage: the date, then the scheme in the line before it.
_ARC_DATE_SOUGHT = re.compile(rb"[ \t][12][0-9]{11,13}[ \t]")
_ARC_SCHEME_SOUGHT = re.compile(rb"(?:https?|ftp|filedesc|gopher)://|dns:")

_ISO_DATE = re.compile(
    r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,3})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?"
    r"\s*(?:Z|([+-])(\d{2}):?(\d{2}))?)?)?)?$",
    re.IGNORECASE | re.ASCII,
)
#: Control characters, and lone surrogates: the escape `\ud800` of JSON makes one, and no table can store it.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


@dataclass(slots=True, frozen=True)
class Head:
    """What a record says of itself. `size` is the size of the head, in bytes.

    `length` is None if the record has no readable length; its content is then lost.
    """

    record_type: str
    url: str
    date: str
    content_type: str  # of the record; "" in an ARC file, which has the page's type
    length: int | None
    size: int
    is_arc: bool
    record_id: str = ""  # as clean_record_id returns it
    truncated: bool = False  # the content is a part: it was cut (WARC-Truncated), or is the first of several segments


def starts_record(data: bytes | bytearray, position: int = 0) -> bool:
    """Tells whether a record's head begins at `position`; looks at START_LIMIT bytes at most."""
    return _WARC_START.match(data, position) is not None or _arc_head(data, position) is not None


def find_start(data: bytes | bytearray, position: int, end: int, is_arc: bool | None) -> int:
    """Returns where the next head begins in `data[position:end]`, at the start of a line or not; -1 if there is none.

    A record that was cut short may run into the next, so a line break before a head is not required. Time is linear in
    the number of bytes, whatever they are. `is_arc` tells which kind to look for; None means both.
    """
    warc = None if is_arc else _WARC_SOUGHT.search(data, position, end)
    if is_arc is False:
        return warc.start() if warc else -1
    end = warc.start() if warc else end
    looked_at = position
    for date in _ARC_DATE_SOUGHT.finditer(data, position, end):
        if date.start() < looked_at:
            continue
        first = max(looked_at, date.start() - ARC_LINE_LIMIT)
        line = max(data.rfind(b"\n", first, date.start()) + 1, first)
        scheme = _ARC_SCHEME_SOUGHT.search(data, line, date.start())
        for start in (line, scheme.start() if scheme else line):
            if _arc_head(data, start):
                return start
        looked_at = data.find(b"\n", date.end(), end) + 1 or end
    return end if warc else -1


def read_head(data: bytes | bytearray, position: int) -> Head | None:
    """Reads the head that begins at `position`. Returns None if there is none, or if `data` ends inside it."""
    version = _WARC_VERSION.match(data, position)
    if version is None:
        return _arc_head(data, position)
    blank = _WARC_HEADER_END.search(data, version.end() - 1, position + WARC_HEADER_LIMIT)
    if blank is None or blank[1] is None:
        return None
    return _warc_head(bytes(data[version.end() : blank.start()]), blank.end() - position)


def _arc_head(data: bytes | bytearray, position: int) -> Head | None:
    """Reads a line: URL, IP address, date, content type, in version 2 five more fields, and length.

    Some URLs and some content types contain spaces. Fields are therefore counted from the end of the line, first as in
    version 1, then as in version 2; then an address followed by a date is searched.
    """
    if not _ARC_URL.match(data, position):
        return None
    line_end = data.find(b"\n", position, position + ARC_LINE_LIMIT)
    if line_end < 0:
        return None
    fields = bytes(data[position:line_end]).rstrip(b"\r \t").replace(b"\t", b" ").split(b" ")
    if len(fields) < 5 or not _ARC_LENGTH.fullmatch(fields[-1]):
        return None
    for place in (len(fields) - 3, len(fields) - 8, *range(2, len(fields) - 2)):
        if place >= 2 and _ARC_DATE.fullmatch(fields[place]) and _ARC_ADDRESS.fullmatch(fields[place - 1]):
            url = clean_url(b" ".join(fields[: place - 1]))
            return Head(
                record_type="warcinfo" if url.startswith("filedesc:") else "response",
                url=url,
                date=iso_date(fields[place].decode("ascii")),
                content_type="",
                length=int(fields[-1]),
                size=line_end + 1 - position,
                is_arc=True,
            )
    return None


def _warc_head(header: bytes, size: int) -> Head:
    folded: dict[str, list[str]] = {}
    name = ""
    for line in header.decode("utf-8", "replace").split("\n"):
        if line[:1] in {" ", "\t"} and name:
            folded[name].append(line.strip())
            continue
        before, colon, value = line.partition(":")
        name = before.strip().lower() if colon else ""
        if name:
            folded.setdefault(name, [value.strip()])
    fields = {name: " ".join(filter(None, values)) for name, values in folded.items()}
    length = fields.get("content-length", "")
    return Head(
        record_type=_CONTROL.sub("", fields.get("warc-type", "")).strip().lower()[:_TYPE_LIMIT],
        url=clean_url(fields.get("warc-target-uri", "")),
        date=iso_date(fields.get("warc-date", "")),
        content_type=fields.get("content-type", "").lower(),
        length=int(length) if _DIGITS.fullmatch(length) else None,
        size=size,
        is_arc=False,
        record_id=clean_record_id(fields.get("warc-record-id", "")),
        truncated=bool(fields.get("warc-truncated") or fields.get("warc-segment-number")),
    )


def clean_record_id(value: str) -> str:
    """Returns the identifier in a WARC-Record-ID: without angle brackets, white space, and what is no character."""
    text = value if value.isascii() and value.isprintable() else _CONTROL.sub("", value)
    return text.strip().removeprefix("<").removesuffix(">")[:_ID_LIMIT]


def clean_url(url: str | bytes) -> str:
    """Returns the URL without what is no character, surrounding white space and angle brackets (wget writes them)."""
    text = url.decode("utf-8", "replace") if isinstance(url, bytes) else url
    text = _CONTROL.sub("", text).strip()
    return text[1:-1].strip() if text.startswith("<") and text.endswith(">") else text


def iso_date(text: str) -> str:
    """Returns a date of an archive as "YYYY-MM-DDThh:mm:ssZ", in UTC; "" if it is not a date.

    Accepts ISO 8601 as in WARC (also shortened, with fractions, which are cut off, or with an offset from UTC) and the
    digits of ARC. Missing parts of a shortened date get their lowest value. ClueWeb09 has the day of the year in the
    place of the day of the month ("2009-03-65"); this is accepted if the month agrees.
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        if not 4 <= len(text) <= 20:
            return ""
        text = f"{text[:4]}-{text[4:6] or '01'}-{text[6:8] or '01'}T{text[8:14].ljust(6, '0')}"
        text = f"{text[:13]}:{text[13:15]}:{text[15:]}"
    match = _ISO_DATE.match(text)
    if match is None:
        return ""
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    hour, minute, second = int(match[4] or 0), int(match[5] or 0), int(match[6] or 0)
    second -= second == 60  # a leap second
    try:
        counted_in_year = day > 31
        moment = datetime.datetime(year, month, 1 if counted_in_year else day, hour, minute, second)
        if counted_in_year:
            moment = moment.replace(month=1) + datetime.timedelta(days=day - 1)
            if moment.month != month:
                return ""
        if match[7]:
            offset = datetime.timedelta(hours=int(match[8]), minutes=int(match[9]))
            moment = moment - offset if match[7] == "+" else moment + offset
    except (ValueError, OverflowError):
        return ""
    return f"{moment.isoformat()}Z"
