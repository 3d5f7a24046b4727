"""Lists the hosts most of whose text was removed, and measures how the words of a corpus are spread over its hosts."""

from collections.abc import Iterator, Sequence

import polars as pl

from corpusprep.io import readable
from corpusprep.io.tsv import Cell, percent
from corpusprep.statistics.table import Column, Source, Table, crawl_and_corpus, printed_host

#: Rows of the table.
ROWS = 50
#: The hosts whose share of all words is measured.
LARGEST = 10


class HostLosses(Table):
    """The hosts that lost more than half of their words, up to 50, those that lost most words first."""

    name = "host_losses"
    columns = (
        Column("host", "host name", form=printed_host, foreign=True),
        *crawl_and_corpus("documents", "pages of the host in the crawl", "its documents in the corpus"),
        *crawl_and_corpus("words", "its words in the crawl", "its words in the corpus"),
        Column("removed_percent", "words removed, of those in the crawl", "words removed", form=readable.percent),
    )

    title = "Hosts most of whose text was removed"
    without_rows = "no host lost more than half of its words"
    sources = (Source.HOSTS,)
    #: Numbers of all hosts and of their words, and the words of the largest.
    hosts = words = 0
    _largest: Sequence[int] = ()
    _lost: pl.DataFrame | None = None

    def add_hosts(self, hosts: pl.DataFrame) -> None:
        """Adds hosts, and keeps what the table needs."""
        lost = pl.col("words_crawl") - pl.col("words")
        losing = hosts.filter(2 * pl.col("words") < pl.col("words_crawl"))
        losing = losing.rename({"key": "host"}).select(*self.names[:-1], lost=lost)
        every = losing if self._lost is None else pl.concat([self._lost, losing])
        self._lost = every.sort("lost", "host", descending=[True, False]).head(ROWS)
        self.hosts += int((hosts["words"] > 0).sum())
        self.words += int(hosts["words"].sum())
        self._largest = sorted([*self._largest, *hosts["words"].top_k(LARGEST).to_list()])[-LARGEST:]

    @property
    def words_of_largest(self) -> int:
        """Words of the ten hosts with the most."""
        return sum(self._largest)

    def first(self, number: int) -> list[str]:
        """Returns the first hosts of the table."""
        return [] if self._lost is None else self._lost["host"].head(number).to_list()

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table."""
        if self._lost is not None:
            for *row, lost in self._lost.iter_rows():
                yield *row, percent(lost, row[self.names.index("words_crawl")])
