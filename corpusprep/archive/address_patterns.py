"""Finds the archives that addresses with wildcards, of folders and of lists stand for."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from corpusprep.archive.inputs import is_named_archive
from corpusprep.errors import ArchiveError
from corpusprep.io.entries import Entry
from corpusprep.remote import reading
from corpusprep.remote.addresses import STORAGE, Address
from corpusprep.remote.connections import FetchError

_WILDCARD = re.compile(r"[*?\[]")


def expand(entries: Iterable[Entry]) -> list[Address]:
    """Returns the archives of addresses, each once, sorted; their servers have told their sizes.

    Args:
        entries: addresses: of a file; in storage also a pattern (`*`, `?`, `[…]` within a folder, `**` any number of
            folders), or a folder, with `/` at its end: the archives in it, by their names.

    Raises:
        ArchiveError: a pattern matches nothing; a file is not there or cannot be read.
    """
    files: set[str] = set()
    listed: dict[str, Address] = {}
    for entry in entries:
        url, place = entry.text, f"{entry.place}: " if entry.place else ""
        if not url.startswith(STORAGE):
            if "*" in url:
                raise ArchiveError(
                    f"{place}{url!r}: a server of HTTP lists no files; name each, or a list of them (@https://…)"
                )
            files.add(url)
        elif url.endswith("/") or _WILDCARD.search(url):
            chosen = _in_storage(url)
            if not chosen:
                raise ArchiveError(f"{place}no archive matches {url!r}; correct the address")
            listed |= {str(address): address for address in chosen}
        else:
            files.add(url)
    found = listed | {str(address): address for address in reading.with_status(files - listed.keys())}
    return [found[url] for url in sorted(found)]


def matcher(pattern: str) -> Callable[[str], bool]:
    """Returns whether an address is the one that a pattern names, matches it, or is in a folder that does."""
    test = re.compile(_expression(pattern.rstrip("/")) + r"(?:/.*)?", re.DOTALL)
    return lambda url: test.fullmatch(url) is not None


def _in_storage(url: str) -> list[Address]:
    """Returns the objects that a pattern matches, or the archives of a folder."""
    start = url if url.endswith("/") else url[: match.start()] if (match := _WILDCARD.search(url)) else url
    if start.count("/") < 3:
        raise ArchiveError(f"{url!r}: name the bucket without wildcards: s3://BUCKET/…")
    test = re.compile(_expression(url), re.DOTALL)
    try:
        return [
            Address(key, status)
            for key, status in reading.storage().listed(start)
            if (is_named_archive(Path(key)) if url.endswith("/") else test.fullmatch(key))
        ]
    except FetchError as error:
        raise ArchiveError(f"cannot list {error}") from None


def _expression(pattern: str) -> str:
    r"""Returns a pattern as a regular expression.

    >>> print(_expression("s3://b/**/a_[!0].gz"))
    s3://b/(?:.*/)?a_(?!/)[^0]\.gz
    """
    return "".join(map(_part, re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\])", pattern)))


_PARTS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _part(text: str) -> str:
    """Returns a part of a pattern as a regular expression; no wildcard but `**` matches a slash."""
    if not (text.startswith("[") and text.endswith("]") and len(text) > 2):
        return _PARTS.get(text) or re.escape(text)
    negated, inside = text[1] == "!", text[1:-1].removeprefix("!")
    inside = re.sub(r"[\\\[\]^&~|]", r"\\\g<0>", inside)
    return f"(?!/)[{'^' * negated}{inside}]"
