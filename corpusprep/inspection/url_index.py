"""The index of a corpus's records by URL, and of its documents by identifier: `urls.index`.

The file has Parquet tables one after another, each of about 131,072 rows: first the records, sorted by the key
of their URL, then the documents, sorted by identifier. A directory at the end names the first key of each, with a
checksum. To look something up, the directory and one or two pieces are read, whatever the size of the corpus.

The key has the labels of the host in reverse order, then the rest of the URL: `org,example,www)/page?q=1`, as the
indexes of web archives have it (Sort-friendly URI Reordering Transform). So the pages of a host, and the hosts of a
domain, lie together, and the neighbours of an address that is not there are those most like it.
"""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import polars as pl

from corpusprep._native.ngrams import checksum
from corpusprep.archive.records import host as host_of
from corpusprep.errors import StageFileError

MAGIC = b"CPURLIDX"
VERSION = 1
FOOTER = struct.Struct("<8sIQQQ")  # magic, version, offset and length of the directory, its checksum
DIRECTORY = pl.Schema(
    {
        "section": pl.String,
        "first": pl.String,
        "offset": pl.UInt64,
        "length": pl.UInt64,
        "rows": pl.UInt32,
        "checksum": pl.UInt64,
    }
)
URLS, IDS = "urls", "ids"
ROWS = {
    URLS: pl.Schema({"key": pl.String, "url": pl.String, "batch": pl.String, "record": pl.UInt32}),
    IDS: pl.Schema({"key": pl.String, "batch": pl.String, "record": pl.UInt32}),
}


def with_keys(records: pl.LazyFrame) -> pl.LazyFrame:
    """Returns the records that have a URL, with the columns key, url, batch, record."""
    return records.filter(pl.col("url").fill_null("") != "").select(key_of_row().alias("key"), "url", "batch", "record")


def url_key(url: str) -> str:
    """Returns the key of a URL.

    >>> url_key("http://www.Example.org:80/page?q=1")
    'org,example,www)/page?q=1'
    """
    return str(pl.DataFrame({"url": [url], "host": [host_of(url)]}).select(key_of_row()).item())


def host_key(host: str) -> str:
    """Returns what the keys of a host's URLs begin with.

    >>> host_key("www.example.org")
    'org,example,www)'
    """
    return ",".join(reversed(host.split("."))) + ")"


def key_of_row() -> pl.Expr:
    """Returns the key of the URL in the columns host and url."""
    labels = pl.col("host").fill_null("").str.split(".").list.reverse().list.join(",")
    rest = pl.col("url").str.replace(r"^\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?", "")
    return labels + ")" + rest


@dataclass(frozen=True)
class UrlIndex:
    """An index that is looked into; only its directory is in memory."""

    path: Path
    directory: pl.DataFrame
    written_by: str  # the step

    @classmethod
    def open(cls, path: Path, written_by: str = "index") -> "UrlIndex":
        """Opens an index.

        Args:
            path: the file.
            written_by: the step that writes it, for errors.

        Raises:
            StageFileError: the file is missing, damaged or of another version.
        """
        try:
            with path.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
                file.seek(max(0, size - FOOTER.size))
                footer = file.read()
                if len(footer) < FOOTER.size or not footer.startswith(MAGIC):
                    raise _again(path, written_by, "not an index of URLs, or cut short")
                _, version, offset, length, stored = FOOTER.unpack(footer)
                if version != VERSION:
                    raise _again(path, written_by, f"an index of version {version}, not {VERSION}")
                data = _read(path, written_by, file, offset, length, stored)
        except FileNotFoundError:
            raise StageFileError(f"{path}: no such file; run `corpusprep step {written_by}` first") from None
        return cls(path, pl.read_parquet(io.BytesIO(data)), written_by)

    def around(self, key: str, neighbours: int) -> pl.DataFrame:
        """Returns the rows with a key, and up to so many on each side, by key: key, url, batch, record."""
        rows = self._with_key(URLS, key)
        start = int(rows["key"].search_sorted(key, "left"))
        end = int(rows["key"].search_sorted(key, "right"))
        return rows[max(0, start - neighbours) : end + neighbours]

    def beginning(self, prefix: str, limit: int) -> pl.DataFrame:
        """Returns the first rows whose keys begin with a prefix, such as `host_key` gives, up to `limit`."""
        frame = ROWS[URLS].to_frame()
        for rows in self.between(URLS, prefix, None):
            frame = pl.concat([frame, rows.filter(pl.col("key").str.starts_with(prefix))])
            last = rows["key"][-1]
            if len(frame) >= limit or (last > prefix and not last.startswith(prefix)):
                break
        return frame.head(limit)

    def documents(self, document_id: str) -> pl.DataFrame:
        """Returns the rows of a document: key, batch, record."""
        return self._with_key(IDS, document_id).filter(key=document_id)

    def _with_key(self, section: str, key: str) -> pl.DataFrame:
        """Returns the rows of the pieces that may have a key, in order."""
        return pl.concat([ROWS[section].to_frame(), *self.between(section, key, key)])

    def between(self, section: str, first: str | None, last: str | None) -> Iterator[pl.DataFrame]:
        """Yields the pieces of a section that may have keys from `first` to `last`, in order.

        Without `first`, they are those from the beginning; without `last`, those to the end.
        """
        yield from map(_rows, self._stored(self._listed(section, first, last)))

    def stored(self, section: str) -> Iterator[tuple[str, int, bytes]]:
        """Yields all pieces of a section in order: their first keys, numbers of rows, and bytes."""
        listed = self.directory.filter(section=section)
        yield from zip(listed["first"], listed["rows"], self._stored(listed), strict=True)

    def _listed(self, section: str, first: str | None, last: str | None) -> pl.DataFrame:
        """Returns the lines of the directory for the pieces that may have keys from `first` to `last`."""
        listed = self.directory.filter(section=section)
        firsts = listed["first"]
        start = 0 if first is None or not len(firsts) else max(0, int(firsts.search_sorted(first, "left")) - 1)
        end = len(firsts) if last is None or not len(firsts) else int(firsts.search_sorted(last, "right"))
        return listed[start:end]

    def _stored(self, listed: pl.DataFrame) -> Iterator[bytes]:
        """Yields the bytes of the pieces of these lines of the directory."""
        with self.path.open("rb") as file:
            for place in listed.select("offset", "length", "checksum").iter_rows():
                yield _read(self.path, self.written_by, file, *place)


def _rows(stored: bytes) -> pl.DataFrame:
    return pl.read_parquet(io.BytesIO(stored))


def _read(path: Path, written_by: str, file: BinaryIO, offset: int, length: int, stored: int) -> bytes:
    """Reads a part of the file and compares its checksum."""
    file.seek(offset)
    data = file.read(length)
    if len(data) < length or checksum(data) != stored:
        raise _again(path, written_by, "damaged (a checksum is wrong)")
    return data


def _again(path: Path, written_by: str, what: str) -> StageFileError:
    return StageFileError(f"{path}: {what}; remove it and run `corpusprep step {written_by}` again")
