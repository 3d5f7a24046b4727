"""Counts documents and words by the year of the crawl."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, documents_of
from corpusprep.statistics.table import Column, Table, crawl_and_corpus, names_of


class Years(Table):
    """Documents and words by the year of the crawl, ascending."""

    name = "years"
    columns = (
        Column("year", "year of the date; empty for pages without a date", form=lambda year: year or "no date"),
        *crawl_and_corpus("documents", "pages in the crawl", "documents in the corpus"),
        *crawl_and_corpus("words", "words in the crawl", "words in the corpus"),
    )
    title = "By year of the crawl"
    without_rows = "no pages"
    most_rows = None
    numbers = names_of(columns[1:])

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages in a part of a batch."""
        year = pl.col("date").str.extract(r"^(\d{4})").fill_null("")
        return (
            documents_of(part)
            .group_by(year.alias("key"))
            .agg(
                pl.len().cast(pl.Int64).alias("documents_crawl"),
                pl.col("kept").sum().cast(pl.Int64).alias("documents"),
                pl.col("words_crawl").sum(),
                pl.col("words").sum(),
            )
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per year, ascending."""
        return [(year, *self.totals[year]) for year in sorted(self.totals)]
