"""Fetches archives, and single records of archives, into local WARC files.

Records are fetched by byte range, checked, and written as they are stored, each a gzip member of its own, in the order
of the selection. A file has RECORDS_PER_FILE of them, so the same selection gives the same files, however often the
command was stopped. A journal beside the file that is being written says how far it has come.
"""

import base64
import contextlib
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from corpusprep.archive import heads, http
from corpusprep.archive.content_encodings import BodyError
from corpusprep.archive.stored_streams import GZIP_MAGIC
from corpusprep.crawling.selections import Wanted
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io import tsv
from corpusprep.io.files import naming, replacing
from corpusprep.io.progress import track
from corpusprep.remote.connections import FetchError, fault, shown
from corpusprep.remote.downloads import PART, Client

RECORDS_PER_FILE = 10_000
SELECTION = ".selection.json"
FAILED = "failed.tsv"
_FAILED_COLUMNS = ("file", "url", "archive", "offset", "length", "reason")
_JOURNAL = ".journal"
_DECODED_LIMIT = 200_000_000
#: Bytes of the name of a file. File systems allow 255, and ".part.json" is behind it for a time.
_LONGEST_NAME = 240


@dataclass(slots=True)
class Fetched:
    """Numbers of what was fetched, what was there, and what could not be fetched."""

    fetched: int = 0
    there: int = 0
    failed: int = 0
    bytes: int = 0


def http_address(address: str, endpoint: str = "") -> str:
    """Returns the HTTP address of a public object in S3 storage; any other address as it is.

    Args:
        address: such as s3://bucket/crawl/1.warc.gz.
        endpoint: address of a server with the interface of S3; empty: Amazon's.

    Raises:
        ConfigError: an address of storage has no bucket, or names no object.

    >>> http_address("s3://bucket/crawl/1.warc.gz")
    'https://bucket.s3.amazonaws.com/crawl/1.warc.gz'
    >>> http_address("s3://bucket/1.warc.gz", "https://storage.example.org")
    'https://storage.example.org/bucket/1.warc.gz'
    """
    if not address.startswith("s3://"):
        return address
    bucket, _, key = address.removeprefix("s3://").partition("/")
    if not bucket or not key or key.endswith("/"):
        raise ConfigError(f"{address!r} names no object; write s3://BUCKET/PATH of one archive")
    server = f"{endpoint.rstrip('/')}/{bucket}" if endpoint else f"https://{bucket}.s3.amazonaws.com"
    return f"{server}/{quote(key)}"


def archive_urls(entries: Iterable[str], prefix: str, endpoint: str = "") -> list[str]:
    """Returns the addresses of archives in a list, such as Common Crawl's `warc.paths.gz`, with a prefix.

    Raises:
        ConfigError: an entry is no address, and there is no prefix; an address is not valid; the name of an archive is
            a folder (`..`), one of our own or too long for a file; or two archives have the same name.
    """
    urls = []
    for entry in entries:
        url = http_address(entry if "://" in entry else _joined(prefix, entry), endpoint)
        if not url.startswith(("http://", "https://")):
            raise ConfigError(
                f"{entry!r} is no http, https or s3 address; give --prefix, such as --prefix https://data.commoncrawl.org/"
            )
        if problem := fault(url):
            raise ConfigError(f"{url.partition('?')[0]!r} is not a valid address ({problem}); correct it")
        urls.append(url)
    names: dict[str, str] = {}
    for url in dict.fromkeys(urls):
        if (name := name_of(url)).startswith(".") or name.endswith((PART, f"{PART}.json", _JOURNAL)):
            raise ConfigError(f"{shown(url)}: no archive is named {name!r}; correct the address")
        if len(os.fsencode(name)) > _LONGEST_NAME:
            raise ConfigError(
                f"{shown(url)}: the name has more than {_LONGEST_NAME} bytes, too many for a file; fetch it with"
                " another program, under a shorter name"
            )
        if name in names:
            raise ConfigError(
                f"{shown(names[name])} and {shown(url)} have the same name; fetch them into different folders"
            )
        names[name] = url
    return list(names.values())


