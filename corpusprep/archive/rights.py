"""Marks by which sites reserve the use of their pages: words for robots, and the reservation of text and data mining.

Sources: the Robots Meta Tag and X-Robots-Tag of search engines, `noai` and `noimageai` (DeviantArt 2022), and the TDM
Reservation Protocol (W3C community group 2024). A mark is recorded with its place: `noai@meta`, `noindex@header`;
`disallow@robots.txt` comes from robots_txt.py.
"""

import re
from collections.abc import Iterator

#: The marks that are recorded, in the order of the setting `rights.refuse`.
MARKS = (
    *("noindex", "nofollow", "none", "noarchive", "nocache", "nosnippet", "notranslate", "noai", "noimageai"),
    *("tdm-reservation", "disallow"),
)
_WORDS = frozenset(MARKS[:-2])
_WORD = re.compile(r"[a-z]+")
#: Characters of a rule that are looked at.
LONGEST_RULE = 1000
_FIELD = re.compile(rb"^(x-robots-tag|tdm-reservation)[ \t]*:[ \t]*([^\r\n]*)", re.MULTILINE)
#: Rules of X-Robots-Tag with a value; any other name before a colon names a robot.
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


def robots_words(rule: str) -> Iterator[str]:
    """Yields the words of a rule for robots (`noindex, nofollow`) that are recorded.

    >>> list(robots_words("NOINDEX, max-snippet:-1"))
    ['noindex']
    """
    yield from (word for word in _WORD.findall(rule[:LONGEST_RULE].lower()) if word in _WORDS)


def header_rights(header: bytes) -> str:
    r"""Returns the marks in the header of a response, sorted, separated by spaces; rules for one robot do not count.

    >>> header_rights(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noai, noindex\r\nTDM-Reservation: 1\r\n")
    'noai@header noindex@header tdm-reservation@header'
    """
    lower = header.lower()
    if b"x-robots-tag" not in lower and b"tdm-reservation" not in lower:
        return ""
    words = set[str]()
    for name, raw in _FIELD.findall(lower):
        value = raw.decode("latin-1").strip()
        if name == b"tdm-reservation":
            words |= {"tdm-reservation"} if value == "1" else set()
        elif ":" not in value or value.partition(":")[0].split(",")[-1].strip() in _WITH_VALUE:
            words.update(robots_words(value))
    return " ".join(f"{word}@header" for word in sorted(words))


def refused(rights: str, marks: frozenset[str]) -> bool:
    """Returns whether one of a page's marks is among those that are refused; `none` is `noindex` and `nofollow`."""
    names = {mark.partition("@")[0] for mark in rights.split()}
    return bool(names & marks) or ("none" in names and bool(marks & {"noindex", "nofollow"}))
