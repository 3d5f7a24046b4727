"""How many hosts have one, two, three … pages (Pomikálek 2011, 3.6 and 3.6.5: the distribution of domains)."""

from collections import Counter
from collections.abc import Iterable, Iterator

import polars as pl

from corpusprep.io.tsv import Cell


class HostSizes:
    """Numbers of hosts by their number of pages in the crawl, of documents after `language`, and in the corpus.

    The numbers of pages that occur are in memory. They are few: with m pages, fewer than the square root of 2 m.
    """

    name = "host_sizes"
    columns = ("documents", "hosts_crawl", "hosts_language", "hosts")

    #: Columns of domains.Domains, in the order of this table's.
    counted = ("documents_crawl", "documents_language", "documents")

    def __init__(self) -> None:
        """Starts without hosts."""
        self._hosts: dict[str, Counter[int]] = {name: Counter() for name in self.counted}

    def counting(self, sums: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yields pieces with one row per host unchanged, and counts their hosts."""
        for hosts in sums:
            for name, counts in self._hosts.items():
                for documents, number in hosts[name].value_counts().iter_rows():
                    counts[documents] += number
            yield hosts

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: one row per number of documents that a host has, ascending."""
        for documents in sorted(set().union(*self._hosts.values()) - {0}):
            yield documents, *(counts[documents] for counts in self._hosts.values())
