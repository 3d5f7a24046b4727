"""Downloads files and parts of files over HTTP: tries again after a pause, and goes on where a connection broke."""

import hashlib
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from corpusprep import __version__
from corpusprep.errors import CorpusprepError

PART = ".part"
_PIECE = 1 << 16
#: What is left as it is in the path and the query of an address, beside letters and digits: delimiters (RFC 3986, 2.2).
_RESERVED = "%:/?#[]@!$&'()*+,;=~"
#: Answers after which a server may be asked again.
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
#: The longest pause, in seconds, also where a server asks for a longer one.
LONGEST_PAUSE = 300.0


#: Of the query of an address that a storage has signed (S3: versions 4 and 2; Google): it is a key, for some time only.
_SIGNATURE = re.compile(r"(?:^|&)(?:X-Amz-Signature|X-Goog-Signature|Signature)=", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,15}")
_RANGE = re.compile(r"bytes ([0-9]{1,15})-[0-9]{1,15}/")
#: The entity tag of an object that S3 stores as it came is its MD5; a tag with a hyphen is of parts.
_MD5_TAG = re.compile(r'"([0-9a-f]{32})"')


class FetchError(CorpusprepError):
    """Something cannot be fetched; `lasting`: trying again later will not help."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


@dataclass(slots=True)
class Client:
    """A client that is polite.

    Attributes:
        user_agent: what servers are told.
        tries: per file or part, since the last one that brought bytes.
        pause: seconds before the second try, and twice as many before each further one.
        delay: seconds before each request.
        timeout: seconds without a byte.
        sleep: waits.
    """

    user_agent: str = f"corpusprep/{__version__}"
    tries: int = 6
    pause: float = 1.0
    delay: float = 0.0
    timeout: float = 60.0
    sleep: Callable[[float], object] = field(default=time.sleep, repr=False)

    def part(self, url: str, offset: int, length: int) -> bytes:
        """Returns `length` bytes of a file from `offset` on.

        Raises:
            FetchError: the server does not have them, or the connection breaks again and again.
        """
        content = bytearray()

        def step() -> bool:
            with self._open(url, {"Range": f"bytes={offset + len(content)}-{offset + length - 1}"}) as reply:
                if reply.status != HTTPStatus.PARTIAL_CONTENT:
                    raise FetchError(f"{url}: the server sends no parts of files (Range); fetch the file", lasting=True)
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
        if path.exists():
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
            try:
                reply = self._open(url, headers)
            except urllib.error.HTTPError as error:
                if not headers or error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                    raise
                error.close()
                return begin_again()
            with reply:
                is_part = reply.status == HTTPStatus.PARTIAL_CONTENT
                if is_part and not _continues(reply.headers, size(), str(known.get("validator") or "")):
                    if not headers:
                        raise FetchError(f"{shown(url)}: the server sends a part of the file unasked", lasting=True)
                    reply.close()
                    return begin_again()
                length = reply.headers.get("Content-Range" if is_part else "Content-Length", "").rpartition("/")[2]
                total = int(length) if _NUMBER.fullmatch(length) else None
                validator = reply.headers.get("ETag") or reply.headers.get("Last-Modified")
                known = {
                    "url": shown(url),
                    "validator": validator or (known.get("validator") if is_part else None),
                    "bytes": total,
                    "md5": _announced_md5(reply.headers),
                }
                about.write_text(json.dumps(known), encoding="utf-8")
                with part.open("ab" if is_part else "wb") as file:
                    while piece := reply.read(_PIECE):
                        file.write(piece)
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

    def _open(self, url: str, headers: Mapping[str, str]) -> Any:
        if self.delay:
            self.sleep(self.delay)
        try:
            request = urllib.request.Request(_encoded(url), headers={"User-Agent": self.user_agent, **headers})
            return urllib.request.urlopen(request, timeout=self.timeout)
        except (InvalidURL, ValueError) as error:  # also of a redirection; ValueError: a host that cannot be encoded
            raise FetchError(f"{shown(url)}: not a valid address ({error}); correct it", lasting=True) from None

    def _repeat(self, url: str, step: Callable[[], bool], size: Callable[[], int]) -> None:
        """Calls `step` until it returns True; `size` tells how many bytes there are."""
        failed = 0
        while True:
            before, wait = size(), 0.0
            try:
                if step():
                    return
                reason = "the connection broke"
            except urllib.error.HTTPError as error:
                reason = f"{error.code} {error.reason}"
                wait = retry_after(error.headers.get("Retry-After"))
                error.close()
                if error.code not in _AGAIN:
                    remedy = "sign the address again" if shown(url) != url else "correct the address"
                    raise FetchError(f"{shown(url)}: {reason}; {remedy}", lasting=True) from None
            except (HTTPException, OSError) as error:
                if isinstance(error, OSError) and error.filename is not None:  # of this machine: a full disk, a folder
                    raise
                reason = str(getattr(error, "reason", None) or error or type(error).__name__)
            failed = 1 if size() > before else failed + 1
            if failed >= self.tries:
                raise FetchError(f"{shown(url)}: {reason} (tries: {failed}); run the command again later: it goes on")
            self.sleep(min(LONGEST_PAUSE, max(wait, self.pause * 2 ** (failed - 1))))


def shown(url: str) -> str:
    """Returns an address as it may be printed and stored: without the query, if that is a signature.

    >>> shown("https://bucket.s3.amazonaws.com/a.warc.gz?X-Amz-Expires=60&X-Amz-Signature=0f")
    'https://bucket.s3.amazonaws.com/a.warc.gz'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query="")) if _SIGNATURE.search(parts.query) else url


def _continues(headers: Mapping[str, str], size: int, validator: str) -> bool:
    """Returns whether a part of a file begins after `size` bytes, and is of the file with this validator.

    A server may leave the validator out.
    """
    content_range = _RANGE.match(headers.get("Content-Range", ""))
    if content_range is None or int(content_range[1]) != size:
        return False
    name = "ETag" if validator.startswith(('"', "W/")) else "Last-Modified"
    return not validator or headers.get(name, validator) == validator


def _encoded(url: str) -> str:
    """Returns an address with the characters of path and query encoded that none may have.

    >>> _encoded("http://a.example/é b.gz?c=%20")
    'http://a.example/%C3%A9%20b.gz?c=%20'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=quote(parts.path, _RESERVED), query=quote(parts.query, _RESERVED)))


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


def retry_after(value: str | None) -> float:
    """Returns the seconds that a server asks to wait; 0 if it does not say."""
    if not value:
        return 0.0
    if _NUMBER.fullmatch(value.strip()):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _read_about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}
