"""Selects records from the indexes of archives: Common Crawl's columnar index (Parquet), and CDXJ files."""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from corpusprep.archive.inputs import PARQUET_MAGIC
from corpusprep.archive.stored_lines import lines
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.encoding import selection as encoding
from corpusprep.errors import ConfigError

#: A line of a CDXJ file: key, time, JSON.
CDXJ = re.compile(rb"[^\s{]+ \d{4,17} \{")
_LINE_LIMIT = 1 << 20
_STATUS = re.compile(r"[0-9]{1,9}")
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]+")
_BASE_32 = re.compile(r"[A-Za-z2-7]{32}")
_NEEDED = ("url", "warc_filename", "warc_record_offset", "warc_record_length")
_FURTHER = ("content_digest", "fetch_status", "content_mime_detected", "content_mime_type", "content_languages")


class Wanted(NamedTuple):
    """A record of an archive elsewhere: path of the archive, place in it, digest of the body (body_digest) or ""."""

    archive: str
    offset: int
    length: int
    digest: str
    url: str


@dataclass(slots=True, frozen=True)
class Selection:
    """What is wanted.

    Attributes:
        languages: codes as the index has them (Common Crawl: `ces`); the first language of a page counts. Empty: all.
        places: domains, with their subdomains.
        status: HTTP status codes; empty: all.
        media_types: as detected, or else as declared; empty: all.
    """

    languages: frozenset[str] = frozenset()
    places: encoding.Selection = field(default_factory=encoding.Selection.of)
    status: frozenset[int] = frozenset({200})
    media_types: frozenset[str] = frozenset({"text/html", "application/xhtml+xml"})

    def takes(self, url: str, status: str, media_type: str, languages: str) -> bool:
        """Returns whether a record is wanted; what the index does not say decides nothing, but for the language."""
        if self.status and _STATUS.fullmatch(status) and int(status) not in self.status:
            return False
        if self.media_types and media_type and media_type not in self.media_types:
            return False
        if self.languages and languages.partition(",")[0].strip() not in self.languages:
            return False
        return self.places.takes_host(url)


def is_index(path: Path) -> bool:
    """Returns whether a file is an index: Parquet, or CDXJ."""
    stored = StoredFile(path)
    try:
        if _is_table(stored):
            return True
        first = next(iter(lines(stored, _LINE_LIMIT)), None)
    finally:
        stored.close()
    return first is not None and first.data is not None and CDXJ.match(first.data) is not None


def _is_table(stored: StoredFile) -> bool:
    return stored.at(0, len(PARQUET_MAGIC)) == PARQUET_MAGIC


def select(indexes: Iterable[Path], selection: Selection, most: int | None = None) -> list[Wanted]:
    """Returns the wanted records of indexes, each once, by archive and place.

    Args:
        indexes: Parquet or CDXJ files.
        selection: what is wanted.
        most: the first so many, in this order.

    Raises:
        ConfigError: an index has no such columns, or a line that is none.
    """
    wanted: set[Wanted] = set()
    for path in indexes:
        stored = StoredFile(path)
        try:
            wanted.update(_of_table(path, selection) if _is_table(stored) else _of_lines(stored, selection))
        finally:
            stored.close()
    return sorted(wanted)[:most]


def _of_table(path: Path, selection: Selection) -> Iterator[Wanted]:
    import polars as pl

    try:
        table = pl.scan_parquet(path, glob=False)
        names = table.collect_schema().names()
        if missing := [name for name in _NEEDED if name not in names]:
            raise ConfigError(f"{path}: no index of archives: there is no column {missing[0]}; give another file")
        columns = [name for name in (*_NEEDED, *_FURTHER) if name in names]
        table = table.select(columns)
        if "fetch_status" in names and selection.status:
            table = table.filter(pl.col("fetch_status").is_in(sorted(selection.status)))
        for chunk in table.collect_batches(chunk_size=50_000):
            for row in chunk.iter_rows(named=True):
                kind = row.get("content_mime_detected") or row.get("content_mime_type") or ""
                languages = row.get("content_languages")
                if selection.languages and "content_languages" not in names:
                    raise ConfigError(f"{path}: the index says no languages; leave out --language")
                if selection.takes(row["url"], str(row.get("fetch_status", "")), kind, languages or ""):
                    yield _wanted(
                        str(path),
                        row["warc_filename"],
                        row["warc_record_offset"],
                        row["warc_record_length"],
                        row,
                    )
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise ConfigError(f"{path}: not a whole Parquet file ({reason}); fetch it again") from None


def _of_lines(stored: StoredFile, selection: Selection) -> Iterator[Wanted]:
    for number, line in enumerate(lines(stored, _LINE_LIMIT), 1):
        place = f"{stored.path}, line {number}"
        if line.damaged or line.data is None or CDXJ.match(line.data) is None:
            raise ConfigError(f"{place}: not a line of an index (CDXJ: key, time, JSON); fetch or write it again")
        try:
            row = json.loads(line.data[line.data.index(b"{") :])
        except (ValueError, RecursionError):
            raise ConfigError(f"{place}: the JSON cannot be read; fetch or write it again") from None
        kind = str(row.get("mime-detected") or row.get("mime") or "")
        if selection.takes(str(row.get("url", "")), str(row.get("status", "")), kind, str(row.get("languages", ""))):
            yield _wanted(place, row.get("filename"), row.get("offset"), row.get("length"), row)


def body_digest(digest: str) -> str:
    """Returns a digest of an index in one form: SHA-1 in base 32, `sha256:` or `md5:` in hexadecimal; "" for others.

    >>> body_digest("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709")
    '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    >>> body_digest("-")
    ''
    """
    name, _, value = digest.strip().rpartition(":")
    name = name.lower().replace("-", "")
    bits = 4 * len(value) if _HEXADECIMAL.fullmatch(value) else 0
    if (name, bits) in (("sha1", 160), ("", 160)):
        return base64.b32encode(bytes.fromhex(value)).decode("ascii")
    if (name, bits) in (("sha256", 256), ("", 256)):
        return f"sha256:{value.lower()}"
    if (name, bits) == ("md5", 128):
        return f"md5:{value.lower()}"
    # 32 hexadecimal digits without a name are an MD5 digest rather.
    if _BASE_32.fullmatch(value) and (name == "sha1" or (not name and not bits)):
        return value.upper()
    return ""


def _wanted(place: str, archive: Any, offset: Any, length: Any, row: Mapping[str, Any]) -> Wanted:
    """Returns a row of an index.

    Raises:
        ConfigError: it has no archive, or no place in it.
    """
    digest = body_digest(str(row.get("content_digest") or row.get("digest") or ""))
    try:
        if archive and int(offset) >= 0 and int(length) > 0:
            return Wanted(str(archive), int(offset), int(length), digest, str(row.get("url", "")))
    except (TypeError, ValueError, OverflowError):  # infinity overflows
        pass
    raise ConfigError(f"{place}: names no archive, offset and length; give an index that does")
