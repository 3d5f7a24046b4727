"""Downloads files and parts of files over HTTP: tries again after a pause, and goes on where a connection broke.

urllib3's `Retry` is not used: it asks again for a whole answer, where a download goes on behind the last byte.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import urllib3
from urllib3 import exceptions

from corpusprep.io.files import naming
from corpusprep.remote.addresses import Status
from corpusprep.remote.connections import NO_SUCH_PART, AnswerError, Connections, FetchError, reason_of, shown
from corpusprep.remote.network import Access

PART = ".part"
_PIECE = 1 << 16
#: Answers after which a server may be asked again.
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
#: The longest pause, in seconds, also where a server asks for a longer one.
LONGEST_PAUSE = 300.0


_DIGITS = re.compile(r"[0-9]{1,40}")
_RANGE = re.compile(r"bytes ([0-9]{1,15})-[0-9]{1,15}/")
#: The entity tag of an object that S3 stores as it came is its MD5; a tag with a hyphen is of parts.
_MD5_TAG = re.compile(r'"([0-9a-f]{32})"')


@dataclass(slots=True)
class Client:
    """A client that is polite.

    Attributes:
        access: how servers are asked.
        tries: per file or part, since the last one that brought bytes.
        pause: seconds before the second try, and twice as many before each further one.
        sleep: waits.
    """

    access: Access = field(default_factory=Access)
    tries: int = 6
    pause: float = 1.0
    sleep: Callable[[float], object] = field(default=time.sleep, repr=False)
    _connections: Connections = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._connections = Connections(self.access)

    def status(self, url: str) -> Status:
        """Returns size and version of a file, of a server that sends parts of it.

        Raises:
            FetchError: the server does not have it, sends no parts, or the connection breaks again and again.
        """
        found: list[Status] = []

        def step() -> bool:
            with self._asked(url, {"Range": "bytes=0-0"}) as reply:
                content_range = reply.headers.get("Content-Range", "")
                if reply.status == HTTPStatus.OK and reply.headers.get("Content-Length") == "0":
                    content_range = "bytes */0"
                elif reply.status == HTTPStatus.OK:
                    raise FetchError(f"{url}: the server sends no parts of files (Range); fetch the file", lasting=True)
                length = content_range.rpartition("/")[2].strip()
                if not _DIGITS.fullmatch(length):
                    raise FetchError(f"{url}: the server does not say how long the file is; fetch it", lasting=True)
                found.append(Status(int(length), _version(reply.headers)))
            return True

        self._repeat(url, step, lambda: 0)
        return found[0]

    def part(self, url: str, offset: int, length: int, version: str = "") -> bytes:
        """Returns `length` bytes of a file from `offset` on.

        Args:
            url: of the file.
            offset: of the first byte.
            length: number of bytes.
            version: that it must have (Status); "": any.

        Raises:
            FetchError: the server does not have them, has another version by now, or the connection breaks again and
                again.
        """
        content = bytearray()

        def step() -> bool:
            begin = offset + len(content)
            with self._asked(url, {"Range": f"bytes={begin}-{offset + length - 1}"}) as reply:
                if reply.status == NO_SUCH_PART or (version and _version(reply.headers) not in ("", version)):
                    raise FetchError(f"{url}: changed while it was read; run the command again", lasting=True)
                if reply.status != HTTPStatus.PARTIAL_CONTENT:
                    raise FetchError(f"{url}: the server sends no parts of files (Range); fetch the file", lasting=True)
                if not _continues(reply.headers, begin, ""):
                    raise FetchError(f"{url}: the server sends another part than the one asked for", lasting=True)
                while len(content) <= length and (piece := reply.read(_PIECE)):
                    content.extend(piece)
            return len(content) >= length

        self._repeat(url, step, lambda: len(content))
        if len(content) > length:
            raise FetchError(f"{url}: the server sends more than the {length:,} bytes asked for", lasting=True)
        return bytes(content)

    def file(self, url: str, path: Path) -> bool:
        """Downloads a file to `path`; returns whether it was not there yet.

        What an earlier try or process has downloaded stays in `<path>.part`. It is completed, or begun again if the
        file has changed on the server, or if the server sends other bytes than were asked for.

        Raises:
            FetchError: the server does not have it, or the connection breaks again and again.
        """
        if path.is_file():
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        part, about = path.with_name(path.name + PART), path.with_name(f"{path.name}{PART}.json")

        def size() -> int:
            return part.stat().st_size if part.exists() else 0

        def begin_again() -> bool:
            about.unlink(missing_ok=True)
            part.unlink(missing_ok=True)
            return step()

        def step() -> bool:
            known = _read_about(about)
            headers = {}
            if size() and known.get("url") == shown(url) and known.get("validator"):
                if known.get("bytes") == size():
                    return True
                headers = {"Range": f"bytes={size()}-", "If-Range": str(known["validator"])}
            with self._asked(url, headers) as reply:
                is_part = reply.status == HTTPStatus.PARTIAL_CONTENT
                if is_part and not headers:
                    raise FetchError(f"{shown(url)}: the server sends a part of the file unasked", lasting=True)
                fits = not is_part or _continues(reply.headers, size(), str(known.get("validator") or ""))
                if not fits or reply.status == NO_SUCH_PART:
                    return begin_again()
                total = self._length(url, reply, is_part)
                validator = reply.headers.get("ETag") or reply.headers.get("Last-Modified")
                known = {
                    "url": shown(url),
                    "validator": validator or (known.get("validator") if is_part else None),
                    "bytes": total,
                    "md5": _announced_md5(reply.headers),
                }
                about.write_text(json.dumps(known), encoding="utf-8")
                with naming(part), part.open("ab" if is_part else "wb") as file:
                    while piece := reply.read(_PIECE):
                        file.write(piece)
                        self._check_size(url, file.tell())
            if total is not None and size() > total:
                part.unlink()
                raise FetchError(f"{shown(url)}: more bytes came than the {total:,} announced; run the command again")
            return total is None or size() == total

        self._repeat(url, step, size)
        if (wanted := _read_about(about).get("md5")) and _md5(part) != wanted:
            part.unlink()
            raise FetchError(
                f"{shown(url)}: the bytes have another digest than the storage says; run the command again"
            )
        part.rename(path)
        about.unlink(missing_ok=True)
        return True

    def _length(self, url: str, reply: urllib3.BaseHTTPResponse, is_part: bool) -> int | None:
        """Returns the length of the whole file; None if the server does not say it.

        Raises:
            FetchError: it is no length, or too large.
        """
        said = reply.headers.get("Content-Range" if is_part else "Content-Length")
        if said is None or "chunked" in reply.headers.get("Transfer-Encoding", "").lower():
            return None
        length = said.rpartition("/")[2].strip()
        if is_part and length == "*":
            return None
        if not _DIGITS.fullmatch(length):
            raise FetchError(f"{shown(url)}: the length that the server announces is {length[:40]!r}", lasting=True)
        self._check_size(url, int(length))
        return int(length)

    def _check_size(self, url: str, size: int) -> None:
        if size > self.access.max_bytes:
            raise FetchError(
                f"{shown(url)}: longer than {self.access.max_bytes:,} bytes; if that is right, raise --max-bytes",
                lasting=True,
            )

    def _asked(self, url: str, headers: Mapping[str, str]) -> AbstractContextManager[urllib3.BaseHTTPResponse]:
        if self.access.delay:
            self.sleep(self.access.delay)
        return self._connections.ask(url, headers)

    def _repeat(self, url: str, step: Callable[[], bool], size: Callable[[], int]) -> None:
        """Calls `step` until it returns True; `size` tells how many bytes there are."""
        failed = 0
        while True:
            before, wait = size(), 0.0
            try:
                if step():
                    return
                reason = "the connection broke"
            except AnswerError as error:
                reason, wait = str(error), error.wait
                if error.status not in _AGAIN:
                    remedy = "sign the address again" if shown(url) != url else "correct the address"
                    raise FetchError(f"{shown(url)}: {reason}; {remedy}", lasting=True) from None
            except exceptions.HTTPError as error:  # a fault of this machine, such as a full disk, is none
                reason = reason_of(error)
            failed = 1 if size() > before else failed + 1
            if failed >= self.tries:
                again = "run the command again later" + ": it goes on" * self.access.options
                raise FetchError(f"{shown(url)}: {reason} (tries: {failed}); {again}")
            self.sleep(min(LONGEST_PAUSE, max(wait, self.pause * 2 ** (failed - 1))))


def _version(headers: Mapping[str, str]) -> str:
    return headers.get("ETag") or headers.get("Last-Modified") or ""


def _continues(headers: Mapping[str, str], size: int, validator: str) -> bool:
    """Returns whether a part of a file begins after `size` bytes, and is of the file with this validator.

    A server may leave the validator out.
    """
    content_range = _RANGE.match(headers.get("Content-Range", ""))
    if content_range is None or int(content_range[1]) != size:
        return False
    name = "ETag" if validator.startswith(('"', "W/")) else "Last-Modified"
    return not validator or headers.get(name, validator) == validator


def _announced_md5(headers: Mapping[str, str]) -> str:
    """Returns the MD5 of an object that S3 announces; "" if it does not, or another server answers."""
    encrypted = headers.get("x-amz-server-side-encryption", "AES256") != "AES256"
    if "x-amz-request-id" not in headers or encrypted or "x-amz-server-side-encryption-customer-algorithm" in headers:
        return ""
    digest = _MD5_TAG.fullmatch(headers.get("ETag", ""))
    return digest[1] if digest else ""


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _read_about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}
