"""Sizes of hosts in the crawl and in the corpus (Pomikálek 2011, 3.6.5: distribution of domains)."""

from collections.abc import Iterator
from functools import cached_property

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, in_corpus, stays
from corpusprep.statistics.table import Column, Source, Table, crawl_and_corpus, names_of, printed_host
from corpusprep.tables.key_sums import KeySums

#: Number of digits in the sort keys.
_DIGITS = 18


class Domains(Table):
    """Hosts, those with the most documents in the corpus first."""

    name = "domains"
    columns = (
        Column("host", "host name", form=printed_host, foreign=True),
        *crawl_and_corpus("documents", "pages of the host in the crawl", "its documents in the corpus"),
        *crawl_and_corpus("blocks", "its blocks in the crawl", "its blocks in the corpus", shown=False),
        *crawl_and_corpus("words", "its words in the crawl", "its words in the corpus"),
    )
    without_rows = "no pages"
    sources = (Source.HOSTS,)
    #: `documents_language` is for the table host_sizes.HostSizes.
    numbers = (*names_of(columns[1:]), "documents_language")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the hosts in a part of a batch."""
        sizes = part.sizes.rename({"blocks": "blocks_kept"})
        documents = part.documents.join(sizes, on="record", how="left")
        return documents.group_by(key="host").agg(
            pl.len().cast(pl.Int64).alias("documents_crawl"),
            in_corpus().sum().cast(pl.Int64).alias("documents"),
            stays("language").sum().cast(pl.Int64).alias("documents_language"),
            pl.col("blocks_crawl").sum(),
            pl.col("blocks_kept").sum().alias("blocks"),
            pl.col("words_crawl").sum(),
            pl.col("words").sum(),
        )

    def add_hosts(self, hosts: pl.DataFrame) -> None:
        """Adds hosts with their sums; those that do not fit into memory go to temporary files."""
        most_first = 10**_DIGITS - 1 - pl.col("documents", "documents_crawl")
        place = pl.concat_str(most_first.cast(pl.String).str.zfill(_DIGITS), "key")
        self._sorted.add(hosts.with_columns(key=place))

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, sorted by documents in the corpus (most first), documents in the crawl, and name."""
        host = pl.col("key").str.slice(2 * _DIGITS).alias("host")
        for rows in self._sorted.sums():
            yield from rows.with_columns(host).select(self.names).iter_rows()

    @cached_property
    def _sorted(self) -> KeySums:
        return self.inputs.stack.enter_context(KeySums(self.inputs.folder))
