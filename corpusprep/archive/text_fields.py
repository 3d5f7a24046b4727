"""Reads what fields beside a text say of it, so that it travels to the corpus: author, licence, rights, own fields.

Columns of tables, keys of JSON and attributes of verticals are such fields. A text becomes a page (plain_text), and
what is said of it stands in the head of this page, as JSON: so it is part of the digest of the page, and of what a
mark of rights removes.
"""

import datetime
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from email.utils import parsedate_to_datetime
from html import escape, unescape
from typing import Any

from corpusprep.archive.heads import iso_date
from corpusprep.archive.rights import MARKS, robots_words

#: Field of the corpus -> what inputs call it; the first that has a value counts.
NAMES = {
    "published": ("published", "datepublished", "date_published", "publication_date", "published_at", "pubdate"),
    "modified": ("modified", "datemodified", "date_modified", "last_modified", "updated_at"),
    "author": ("author", "authors", "creator"),
    "headline": ("headline",),
    "site": ("site", "sitename", "site_name", "publisher"),
    "declared_language": ("declared_language", "language", "lang"),
    "canonical": ("canonical", "canonical_url"),
    "page_type": ("page_type", "pagetype"),
    "licence": ("licence", "license"),
}
#: What the corpus says of a document beside these: of a corpus of this package it is found again.
_COMPUTED = frozenset(
    {"host", "archive", "offset", "record_id", "id", "lang", "encoding", "language_score", "words", "tokens"}
    | {"blocks", "annotation", "truncated"}
)
#: Fields that only a corpus of this package has together.
_OURS = frozenset({"archive", "offset", "language_score"})
#: Column of own fields, and the beginning of their names in a corpus of this package.
OWN, OWN_PREFIX = "meta", "meta_"
#: Bytes of a value, and of all own fields of a text: the line of its document must not be too long for CWB.
LONGEST_VALUE, MOST_BYTES = 1000, 8000
_MOST_ITEMS = 50
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_MARK = re.compile(r"([a-z-]+)(@[a-z.]+)?")
_HEAD = re.compile(rb'<html><head><meta name="corpusprep" content="([^"]*)">')
#: Digits of seconds, milliseconds, microseconds and nanoseconds since 1970. Eight and fourteen are of a date.
_PER_SECOND = {9: 1, 10: 1, 12: 10**3, 13: 10**3, 15: 10**6, 16: 10**6, 18: 10**9, 19: 10**9}
_EPOCH = re.compile(r"(-?\d{9,19})(?:\.\d*)?")


def date_of(value: str) -> str:
    """Returns a crawl date as "YYYY-MM-DDThh:mm:ssZ"; "" if it is no date.

    It may be as in archives, as in e-mails and HTTP, or the time since 1970.

    >>> date_of("1717236000"), date_of("1717236000123"), date_of("20240601"), date_of("Sat, 1 Jun 2024 12:00:00 +0200")
    ('2024-06-01T10:00:00Z', '2024-06-01T10:00:00Z', '2024-06-01T00:00:00Z', '2024-06-01T10:00:00Z')
    """
    number = _EPOCH.fullmatch(value.strip())
    if number and (scale := _PER_SECOND.get(len(number[1].lstrip("-")))):
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(number[1]) // scale)
        return f"{moment.isoformat()}Z"
    try:
        return iso_date(value) or iso_date(parsedate_to_datetime(value).isoformat())
    except (ValueError, TypeError, IndexError, OverflowError):  # as Python's email has on odd input
        return ""


def is_ours(fields: Collection[str]) -> bool:
    """Returns whether a document with these fields is of a corpus that this package has written."""
    return _OURS.issubset(fields)


def said(fields: Mapping[str, Any], taken: Collection[str]) -> str:
    """Returns what fields say of a text, as JSON; "" if they say nothing.

    Its keys are the columns of schemas.PAGE_METADATA, and `meta` with own fields by name.

    Args:
        fields: the names in small letters.
        taken: names of fields that are read elsewhere.
    """
    ours = is_ours(fields)
    values = {name: value for name, value in _values(fields, ours=ours) if name not in taken}
    found: dict[str, Any] = {}
    for name, names in NAMES.items():
        for candidate in names:
            if value := _READ.get(name, str)(values.get(candidate, "")):
                found[name] = value
                del values[candidate]
                break
    sources = values.pop("sources", "") if ours else ""
    found["sources"] = sources or " ".join(f"{name}=input" for name in found)
    found["rights"] = _rights(values)
    found = {name: value for name, value in found.items() if value}
    if own := _limited(values):
        found[OWN] = own
    return json.dumps(found, ensure_ascii=False) if found else ""


