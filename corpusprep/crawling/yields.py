"""The yield of hosts: clean bytes in a language per byte fetched (Suchomel and Pomikálek 2012, SpiderLing).

A host is visited as long as its yield reaches a threshold that grows with the number n of its documents:
t(n) = 0.01 (log10(n) - 1). So after 10 documents it must have given something, after 100 documents 1 %, after 1,000
documents 2 %, after 10,000 documents 3 %. Redirects and errors count in n: they cost requests, too.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from corpusprep.io import tsv

#: Fewer documents decide nothing.
LEAST_DOCUMENTS = 10
#: A host that has failed so often in a row is not asked again.
MOST_FAILURES = 8
#: The first two are sums over all hosts at that time: bytes fetched, and clean bytes.
COLUMNS = (
    *("fetched", "clean", "host", "documents", "other_answers", "bytes", "clean_bytes"),
    *("yield", "threshold", "state"),
)


def threshold(documents: int) -> float:
    """Returns the lowest yield of a host with so many documents.

    >>> [round(threshold(n), 4) for n in (1, 10, 100, 10_000)]
    [0.0, 0.0, 0.01, 0.03]
    """
    return 0.01 * max(0.0, math.log10(max(documents, 1)) - 1)


def is_failure(status: int) -> bool:
    """Returns whether a response is no document: 429 and 5xx.

    >>> [is_failure(status) for status in (200, 404, 429, 503)]
    [False, False, True, True]
    """
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS


@dataclass(slots=True)
class HostYield:
    """What a host has given.

    Attributes:
        documents: pages with status 200.
        fetched: bytes of the bodies of all answers, as transferred.
        clean: bytes of new text in the language.
        failures: requests in a row without a response, or with 429 or 5xx.
        dropped: why it is not visited any more: `yield`, `failures`, `limit`; "" while it is.
        others: other answers, such as redirects and errors, but for 429 and 5xx.
    """

    documents: int = 0
    fetched: int = 0
    clean: int = 0
    failures: int = 0
    dropped: str = ""
    others: int = 0

    @property
    def answers(self) -> int:
        """Documents and other answers: n of the threshold."""
        return self.documents + self.others

    @property
    def rate(self) -> float:
        """Clean bytes per byte fetched."""
        return self.clean / self.fetched if self.fetched else 0.0

    def is_poor(self) -> bool:
        """Returns whether its yield is below the threshold."""
        if self.answers <= LEAST_DOCUMENTS:
            return False
        return not self.clean or self.rate < threshold(self.answers)


class Yields:
    """The yields of all hosts, and their history.

    Attributes:
        hosts: by name.
        history: rows of COLUMNS: a host after 1, 2, 5, 10, 20, 50, … documents, and when it was dropped.
        fetched, clean: the sums over all hosts, in bytes.
    """

    def __init__(self, *, dropping: bool = True, most_documents: int | None = None) -> None:
        """Starts without hosts.

        Args:
            dropping: whether the yield decides that a host is not visited further.
            most_documents: of a host.
        """
        self.hosts: dict[str, HostYield] = {}
        self.history: list[tuple[str | int, ...]] = []
        self.fetched = self.clean = 0
        self._dropping, self._most = dropping, most_documents

    def add(self, host: str, fetched: int, clean: int, *, is_page: bool = True) -> HostYield:
        """Counts an answer of a host, and decides whether the host is visited further."""
        host_yield = self.hosts.setdefault(host, HostYield())
        host_yield.documents += is_page
        host_yield.others += not is_page
        host_yield.fetched += fetched
        host_yield.clean += clean
        host_yield.failures = 0
        self.fetched += fetched
        self.clean += clean
        before = host_yield.dropped
        if not before:
            if self._dropping and host_yield.is_poor():
                host_yield.dropped = "yield"
            elif self._most is not None and host_yield.documents >= self._most:
                host_yield.dropped = "limit"
        if host_yield.dropped != before or (is_page and _is_noted(host_yield.documents)):
            self.note(host)
        return host_yield

    def fail(self, host: str) -> None:
        """Counts a request without a response."""
        host_yield = self.hosts.setdefault(host, HostYield())
        host_yield.failures += 1
        if not host_yield.dropped and host_yield.failures >= MOST_FAILURES:
            host_yield.dropped = "failures"
            self.note(host)

    def forgive(self, hosts: Iterable[str]) -> None:
        """Lets hosts be visited again that were dropped for failures before they gave any document."""
        for host in hosts:
            host_yield = self.hosts.get(host)
            if host_yield is not None and not host_yield.answers and host_yield.dropped == "failures":
                host_yield.failures, host_yield.dropped = 0, ""

    def is_dropped(self, host: str) -> bool:
        """Returns whether a host is not visited any more."""
        host_yield = self.hosts.get(host)
        return host_yield is not None and bool(host_yield.dropped)

    def is_out(self, host: str) -> bool:
        """Returns whether a host is not visited in later runs, either: `forgive` does not concern it."""
        return self.is_dropped(host) and self.hosts[host].dropped != "failures"

    def note(self, host: str) -> None:
        """Adds a row about a host to the history."""
        host_yield = self.hosts[host]
        rate, least = f"{host_yield.rate:.4f}", f"{threshold(host_yield.answers):.4f}"
        sums = (host_yield.documents, host_yield.others, host_yield.fetched, host_yield.clean)
        self.history.append((self.fetched, self.clean, host, *sums, rate, least, host_yield.dropped or "visited"))

    def all_rows(self) -> list[tuple[str | int, ...]]:
        """Returns the history, then each host as it is now, the one with most clean bytes first."""
        known = len(self.history)
        for host in sorted(self.hosts, key=lambda name: (-self.hosts[name].clean, name)):
            self.note(host)
        rows, self.history = self.history, self.history[:known]
        return rows

    def write(self, path: Path) -> None:
        """Writes the table of all_rows."""
        tsv.write(path, COLUMNS, self.all_rows())

    def rows(self) -> list[dict[str, str]]:
        """Returns the table as `read` does."""
        return [dict(zip(COLUMNS, map(str, row), strict=True)) for row in self.all_rows()]

    def state(self) -> dict[str, Any]:
        """Returns all that `of_state` needs to go on, as JSON can have it."""
        return {"hosts": {name: asdict(host_yield) for name, host_yield in self.hosts.items()}, "history": self.history}

    def restore(self, state: dict[str, Any]) -> Self:
        """Goes on with the hosts of an earlier run."""
        self.hosts = {name: HostYield(**host_yield) for name, host_yield in state["hosts"].items()}
        self.history = [tuple(row) for row in state["history"]]
        self.fetched = sum(host_yield.fetched for host_yield in self.hosts.values())
        self.clean = sum(host_yield.clean for host_yield in self.hosts.values())
        return self

    def summary(self) -> str:
        """Returns one line: documents, other answers, bytes, yield, hosts."""
        documents = sum(host_yield.documents for host_yield in self.hosts.values())
        others = sum(host_yield.others for host_yield in self.hosts.values())
        dropped = sum(bool(host_yield.dropped) for host_yield in self.hosts.values())
        share = 100 * self.clean / self.fetched if self.fetched else 0.0
        return (
            f"{documents:,} documents, {others:,} other answers, {self.fetched / 1e6:,.1f} MB fetched,"
            f" {self.clean / 1e6:,.2f} MB clean ({share:.1f} %), {len(self.hosts):,} hosts ({dropped:,} dropped)"
        )


def _is_noted(documents: int) -> bool:
    """Returns whether a number is 1, 2 or 5 times a power of ten."""
    while documents % 10 == 0:
        documents //= 10
    return documents in (1, 2, 5)


def final_rows(rows: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Returns the last row of each host of a table, in the table's order."""
    last: dict[str, dict[str, str]] = {}
    for row in rows:
        last.pop(row["host"], None)
        last[row["host"]] = row
    return list(last.values())


def read(path: Path) -> list[dict[str, str]]:
    """Reads a table of yields.

    Raises:
        StageFileError: the file is missing, or is another table.
    """
    return tsv.read(path, COLUMNS)


def shown(rows: Sequence[dict[str, str]], most: int) -> list[str]:
    """Returns the first hosts of a table as lines of at most 80 characters."""
    lines = [f"{'host':<36} {'documents':>9} {'MB':>8} {'yield':>7}  state"]
    for row in rows[:most]:
        name = row["host"] if len(row["host"]) <= 36 else row["host"][:35] + "…"
        megabytes = int(row["bytes"]) / 1e6
        lines.append(f"{name:<36} {row['documents']:>9} {megabytes:>8.2f} {float(row['yield']):>7.3f}  {row['state']}")
    if len(rows) > most:
        lines.append(f"… and {len(rows) - most:,} more")
    return lines
