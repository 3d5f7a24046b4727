"""Selects pages by host, address and crawl date, before anything else is looked at."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Self

from corpusprep.archive.records import Record, host
from corpusprep.encoding.host_lists import HostList, read_list
from corpusprep.errors import ConfigError
from corpusprep.io.entries import entries

#: What completes a year or a month to a day.
_FIRST_DAY = "2024-01-01"
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}:\d{2}Z)?)?)?")


class Patterns:
    """Texts in which `*` stands for any characters; finding a match takes time linear in the text."""

    def __init__(self, patterns: Iterable[str], exact: Set[str] = frozenset()) -> None:
        """Takes the patterns, and texts that are known to be none."""
        distinct = dict.fromkeys(patterns)
        more = [pattern for pattern in distinct if "*" not in pattern]
        self._exact = exact | frozenset(more) if more else exact
        self._pieces = [pattern.split("*") for pattern in distinct if "*" in pattern]

    def __bool__(self) -> bool:
        return bool(self._exact or self._pieces)

    def match(self, text: str) -> bool:
        """Returns whether a pattern matches the whole text."""
        return text in self._exact or any(_matches(pieces, text) for pieces in self._pieces)


def _matches(pieces: Sequence[str], text: str) -> bool:
    first, *middle, last = pieces
    position, end = len(first), len(text) - len(last)
    if position > end or not (text.startswith(first) and text.endswith(last)):
        return False
    for piece in middle:
        position = text.find(piece, position, end)
        if position < 0:
            return False
        position += len(piece)
    return True


@dataclass(slots=True, frozen=True)
class Selection:
    """What is taken: what a pattern to take matches, or all if there is none, without what one to leave out matches.

    Of lists in the forms of host_lists, `listed` and `listed_out` have the addresses; hosts are among the patterns.
    """

    hosts: Patterns
    hosts_out: Patterns
    urls: Patterns
    urls_out: Patterns
    first_date: str
    last_date: str
    listed: HostList = field(default_factory=HostList)
    listed_out: HostList = field(default_factory=HostList)

    @classmethod
    def of(
        cls,
        hosts: Iterable[str] = (),
        urls: Iterable[str] = (),
        first_date: str | None = None,
        last_date: str | None = None,
        listed: str = "host",
    ) -> Self:
        """Reads settings of the section `encoding`.

        Args:
            hosts: entries (io.entries): domains, which stand for themselves and their subdomains; files may be lists in
                the forms of host_lists.
            urls: entries: patterns of whole addresses.
            first_date: the first crawl date: a year, month, day or time (2024, 2024-05, 2024-05-31, …).
            last_date: the last one; all of that year, month or day is taken.
            listed: what an entry of a list of hosts stands for: the `host`, or its registered `domain`.

        Raises:
            ConfigError: an entry is no host, a list cannot be read, or the dates are none or in the wrong order.
        """
        with _of_key("hosts"):
            domains: list[str] = []
            out: list[str] = []
            lists = {True: HostList(), False: HostList()}
            for text in hosts:
                bare = text.removeprefix("!")
                found = read_list(Path(bare[1:])) if bare.startswith("@") else None
                if found is None:
                    for entry in entries([text]):
                        (out if entry.out else domains).extend(_domain(entry.text))
                else:
                    if listed == "domain":
                        from corpusprep.encoding.registered_domains import registered

                        found = HostList(registered(found.domains), found.addresses)
                    lists[text.startswith("!")].add(found)
        with _of_key("urls"):
            addresses = list(entries(urls))
        for key, date in (("first_date", first_date), ("last_date", last_date)):
            if date and not _DATE.fullmatch(date):
                raise ConfigError(f"{key} is {date!r}; allowed: 2024, 2024-05, 2024-05-31 or 2024-05-31T12:00:00Z")
            try:
                datetime.fromisoformat(f"{date}{_FIRST_DAY[len(date) :]}" if date else _FIRST_DAY)
            except ValueError as error:
                raise ConfigError(f"{key} is {date!r}, which is not in the calendar: {error}") from None
        first, last = first_date or "", last_date or ""
        if first and last and first[: len(last)] > last[: len(first)]:
            raise ConfigError(f"first_date ({first}) is after last_date ({last}): no page would be taken")
        return cls(
            Patterns(domains, lists[False].domains),
            Patterns(out, lists[True].domains),
            Patterns(entry.text for entry in addresses if not entry.out),
            Patterns(entry.text for entry in addresses if entry.out),
            first,
            last,
            lists[False],
            lists[True],
        )

    def verdict(self, record: Record) -> str | None:
        """Returns None for a record that is taken, or the reason (verdicts.RECORD_REASONS) why it is not."""
        if not self.takes_host(record.url):
            return "host"
        if not self.takes_url(record.url):
            return "url"
        if self.first_date or self.last_date:
            first, last = record.date[: len(self.first_date)], record.date[: len(self.last_date)]
            if not record.date or first < self.first_date or last > self.last_date:
                return "date"
        return None

    def takes_host(self, url: str) -> bool:
        """Returns whether the host of an address is taken."""
        if not (self.hosts or self.hosts_out or self.listed.addresses):
            return True
        domains = [name := host(url)]
        while (dot := domains[-1].find(".")) >= 0:
            domains.append(domains[-1][dot + 1 :])
        if any(map(self.hosts_out.match, domains)):
            return False
        if not (self.hosts or self.listed.addresses):
            return True
        return any(map(self.hosts.match, domains)) or self.listed.has_address(name, url)

    def takes_url(self, url: str) -> bool:
        """Returns whether an address is taken, whatever its host."""
        if self.listed_out.addresses and self.listed_out.has_address(host(url), url):
            return False
        return not self.urls_out.match(url) and (not self.urls or self.urls.match(url))


def _domain(entry: str) -> list[str]:
    """Returns a domain in the forms that stand in addresses: as it is, and in the ASCII form of the DNS."""
    name = entry.lower().strip(".")
    if not name or any(character in name for character in "/:@ \t"):
        raise ConfigError(f"{entry!r} is not a host; give it without scheme, port and path, such as example.org")
    forms = [name]
    if not name.isascii():
        with contextlib.suppress(UnicodeError):
            forms.append(".".join(part if "*" in part else part.encode("idna").decode() for part in name.split(".")))
    return forms


@contextlib.contextmanager
def _of_key(key: str) -> Iterator[None]:
    """Adds the name of the setting to errors."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{key}: {error}") from None
