"""The limits of a crawl: what it may fetch, by address and by the header of a response (PRESEMT D3.1.3, 3.1)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from corpusprep.archive.records import host
from corpusprep.encoding.selection import Selection
from corpusprep.errors import ConfigError
from corpusprep.remote.network import is_private_host

CONTENT_TYPES = ("text/html", "application/xhtml+xml")
#: A longer address is of a trap more often than of a text.
LONGEST_URL = 500
#: An address whose path has one name more often is of a trap: /a/b/a/b/a/b.
MOST_REPEATED = 2
#: A user agent must name whom the owner of a site can ask: an address of mail, or of a page.
_CONTACT = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+|https?://[\w-]+(\.[\w-]+)*[/\w.-]*")


@dataclass(slots=True, frozen=True)
class Limits:
    """What may be fetched.

    Attributes:
        selection: domains that are visited or not, with their subdomains, and patterns of addresses.
        top_level: ends of host names, such as `cz`; empty: all.
        depth: the most links from a seed; None: any number.
        content_types: media types.
        min_bytes, max_bytes: of a body, as transferred.
        allow_private: whether addresses of this machine and of private networks are visited.
    """

    selection: Selection = field(default_factory=Selection.of)
    top_level: tuple[str, ...] = ()
    depth: int | None = None
    content_types: frozenset[str] = frozenset(CONTENT_TYPES)
    min_bytes: int = 0
    max_bytes: int = 2_000_000
    allow_private: bool = False

    def allows_host(self, url: str) -> bool:
        """Returns whether the host of an address may be visited."""
        name = host(url)
        if not name or not url.lower().startswith(("http://", "https://")) or not self.selection.takes_host(url):
            return False
        if self.top_level and not name.endswith(tuple(f".{end.strip('.')}" for end in self.top_level)):
            return False
        return self.allow_private or not is_private_host(name)

    def allows(self, url: str) -> bool:
        """Returns whether an address may be fetched."""
        if len(url) > LONGEST_URL or not self.allows_host(url) or not self.selection.takes_url(url):
            return False
        try:
            names = [part for part in urlsplit(url).path.split("/") if part]
        except ValueError:
            return False
        return all(names.count(part) <= MOST_REPEATED for part in names)

    def allows_body(self, headers: Mapping[str, str]) -> bool:
        """Returns whether the body of a response may be fetched, by `content-type` and `content-length`."""
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and kind not in self.content_types:
            return False
        length = headers.get("content-length", "")
        return not length.isdigit() or self.min_bytes <= int(length) <= self.max_bytes


def check_user_agent(agent: str) -> None:
    """Refuses a user agent without a contact.

    Raises:
        ConfigError: it has none.
    """
    if not _CONTACT.search(agent) or "\n" in agent or "\r" in agent:
        raise ConfigError(
            f"--user-agent is {agent!r}: it must say who crawls and how to reach them, such as"
            " 'my-corpus (+https://example.org/crawl; me@example.org)'"
        )
