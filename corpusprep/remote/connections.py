"""Connections to servers over HTTP, by urllib3: kept, with verified certificates, to addresses that may be asked.

urllib3 would follow redirects without a check of their addresses, so they are followed here.
"""

import contextlib
import re
import ssl
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit
from urllib.request import getproxies

import urllib3
from urllib3 import exceptions

from corpusprep.errors import CorpusprepError
from corpusprep.remote import network
from corpusprep.remote.network import Access

NO_SUCH_PART = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
_TAKEN = frozenset({HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT})
#: Redirects that are followed.
_MOST_REDIRECTS = 5
#: Connections to a server that are kept.
_CONNECTIONS = 16
#: What is left as it is in the path and the query of an address, beside letters and digits: delimiters (RFC 3986, 2.2).
_RESERVED = "%:/?#[]@!$&'()*+,;=~"
#: Of the query of an address that a storage has signed (S3: versions 4 and 2; Google): it is a key, for some time only.
_SIGNATURE = re.compile(r"(?:^|&)(?:X-Amz-Signature|X-Goog-Signature|Signature)=", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,15}")
#: In urllib3's messages, the connection that they are about.
_OBJECT = re.compile(r"^\S*(?:Connection|Pool)\(.*?\): ")


class FetchError(CorpusprepError):
    """Something cannot be fetched; `lasting`: trying again later will not help."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


class AnswerError(Exception):
    """A server's answer that is none of those that were asked for."""

    def __init__(self, reply: urllib3.BaseHTTPResponse) -> None:
        super().__init__(f"{reply.status} {reply.reason or ''}".rstrip())
        self.status = reply.status
        self.wait = retry_after(reply.headers.get("Retry-After"))


class _Public(urllib3.connection.HTTPConnection):
    """A connection to a public address of its host."""

    def _new_conn(self) -> Any:
        name = self._dns_host
        try:
            found = network.addresses(name, self.port)
        except OSError as error:
            raise exceptions.NewConnectionError(self, f"no address of {name}: {error}") from error
        if not found:
            raise _private(name)
        try:
            for number, address in enumerate(found, 1):
                self._dns_host = address  # certificates are verified for `name`, which comes back below
                try:
                    return super()._new_conn()
                except (exceptions.NewConnectionError, exceptions.ConnectTimeoutError):
                    if number == len(found):
                        raise
        finally:
            self._dns_host = name


class _PublicTls(_Public, urllib3.connection.HTTPSConnection):
    """The same, with TLS."""


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Public


class _TlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _PublicTls


