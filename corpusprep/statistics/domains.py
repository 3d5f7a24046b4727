"""Sizes of hosts in the crawl and in the corpus (Pomikálek 2011, 3.6.5: distribution of domains)."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, stays
from corpusprep.tables.key_sums import KeySums

#: Number of digits in the sort keys.
_DIGITS = 18


class Domains:
    """Documents, blocks and words of each host, in the crawl (`…_crawl`) and in the corpus."""

    name = "domains"
    columns = ("host", "documents_crawl", "documents", "blocks_crawl", "blocks", "words_crawl", "words")
    #: `documents_language` is for the table host_sizes.HostSizes.
    numbers = (*columns[1:], "documents_language")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the hosts in a part of a batch."""
        sizes = part.sizes.rename({"blocks": "blocks_kept"})
        documents = part.documents.join(sizes, on="record", how="left")
        return documents.group_by(key="host").agg(
            pl.len().cast(pl.Int64).alias("documents_crawl"),
            stays("blocks").sum().cast(pl.Int64).alias("documents"),
            stays("language").sum().cast(pl.Int64).alias("documents_language"),
            pl.col("blocks_crawl").sum(),
            pl.col("blocks_kept").sum().alias("blocks"),
            pl.col("words_crawl").sum(),
            pl.col("words").sum(),
        )

    def rows(self, sums: Iterable[pl.DataFrame], folder: Path) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, sorted by documents in the corpus (most first), documents in the crawl, and name.

        Args:
            sums: one row per host, in pieces.
            folder: an existing folder for temporary files, used when the hosts do not fit into memory.
        """
        most_first = 10**_DIGITS - 1 - pl.col("documents", "documents_crawl")
        place = pl.concat_str(most_first.cast(pl.String).str.zfill(_DIGITS), "key")
        with KeySums(folder) as sorted_rows:
            for hosts in sums:
                sorted_rows.add(hosts.with_columns(key=place))
            for rows in sorted_rows.sums():
                host = pl.col("key").str.slice(2 * _DIGITS).alias("host")
                yield from rows.with_columns(host).select(self.columns).iter_rows()