def head(about: str) -> str:
    """Returns the element for the head of a page that says this of it."""
    return f'<meta name="corpusprep" content="{escape(about)}">' if about else ""


def of_page(markup: bytes) -> dict[str, str]:
    """Returns what is said of a text in the head of its page; own fields are JSON, by name."""
    match = _HEAD.match(markup)
    if match is None:
        return {}
    about: dict[str, Any] = json.loads(unescape(match[1].decode()))
    if OWN in about:
        about[OWN] = json.dumps(about[OWN], ensure_ascii=False, sort_keys=True)
    return about


def attribute(name: str) -> str:
    """Returns the name of an attribute of a vertical for an own field: ASCII letters, digits and `_`.

    >>> attribute("Text Type"), attribute("жанр")
    ('meta_text_type', 'meta_436_430_43d_440')
    """
    plain = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_") or "_".join(f"{ord(character):x}" for character in name)
    return OWN_PREFIX + plain[:50]


def _values(fields: Mapping[str, Any], *, ours: bool) -> Iterator[tuple[str, str]]:
    """Yields the fields that have a value, as text; own ones of a corpus of this package under their old names."""
    for name, value in fields.items():
        if ours and name in _COMPUTED:
            continue
        if ours and name == OWN:
            try:
                inner = json.loads(value) if isinstance(value, str) else value
            except ValueError:
                continue
            yield from _values(inner, ours=False) if isinstance(inner, Mapping) else ()
        elif text := _text(value):
            yield name.removeprefix(OWN_PREFIX) if ours else name, text


def _text(value: Any) -> str:
    """Returns a value as text on one line; of a list its items; "" for other things."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, list | tuple):
        return "; ".join(filter(None, map(_text, value[:_MOST_ITEMS])))
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
    if not isinstance(value, str | int | float | datetime.date) or value != value:
        return ""
    text = " ".join(str(value)[:LONGEST_VALUE].replace("\0", " ").split())
    return text.encode("utf-8", "replace")[:LONGEST_VALUE].decode("utf-8", "ignore")


def _date(value: str) -> str:
    return date_of(value) if _EPOCH.fullmatch(value) else value


def _language(value: str) -> str:
    return value if _CODE.fullmatch(value) else ""


_READ: Mapping[str, Callable[[str], str]] = {"published": _date, "modified": _date, "declared_language": _language}


def _rights(values: dict[str, str]) -> str:
    """Returns the marks of rights among values, with their places, and takes these out."""
    marks: list[str] = []
    stated = [_MARK.fullmatch(word) for word in values.get("rights", "").lower().split()]
    if stated and all(match and match[1] in (*MARKS, "allow") for match in stated):
        marks += [match[1] + (match[2] or "@input") for match in stated if match]
        del values["rights"]
    if words := list(robots_words(values.get("robots", ""))):
        marks += [f"{word}@input" for word in words]
        del values["robots"]
    if (answer := values.get("robotstxt", "").lower()) in ("allowed", "disallowed"):  # HPLT
        marks.append(f"{answer.removesuffix('ed')}@robots.txt")
        del values["robotstxt"]
    for name in ("tdm-reservation", "tdm_reservation"):
        if values.get(name) == "1":
            marks.append("tdm-reservation@input")
            del values[name]
    return " ".join(dict.fromkeys(marks))


def _limited(values: Mapping[str, str]) -> dict[str, str]:
    """Returns own fields by name, as many as fit."""
    own: dict[str, str] = {}
    size = 0
    for name, value in sorted(values.items()):
        length = len(name.encode("utf-8", "replace")) + len(escape(value).encode("utf-8", "replace")) + 10
        if size + length <= MOST_BYTES:
            own[name] = value
            size += length
    return own
