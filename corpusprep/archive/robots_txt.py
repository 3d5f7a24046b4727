"""Reads the robots.txt records of archives, and says whether a user agent was allowed to fetch a page (RFC 9309).

The rules of a host come from its last robots.txt that was fetched before the page, or of its first one if all were
fetched later. Addresses are compared by host name, with any scheme and port. An answer with a status of 400 to 499 is a
file without rules; other answers than 200 say nothing.
"""

import bisect
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from corpusprep.archive.inputs import records
from corpusprep.archive.records import host
from corpusprep.remote.addresses import archive_path
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import TableWriter

if TYPE_CHECKING:
    from protego import Protego

#: Of a file, as RFC 9309 (2.5) asks for.
MOST_BYTES = 500 * 1024
#: Lines of a file, and lines for user agents times all lines, that are read: the parser makes a rule for each pair.
MOST_LINES, MOST_RULES = 20_000, 200_000
#: Parsed files that are held.
_HELD = 32
_ADDRESS = r"(?i)^https?://[^/?#]+/robots\.txt$"
_AGENT = re.compile(r"^[ \t]*user-?agent[ \t]*:", re.IGNORECASE | re.MULTILINE)
#: Verdicts of records without a body that can be read.
_UNREADABLE = (
    *("record_type", "damaged", "empty_archive", "bad_http", "bad_transfer", "bad_compression"),
    *("unknown_compression", "too_large"),
)


def gather(encoding: Path, output: Path) -> None:
    """Writes the table schemas.ROBOTS of a batch: the robots.txt records that its table of `encoding` names."""
    rows = read_table(encoding, schemas.ENCODING)
    wanted = rows.filter(
        pl.col("url").str.contains(_ADDRESS),
        pl.col("record_type") == "response",
        (pl.col("status") == 200) | pl.col("status").is_between(400, 499),
        ~pl.col("verdict").is_in(_UNREADABLE),
    )
    with TableWriter(output, schemas.ROBOTS) as table:
        for (archive,), wanted_rows in wanted.group_by("archive", maintain_order=True):
            first = rows.filter(pl.col("archive") == archive)["record"][0]
            of_record = {row["record"] - first: row for row in wanted_rows.iter_rows(named=True)}
            last = max(of_record)
            for record in records(archive_path(str(archive))):
                if (row := of_record.get(record.number)) is not None:
                    body = record.body[:MOST_BYTES] if row["status"] == 200 else b""
                    text = body.decode("utf-8-sig", "replace")
                    table.append((row["batch"], row["record"], row["host"], row["url"], row["date"], text), len(body))
                if record.number >= last:
                    break


@lru_cache(maxsize=_HELD)
def rules_of(text: str) -> "Protego | None":
    """Returns the rules of a robots.txt; None if it has too many of them to be meant."""
    from protego import Protego

    lines = text.splitlines()[:MOST_LINES]
    kept = "\n".join(lines)
    if len(_AGENT.findall(kept)) * len(lines) > MOST_RULES:
        return None
    return Protego.parse(kept)


class Robots:
    """The rules of the hosts of a batch for one user agent."""

    def __init__(self, hosts: Iterable[str], tables: Sequence[Path], agent: str) -> None:
        """Reads the robots.txt of these hosts.

        Args:
            hosts: their names.
            tables: the tables schemas.ROBOTS of all batches.
            agent: the name of the user agent (`CCBot`), or `*`.
        """
        self._agent = agent
        wanted = pl.DataFrame({"host": sorted(set(hosts))}, {"host": pl.String})
        columns = ["host", "date", "url", "text"]
        batches = [read_table(path, schemas.ROBOTS, columns).join(wanted, on="host", how="semi") for path in tables]
        rows = pl.concat([schemas.ROBOTS.to_frame().select(columns), *batches]).unique().sort(columns)
        self._dates: dict[str, list[str]] = {}
        self._texts: dict[str, list[str]] = {}
        for name, date, _, text in rows.iter_rows():
            self._dates.setdefault(name, []).append(date or "")
            self._texts.setdefault(name, []).append(text)

    def mark(self, url: str, date: str) -> str:
        """Returns `allow@robots.txt` or `disallow@robots.txt` for a page; "" if its host has no robots.txt here."""
        name = host(url)
        if name not in self._texts:
            return ""
        place = bisect.bisect_right(self._dates[name], date) if date else len(self._dates[name])
        rules = rules_of(self._texts[name][max(0, place - 1)])
        if rules is None:
            return ""
        try:
            allowed = rules.can_fetch(url, self._agent)
        except ValueError:  # an address that cannot be divided into its parts
            return ""
        return "allow@robots.txt" if allowed else "disallow@robots.txt"
