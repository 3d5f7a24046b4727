"""Hosts by what they gave to the crawl and to the corpus (Pomikálek 2011, 3.6.5: distribution of domains)."""

import polars as pl

from corpusprep.statistics.fates import Fates
from corpusprep.statistics.sums import Sums
from corpusprep.statistics.tsv import Cell
from corpusprep.verdicts import KEPT


class Domains:
    """Documents, blocks and words of each host, in the crawl (`…_crawl`) and in the corpus."""

    name = "domains"
    columns = ("host", "documents_crawl", "documents", "blocks_crawl", "blocks", "words_crawl", "words")

    def __init__(self) -> None:
        self._sums = Sums(["host"])

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        kept = pl.col("blocks") == KEPT
        sizes = fates.blocks.group_by("record").agg(
            pl.len().cast(pl.Int64).alias("blocks_crawl"),
            kept.sum().cast(pl.Int64).alias("blocks_kept"),
            pl.col("words").sum().alias("words_crawl"),
            pl.col("words").filter(kept).sum().alias("words_kept"),
        )
        documents = fates.documents.join(sizes, on="record", how="left")
        self._sums.add(
            documents.group_by("host").agg(
                pl.len().cast(pl.Int64).alias("documents_crawl"),
                kept.sum().cast(pl.Int64).alias("documents"),
                pl.col("blocks_crawl").sum(),
                pl.col("blocks_kept").sum().alias("blocks"),
                pl.col("words_crawl").sum(),
                pl.col("words_kept").sum().alias("words"),
            )
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table: most documents in the corpus first, then most in the crawl, then by name."""
        if not self._sums:
            return []
        total = self._sums.total().sort(
            "documents", "documents_crawl", "host", descending=[True, True, False], maintain_order=True
        )
        return list(total.select(self.columns).iter_rows())
