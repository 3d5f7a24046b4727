"""Reads archives where they lie, in parts, of which few are in memory and the next is asked for ahead."""

import functools
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol
from urllib.parse import urlsplit

from corpusprep.errors import ArchiveError
from corpusprep.remote import addresses
from corpusprep.remote.addresses import Address, Status
from corpusprep.remote.connections import FetchError, fault, shown
from corpusprep.remote.downloads import Client
from corpusprep.remote.network import Access, server_of
from corpusprep.remote.storage import Storage

#: Bytes that are asked for at once.
PART_BYTES = 4 << 20
#: Parts of an archive in memory: that of the last call, the next, and the first, which tells the kind.
_PARTS = 4
#: Requests at the same time while a run is planned.
_CONNECTIONS = 16
#: Objects of one folder from which on the folder is listed; fewer are asked for one by one.
_LISTED = 8
#: The most bytes of a list, decompressed: Common Crawl's have 15 MB.
_LIST_BYTES = 256 << 20


class Server(Protocol):
    """What has files: a client of HTTP or of storage."""

    def status(self, url: str) -> Status:
        """Returns size and version of a file."""

    def part(self, url: str, offset: int, length: int, version: str) -> bytes:
        """Returns `length` bytes of a version of a file from `offset` on."""


@functools.cache
def storage() -> Storage:
    """Returns the client of storage, the same for all buckets."""
    return Storage()


@functools.cache
def _client(server: tuple[str, int]) -> Client:
    # The user has named the server, so it may be private.
    return Client(Access(own=frozenset({server}), options=False))


def _server(url: str) -> Server:
    return storage() if url.startswith(addresses.STORAGE) else _client(server_of(url))


class RemoteFile:
    """An archive on a server, open for reading at any offset.

    Raises:
        ArchiveError: it is not there or, in any call, cannot be read: after tries; or it has another version by now.
    """

    def __init__(self, address: Address) -> None:
        check(address.url)
        self._url = address.url
        try:
            self._server = _server(self._url)
            self._status = address.status or self._server.status(self._url)
        except FetchError as error:
            raise ArchiveError(f"cannot read archive {error}") from None
        self.size = self._status.size
        self._parts: OrderedDict[int, Future[bytes]] = OrderedDict()
        self._ahead = ThreadPoolExecutor(1)
        self._place, self._last = 0, -1

    def close(self) -> None:
        """Asks for no more."""
        self._ahead.shutdown(wait=False, cancel_futures=True)

    def seek(self, offset: int) -> None:
        """Makes `offset` the place at which reading goes on."""
        self._place = offset

    def read(self, count: int) -> bytes:
        """Returns the next `count` bytes, or fewer at the end of the file."""
        offset, end = self._place, min(self._place + count, self.size)
        pieces = []
        while offset < end:
            number, start = divmod(offset, PART_BYTES)
            piece = self._part(number)[start : start + end - offset]
            pieces.append(piece)
            offset += len(piece)
        self._place = offset
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _part(self, number: int) -> bytes:
        try:
            data = self._asked(number).result()
        except FetchError as error:
            raise ArchiveError(f"cannot read archive {error} (at byte {number * PART_BYTES})") from None
        if number == self._last + 1 and (number + 1) * PART_BYTES < self.size:
            self._asked(number + 1)
        self._last = number
        while len(self._parts) > _PARTS:
            self._parts.popitem(last=False)
        return data

    def _asked(self, number: int) -> Future[bytes]:
        future = self._parts.pop(number, None)
        if future is None:
            start = number * PART_BYTES
            length = min(PART_BYTES, self.size - start)
            future = self._ahead.submit(self._server.part, self._url, start, length, self._status.version)
        self._parts[number] = future
        return future


def check(url: str) -> None:
    """Refuses an address that cannot be one of an archive.

    Raises:
        ArchiveError: it is none, has a name or password, or is signed: tables would keep them.
    """
    if url.startswith(addresses.STORAGE):
        bucket, _, key = url.removeprefix(addresses.STORAGE).partition("/")
        if not bucket or not key:
            raise ArchiveError(f"{url!r} names no object; write s3://BUCKET/PATH")
        return
    if problem := fault(url):
        raise ArchiveError(f"{shown(url)!r} is not a valid address ({problem}); correct it")
    if shown(url) != url:
        raise ArchiveError(f"{shown(url)!r} is signed, for some time only; fetch it, or write s3:// and give keys")
    if "@" in urlsplit(url).netloc:
        raise ArchiveError("an address with a password: tables would keep it; fetch the archive first")


def with_status(urls: Iterable[str]) -> list[Address]:
    """Returns the addresses of files, with what their servers say of them, many at the same time.

    Objects of a folder of storage are listed where there are several.

    Raises:
        ArchiveError: one is not there, or cannot be read.
    """
    wanted = sorted(set(urls))
    for url in wanted:
        check(url)
    known: dict[str, Status] = {}
    folders: dict[str, int] = {}
    for url in wanted:
        if url.startswith(addresses.STORAGE):
            folder = url.rpartition("/")[0] + "/"
            folders[folder] = folders.get(folder, 0) + 1
    try:
        for folder in (name for name, count in folders.items() if count >= _LISTED):
            known.update(storage().listed(folder))
        others = [url for url in wanted if url not in known]
        known.update(zip(others, _statuses(others), strict=True))
    except FetchError as error:
        raise ArchiveError(f"cannot read archive {error}") from None
    return [Address(url, known[url]) for url in wanted]


def _statuses(urls: Sequence[str]) -> list[Status]:
    if len(urls) < 2:
        return [_server(url).status(url) for url in urls]
    for url in urls:
        _server(url)  # clients are made by one thread
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        futures = [pool.submit(_server(url).status, url) for url in urls]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()


def list_entries(url: str) -> list[str]:
    """Returns the addresses in a list on a server, such as Common Crawl's warc.paths.gz.

    An entry is a path from the root of the server or bucket on (addresses.place_of). Empty lines and lines that start
    with `#` are left out.

    Raises:
        ArchiveError: it cannot be read, is no list, or an entry names another server.
    """
    place = addresses.place_of(url)
    (address,) = with_status([url])
    status = address.status
    if status is None or status.size > _LIST_BYTES:
        raise ArchiveError(f"{url}: more than {_LIST_BYTES:,} bytes are no list of archives")
    try:
        data = _server(url).part(url, 0, status.size, status.version) if status.size else b""
    except FetchError as error:
        raise ArchiveError(f"cannot read list {error}") from None
    entries = []
    for number, line in enumerate(_text(url, data).splitlines(), 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if addresses.is_address(entry) and not entry.startswith(place):
            raise ArchiveError(f"{url}, line {number}: {entry[:100]!r} is on another server; keep the list in a file")
        entries.append(entry if addresses.is_address(entry) else place + entry.lstrip("/"))
    return entries


def _text(url: str, data: bytes) -> str:
    try:
        if data.startswith(b"\x1f\x8b"):
            decoder = zlib.decompressobj(31)
            data = decoder.decompress(data, _LIST_BYTES)
            if not decoder.eof:
                raise ArchiveError(f"{url}: the list is cut, or has more than {_LIST_BYTES:,} bytes")
        return data.decode("utf-8-sig")
    except (UnicodeDecodeError, zlib.error):
        raise ArchiveError(f"{url}: not a list of archives, one path per line, in UTF-8") from None
