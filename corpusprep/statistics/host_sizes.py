"""How many hosts have one, two, three … pages (Pomikálek 2011, 3.6 and 3.6.5: the distribution of domains)."""

from collections import Counter
from collections.abc import Iterator

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.table import Column, Inputs, Source, Table


class HostSizes(Table):
    """How many hosts have one, two, three … documents (thesis, 3.6 and 3.6.5). One row per number that occurs."""

    name = "host_sizes"
    columns = (
        Column("documents", "number of documents of a host"),
        Column("hosts_crawl", "hosts with this number of pages in the crawl"),
        Column("hosts_language", "hosts of which `language` kept this number of documents"),
        Column("hosts", "hosts with this number of documents in the corpus"),
    )

    #: Columns of domains.Domains, in the order of this table's.
    counted = ("documents_crawl", "documents_language", "documents")

    sources = (Source.HOSTS,)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without hosts."""
        super().__init__(inputs)
        self._hosts: dict[str, Counter[int]] = {name: Counter() for name in self.counted}

    def add_hosts(self, hosts: pl.DataFrame) -> None:
        """Counts hosts."""
        for name, counts in self._hosts.items():
            for documents, number in hosts[name].value_counts().iter_rows():
                counts[documents] += number

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: one row per number of documents that a host has, ascending."""
        for documents in sorted(set().union(*self._hosts.values()) - {0}):
            yield documents, *(counts[documents] for counts in self._hosts.values())
