"""Sorts the pages of archives by site, into one archive per site (Baisa 2009, 2.1, "Sorting").

A site is a host without `www.`. Its archive is `<folder>/<first and last character of its first label>/<site>.warc.gz`,
as in Baisa's script: `ac/abc.co.uk.warc.gz`. A page is written as a WARC record with its decoded body. The pages of a
site stand in the order in which they are read.
"""

import gzip
import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from corpusprep.archive.inputs import records
from corpusprep.archive.plain_text import RECORD_TYPE
from corpusprep.archive.records import MAX_BYTES, Record, host
from corpusprep.errors import CorpusprepError
from corpusprep.io.progress import track

#: Bytes of records that are held before they are added to the archives of their sites.
HELD_BYTES = 64_000_000
#: Longer names of files are cut here, and end in a digest of the whole name.
_LONGEST_NAME = 150
_OTHER = re.compile(r"[^a-z0-9]")
_LINE_ENDS = re.compile(r"[\r\n]+")


class SiteError(CorpusprepError):
    """The folder for the archives of sites cannot be used."""


def sort_by_site(archives: Iterable[Path], output: Path, max_bytes: int = MAX_BYTES) -> dict[str, int]:
    """Writes the pages of archives into one archive per site; returns the number of pages by site, in sorted order.

    Memory does not depend on the size of the archives, but for the names of the sites.

    Args:
        archives: WARC or ARC files.
        output: the folder to write to; it must not exist or be empty.
        max_bytes: longer bodies are left out.

    Raises:
        SiteError: the folder has files.
        ArchiveError: an archive cannot be read.
    """
    if output.exists() and any(output.iterdir()):
        raise SiteError(f"{output}: the folder has files; give a new or an empty folder")
    pages: dict[str, int] = {}
    with _archives_of(output) as (waiting, flush):
        size = 0
        for record in track(_pages(archives, max_bytes), "pages"):
            site = site_of(record.url)
            pages[site] = pages.get(site, 0) + 1
            stored = _stored(record, f"{site} {pages[site]}")
            waiting.setdefault(site, []).append(stored)
            size += len(stored)
            if size >= HELD_BYTES:
                flush()
                size = 0
    return dict(sorted(pages.items()))


def site_of(url: str) -> str:
    """Returns the site of an address.

    >>> site_of("http://www.abc.co.uk/documents/index.html")
    'abc.co.uk'
    """
    return host(url).removeprefix("www.")


def place_of(site: str) -> Path:
    """Returns the path of a site's archive within the folder; any host gives a path within it.

    >>> place_of("abc.co.uk").as_posix()
    'ac/abc.co.uk.warc.gz'
    """
    label = _OTHER.sub("_", site.partition(".")[0]) or "_"
    name = quote(site, safe="", errors="replace") or "_"
    name = f"%2E{name[1:]}" if name.startswith(".") else name
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{uuid.uuid5(uuid.NAMESPACE_DNS, name).hex}"
    return Path(label[0] + label[-1]) / f"{name}.warc.gz"


def _pages(archives: Iterable[Path], max_bytes: int) -> Iterator[Record]:
    """Yields the records that hold a body and are of a host, without texts that others have extracted."""
    for archive in archives:
        for record in records(archive, max_bytes):
            if record.verdict is None and host(record.url) and record.record_type != RECORD_TYPE:
                yield record


@contextmanager
def _archives_of(folder: Path) -> Iterator[tuple[dict[str, list[bytes]], Callable[[], None]]]:
    """Gives the records held by site, and a function that adds them to files; these get their names at the end."""
    waiting: dict[str, list[bytes]] = {}
    begun: set[Path] = set()

    def flush() -> None:
        for site, several in waiting.items():
            path = folder / place_of(site)
            path.parent.mkdir(parents=True, exist_ok=True)
            with _unfinished(path).open("ab") as file:
                file.writelines(several)
            begun.add(path)
        waiting.clear()

    try:
        yield waiting, flush
        flush()
    except BaseException:
        for path in begun:
            _unfinished(path).unlink(missing_ok=True)
        raise
    for path in sorted(begun):
        _unfinished(path).rename(path)


def _unfinished(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _stored(record: Record, place: str) -> bytes:
    """Returns a page as a gzip member with a WARC record; `place`: makes an id for a record that has none."""
    kind = record.content_type or "text/html"
    charset = f"; charset={record.charset}" if record.charset else ""
    lines = [
        f"HTTP/1.1 {record.status or 200} OK",
        f"Content-Type: {kind}{charset}",
        f"Content-Length: {record.body_bytes}",
    ]
    content = _head(lines) + record.body
    identity = record.record_id or uuid.uuid5(uuid.NAMESPACE_URL, f"{place} {record.date} {record.url}").urn
    fields = {
        "WARC-Type": "response",
        "WARC-Record-ID": f"<{identity}>",
        "WARC-Target-URI": record.url,
        "WARC-Date": record.date,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(content)),
    }
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in fields.items() if value)]
    return gzip.compress(_head(lines) + content + b"\r\n\r\n", compresslevel=6, mtime=0)


def _head(lines: Iterable[str]) -> bytes:
    """Returns lines of a header and the empty one after them."""
    folded = [_LINE_ENDS.sub(" ", line) for line in lines]
    return "\r\n".join([*folded, "", ""]).encode("utf-8", "replace")
