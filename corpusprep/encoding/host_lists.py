"""Reads lists of hosts in the forms that they come in: plain, hosts files, rules of ad blockers, folders of UT1.

A list of a million hosts is read in half a second: its lines are not looked at one by one.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.io.entries import list_files, read_text

#: The names of a plain list, without marks, comments and patterns.
_PLAIN = re.compile(r"(?:[a-z0-9._-]*[ \t]*\r?\n)*[a-z0-9._-]*[ \t]*")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
#: A line of a hosts file (hosts(5)): an address of nowhere or of the machine itself, then names.
_HOSTS_LINE = re.compile(
    r"^[ \t]*(?:0(?:\.0\.0\.0)?|127\.\d+\.\d+\.\d+|255\.255\.255\.255|::1?|fe80::1%lo0|ff0\d::\d?)[ \t]+([^#\r\n]+)",
    re.MULTILINE,
)
#: A rule of an ad blocker that is about all of a domain: without a path, and without options that narrow it.
_WIDE = r"(?:all|doc|document|important)"
_RULE = re.compile(rf"^\|\|([a-z0-9._-]+)\^?(?:\${_WIDE}(?:,{_WIDE})*)?[ \t]*\r?$", re.MULTILINE)
_ANY_RULE = re.compile(r"^(?:\[adblock|@@\|\||\|\|)", re.MULTILINE)
_EXCEPTION = re.compile(r"^@@\|\|([a-z0-9._-]+)\^", re.MULTILINE)
_OUTER_DOT = re.compile(r"(?:^|\s)\.|\.(?:\s|$)")
#: Names in hosts files that are those of every machine, or its networks.
_OF_MACHINES = {
    *("localhost", "localhost.localdomain", "localhost4", "localhost6", "local", "broadcasthost", "0.0.0.0"),
    *("ip6-localhost", "ip6-loopback", "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters"),
    "ip6-allhosts",
}


@dataclass(slots=True)
class HostList:
    """What a list names.

    Attributes:
        domains: in lower case; each stands for itself and its subdomains.
        addresses: beginnings of addresses, from the host on, without `/` at the end: `example.org/people/x`.
    """

    domains: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)

    def add(self, other: "HostList") -> None:
        """Adds what another list names; what is large is not copied where nothing was there."""
        self.domains = self.domains | other.domains if self.domains else other.domains
        self.addresses = self.addresses | other.addresses if self.addresses else other.addresses

    def has_address(self, host: str, url: str) -> bool:
        """Returns whether an address begins as one of `addresses`, at the end of a part of its path.

        Args:
            host: of the address.
            url: the address.
        """
        if not self.addresses:
            return False
        place = url.lower().partition("://")[2].partition("?")[0].partition("#")[0]
        _, slash, path = place.partition("/")
        while slash:
            path = path.rstrip("/")
            if not path:
                return False
            if f"{host}/{path}" in self.addresses or f"{host.removeprefix('www.')}/{path}" in self.addresses:
                return True
            path, slash, _ = path.rpartition("/")
        return False


def read_list(path: Path) -> HostList | None:
    """Reads a list; returns None for a plain one with marks or patterns, whose lines are entries (io.entries).

    Args:
        path: a file, which gzip may have compressed; or a folder of UT1, with the files `domains` and `urls`.

    Raises:
        ConfigError: the list cannot be read, or a list of an ad blocker names no domain.
    """
    if path.is_dir():
        found = HostList()
        for file in list_files(path):
            names = set(_COMMENT.sub("", read_text(file).lower()).split())
            if file.name.startswith("domains"):
                found.domains |= names
            else:
                found.addresses |= {name.removeprefix("www.").rstrip("/") for name in names if "/" in name}
        return found
    text = read_text(path).lower()
    if _ANY_RULE.search(text):
        domains = set(_RULE.findall(text)).difference(_EXCEPTION.findall(text))
        if not domains:
            raise ConfigError(f"{path}: none of its rules is about a whole domain, such as ||example.org^")
        return HostList(domains)
    if _HOSTS_LINE.search(text):
        return HostList(set(" ".join(_HOSTS_LINE.findall(text)).split()) - _OF_MACHINES)
    if "#" in text:
        text = _COMMENT.sub("", text)
    if not _PLAIN.fullmatch(text):
        return None
    names = set(text.split())
    return HostList({name.strip(".") for name in names} - {""} if _OUTER_DOT.search(text) else names)