def _joined(prefix: str, path: str) -> str:
    """Returns a path with a prefix before it."""
    start = prefix if prefix.endswith("/") else f"{prefix}/"
    if start.startswith("s3://"):  # which urljoin does not know
        return start + path.lstrip("/")
    try:
        return urljoin(start, path.lstrip("/"))
    except ValueError as error:
        raise ConfigError(f"--prefix {prefix!r} is not a valid address ({error}); correct it") from None


def name_of(url: str) -> str:
    """Returns the name of the file that an address is saved as."""
    return urlsplit(url).path.rpartition("/")[2] or "archive"


def fetch_archives(urls: Sequence[str], folder: Path, client: Client) -> Fetched:
    """Downloads whole archives into a folder; those that are there are left as they are.

    Raises:
        FetchError: one cannot be fetched; those before it are complete.
    """
    fetched = Fetched()
    for url in track(urls, "fetch: archives", len(urls)):
        path = folder / name_of(url)
        if client.file(url, path):
            fetched.fetched += 1
            fetched.bytes += path.stat().st_size
        else:
            fetched.there += 1
    return fetched


class RecordFetcher:
    """Fetches records into `records-00000.warc.gz` and so on; what an earlier run has fetched stays.

    Records that the server does not have, or that differ from the index, are named in `failed.tsv`.
    """

    def __init__(self, folder: Path, prefix: str, client: Client, connections: int = 1) -> None:
        """Prepares to fetch.

        Args:
            folder: for the files.
            prefix: of the paths of archives.
            client: fetches.
            connections: at the same time.
        """
        self._folder, self._prefix, self._client, self._connections = folder, prefix, client, connections
        self._found = Fetched()
        self._failures: list[list[str | int]] = []

    def fetch(self, wanted: Sequence[Wanted]) -> Fetched:
        """Fetches records, which are written in this order.

        Raises:
            ConfigError: the folder has records of another selection, or a path is no address.
            FetchError: the server cannot be reached; the next run goes on.
        """
        archive_urls([record.archive for record in wanted[:1]], self._prefix)
        self._check_selection(wanted)
        with contextlib.suppress(StageFileError):  # there are none yet
            self._failures = [list(row.values()) for row in tsv.read(self._folder / FAILED, _FAILED_COLUMNS)]
        with ThreadPoolExecutor(self._connections) as pool:
            for number, first in enumerate(range(0, len(wanted), RECORDS_PER_FILE)):
                path = self._folder / f"records-{number:05}.warc.gz"
                part = wanted[first : first + RECORDS_PER_FILE]
                if path.exists():
                    self._found.there += len(part) - sum(row[0] == path.name for row in self._failures)
                    continue
                self._failures = [row for row in self._failures if row[0] != path.name]
                self._fetch_file(part, path, pool)
                tsv.write(self._folder / FAILED, _FAILED_COLUMNS, self._failures)
        self._found.failed = len(self._failures)
        return self._found

    def _check_selection(self, wanted: Sequence[Wanted]) -> None:
        """Notes which records the folder is for."""
        digest = hashlib.sha256(json.dumps([record[:4] for record in wanted]).encode()).hexdigest()
        path = self._folder / SELECTION
        if path.exists():
            if json.loads(path.read_text(encoding="utf-8")).get("sha256") != digest:
                raise ConfigError(f"{self._folder}: has records of another selection; choose another folder")
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_text(json.dumps({"records": len(wanted), "sha256": digest}) + "\n", encoding="utf-8")

    def _fetch_file(self, part: Sequence[Wanted], path: Path, pool: ThreadPoolExecutor) -> None:
        """Fetches the records of a file, from where its journal ends."""
        unfinished, journal = path.with_name(path.name + PART), path.with_name(path.name + _JOURNAL)
        done = _read_journal(journal) if unfinished.exists() else []
        size = done[-1][0] if done else 0
        for record, (_, reason) in zip(part, done, strict=False):
            self._note(path, record, reason)
        self._found.there += sum(not reason for _, reason in done)
        waiting = part[len(done) :]
        with naming(unfinished), unfinished.open("ab") as file, journal.open("w", encoding="utf-8") as noted:
            file.truncate(size)
            noted.writelines(json.dumps(line) + "\n" for line in done)
            for record, (data, reason) in zip(
                waiting, track(self._ahead(waiting, pool), path.name, len(waiting)), strict=True
            ):
                file.write(data)
                file.flush()
                size += len(data)
                noted.write(json.dumps((size, reason)) + "\n")
                noted.flush()
                self._note(path, record, reason)
                self._found.fetched += not reason
                self._found.bytes += len(data)
        unfinished.rename(path)
        journal.unlink()

    def _ahead(self, records: Sequence[Wanted], pool: ThreadPoolExecutor) -> Iterator[tuple[bytes, str]]:
        """Yields the records in order; a few are fetched at the same time."""
        step = self._connections * 4
        for first in range(0, len(records), step):
            yield from pool.map(self._fetch, records[first : first + step])

    def _fetch(self, record: Wanted) -> tuple[bytes, str]:
        """Returns a record as stored, and why it cannot be fetched, if so."""
        try:
            if record.length > _DECODED_LIMIT:
                raise FetchError(f"{record.archive}, offset {record.offset}: longer than a record", lasting=True)
            data = self._client.part(archive_urls([record.archive], self._prefix)[0], record.offset, record.length)
            check(data, record)
        except FetchError as error:
            if not error.lasting:
                raise
            return b"", " ".join(str(error).split())
        return data, ""

    def _note(self, path: Path, record: Wanted, reason: str) -> None:
        if reason:
            self._failures.append([path.name, record.url, record.archive, record.offset, record.length, reason])