class Connections:
    """The connections of a client."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._managers: dict[tuple[str, bool], urllib3.PoolManager] = {}

    @contextlib.contextmanager
    def ask(self, url: str, headers: Mapping[str, str]) -> Iterator[urllib3.BaseHTTPResponse]:
        """Asks for a file, and follows redirects; the answer is 200, 206 or, where `headers` ask for a part, 416.

        Raises:
            FetchError: an address is none, or is not to be asked; a certificate cannot be verified; or redirects do not
                end.
            AnswerError: the server has another answer.
            urllib3.exceptions.HTTPError: a fault of the network; also while the answer is read.
        """
        place = url
        for _ in range(_MOST_REDIRECTS + 1):
            self._check_address(place)
            try:
                reply = self._manager(place).urlopen(
                    "GET",
                    _encoded(place),
                    headers={"User-Agent": self._access.user_agent, "Accept-Encoding": "identity", **headers},
                    redirect=False,
                    retries=False,
                    timeout=self._access.timeout,
                    preload_content=False,
                    decode_content=False,
                )
            except (exceptions.LocationValueError, UnicodeError) as error:
                raise FetchError(f"{shown(url)}: not a valid address ({error}); correct it", lasting=True) from None
            except exceptions.SSLError as error:
                if not isinstance(error.args[0], ssl.SSLCertVerificationError):
                    raise
                remedy = "; if you trust the server anyway, give --insecure" if self._access.options else ""
                raise FetchError(f"{shown(url)}: {reason_of(error)}{remedy}", lasting=True) from None
            with contextlib.closing(reply):
                target = reply.get_redirect_location()
                if not target:
                    if reply.status in _TAKEN or (headers and reply.status == NO_SUCH_PART):
                        yield reply
                        return
                    raise AnswerError(reply)
            try:
                place = urljoin(place, target)
            except ValueError:  # no address: the next round says so
                place = target
        raise FetchError(f"{shown(url)}: more than {_MOST_REDIRECTS} redirects", lasting=True)

    def _check_address(self, url: str) -> None:
        """Refuses an address that is none, or that is not to be asked for.

        Raises:
            FetchError: it is.
        """
        if problem := fault(url):
            raise FetchError(f"{shown(url)}: not a valid address ({problem}); correct it", lasting=True)
        name = urlsplit(url).hostname or ""
        if not self._may_be_private(url) and network.is_private_host(name):
            raise _private(name) if self._access.options else _elsewhere(name)

    def _may_be_private(self, url: str) -> bool:
        """Returns whether the server of an address may be in a private network."""
        return self._access.allow_private or network.server_of(url) in self._access.own

    def _manager(self, url: str) -> urllib3.PoolManager:
        """Returns what keeps the connections to a proxy, or to servers."""
        proxy, private = network.proxy_of(url, getproxies()), self._may_be_private(url)
        if (proxy, private) not in self._managers:
            certificates = "CERT_NONE" if self._access.insecure else "CERT_REQUIRED"
            if self._access.insecure:
                urllib3.disable_warnings(exceptions.InsecureRequestWarning)
            if proxy:
                name = unquote(urlsplit(proxy).netloc.rpartition("@")[0])
                login = urllib3.make_headers(proxy_basic_auth=name) if name else None
                manager: urllib3.PoolManager = urllib3.ProxyManager(
                    proxy, proxy_headers=login, maxsize=_CONNECTIONS, cert_reqs=certificates
                )
            else:
                manager = urllib3.PoolManager(maxsize=_CONNECTIONS, cert_reqs=certificates)
                if not private:
                    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
            self._managers[proxy, private] = manager
        return self._managers[proxy, private]


def _private(name: str) -> FetchError:
    return FetchError(
        f"{name} is this machine or in a private network; if it is yours to ask, give --allow-private", lasting=True
    )


def _elsewhere(name: str) -> FetchError:
    return FetchError(
        f"a redirect leads to {name}, which is this machine or in a private network; name that address itself",
        lasting=True,
    )


def reason_of(error: Exception) -> str:
    """Returns what urllib3 says in one line, without the names of its objects."""
    text = " ".join(str(error.args[0] if error.args else error).split())
    return _OBJECT.sub("", text) or type(error).__name__


def shown(url: str) -> str:
    """Returns an address as it may be printed and stored: without the query, if that is a signature.

    >>> shown("https://bucket.s3.amazonaws.com/a.warc.gz?X-Amz-Expires=60&X-Amz-Signature=0f")
    'https://bucket.s3.amazonaws.com/a.warc.gz'
    """
    address, _, query = url.partition("?")
    return address if _SIGNATURE.search(query) else url


def fault(url: str) -> str:
    """Returns what is wrong with an address; "" if nothing is."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            return "neither http nor https"
        return "" if parts.hostname and parts.port != 0 else "it has no host, or port 0"
    except ValueError as error:
        return str(error)


def _encoded(url: str) -> str:
    """Returns an address with the characters of path and query encoded that none may have.

    >>> _encoded("http://a.example/é b.gz?c=%20")
    'http://a.example/%C3%A9%20b.gz?c=%20'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=quote(parts.path, _RESERVED), query=quote(parts.query, _RESERVED)))


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
