"""How servers are asked, and which addresses may be: public ones, unless private ones are allowed.

A page, a redirect or a list can name this machine or a private network, as a number or by a name of the DNS. So a name
is looked up once, each of its addresses is checked, and the connection is made to an address that was checked: a second
answer of the DNS leads nowhere else (DNS rebinding).
"""

import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from corpusprep import __version__

#: IPv6 addresses that end in an IPv4 address: NAT64's (RFC 6052), and IPv4-compatible ones (RFC 4291).
_ENDS_IN_IPV4 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))


@dataclass(slots=True, kw_only=True)
class Access:
    """How servers are asked.

    Attributes:
        user_agent: what servers are told about who asks.
        delay: seconds between two requests.
        timeout: seconds without a byte, or for a response.
        max_bytes: of a file or page; no longer one is taken.
        allow_private: whether addresses of this machine and of private networks may be asked.
        insecure: whether certificates are taken without verifying them.
        own: servers (host, port) that the user has named: they may be private, but nothing that they lead to.
        options: whether `allow_private` and `insecure` are options of the command that asks.
    """

    user_agent: str = f"corpusprep/{__version__}"
    delay: float = 0.0
    timeout: float = 60.0
    max_bytes: int = 20_000_000_000
    allow_private: bool = False
    insecure: bool = False
    own: frozenset[tuple[str, int]] = frozenset()
    options: bool = True


def server_of(url: str) -> tuple[str, int]:
    """Returns host and port of an address."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def is_public(address: str) -> bool:
    """Returns whether an IP address is a public one; an IPv4 address inside one of IPv6 counts.

    >>> [is_public(address) for address in ("8.8.8.8", "10.0.0.1", "::1", "::ffff:127.0.0.1", "fe80::1%eth0")]
    [True, False, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and any(found in network for network in _ENDS_IN_IPV4):
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def is_private_host(name: str) -> bool:
    """Returns whether a host is `localhost`, or an address that is not public, in any form; other names are looked up.

    >>> [is_private_host(name) for name in ("2130706433", "0x7f.1", "[::1]", "a.localhost", "8.8.8.8", "a.example")]
    [True, True, True, True, False, False]
    """
    name = name.strip("[]").rstrip(".").lower()
    try:
        literal = str(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        try:
            literal = socket.inet_ntoa(socket.inet_aton(name))
        except (OSError, UnicodeError, ValueError):
            return f".{name}".endswith(".localhost")
    return not is_public(literal)


def addresses(name: str, port: int) -> list[str]:
    """Looks a name up; returns its public addresses.

    Raises:
        OSError: it has no address at all.
    """
    found = socket.getaddrinfo(name.strip("[]"), port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found if is_public(str(place[0]))]


def proxy_of(url: str, proxies: Mapping[str, str]) -> str:
    """Returns the proxy of the environment (`http_proxy`, `https_proxy`, `no_proxy`) for an address, or ""."""
    parts = urlsplit(url)
    proxy = proxies.get(parts.scheme, "")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def proxy_places() -> set[tuple[str, int]]:
    """Returns the hosts and ports of the proxies of the environment; they may be private."""
    places = set()
    for scheme in ("http", "https"):
        proxy = getproxies().get(scheme, "")
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if parts.hostname:
            port = parts.port or (443 if parts.scheme == "https" else 80)
            places |= {(parts.hostname, port), (parts.hostname, 0)}  # 0: of a tunnel for https
    return places