def check(data: bytes, record: Wanted) -> None:
    """Checks that bytes are one record, and that its body has the digest of the index.

    Raises:
        FetchError: they are not.
    """
    place = f"{record.archive}, offset {record.offset}"
    try:
        content = _decompressed(data)
    except zlib.error as error:
        raise FetchError(f"{place}: not a whole record ({error})", lasting=True) from None
    head = heads.read_head(content, 0)
    if head is None or head.length is None:
        raise FetchError(f"{place}: no record begins here", lasting=True)
    if not record.digest:
        return
    block = content[head.size : head.size + head.length]
    message = http.parse(block)
    bodies = [block if message is None else block[message.body_start :]]
    if message is not None:
        with contextlib.suppress(BodyError):
            bodies.append(http.dechunk(bodies[0])[0])
        with contextlib.suppress(BodyError):
            bodies.append(http.body(block, message, _DECODED_LIMIT)[0])
    if not any(_digest(body, record.digest) == record.digest for body in bodies):
        raise FetchError(f"{place}: the body has another digest than the index says", lasting=True)


def _digest(body: bytes, wanted: str) -> str:
    """Returns the digest of a body in the form of an index (selections.body_digest)."""
    name, colon, _ = wanted.partition(":")
    if colon:
        return f"{name}:{hashlib.new(name, body, usedforsecurity=False).hexdigest()}"
    return base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode("ascii")


def _decompressed(data: bytes) -> bytes:
    """Returns what gzip members decompress to; data of another kind as they are."""
    if not data.startswith(GZIP_MAGIC):
        return data
    whole = b""
    while data:
        decoder = zlib.decompressobj(31)
        whole += decoder.decompress(data, _DECODED_LIMIT)
        if not decoder.eof:
            raise zlib.error("cut short, or very large")
        data = decoder.unused_data
    return whole


def _read_journal(path: Path) -> list[tuple[int, str]]:
    """Returns the lines of a journal: bytes written, and reason of a failure; a line that is cut short is left out."""
    entries: list[tuple[int, str]] = []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            size, reason = json.loads(line)
            entries.append((int(size), str(reason)))
    except (OSError, ValueError):
        pass
    return entries
