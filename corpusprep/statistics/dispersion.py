"""Measures how the documents of a corpus are spread: over years, over lengths, and over hosts."""

from collections.abc import Iterator

import polars as pl

from corpusprep.io.tsv import Cell, percent, ratio
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, stays
from corpusprep.statistics.totals import Totals

#: The least words of each class of lengths.
LENGTHS = (1, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


class Years:
    """Documents and words by the year of the crawl; an empty year: no date."""

    name = "years"
    columns = ("year", "documents_crawl", "documents", "words_crawl", "words")
    numbers = columns[1:]

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages in a part of a batch."""
        year = pl.col("date").str.extract(r"^(\d{4})").fill_null("")
        return _summed(part, year.alias("key"))

    def rows(self, totals: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per year, ascending."""
        return [(year, *totals[year]) for year in sorted(totals)]


class Lengths:
    """Documents and words by the length of the document: in the crawl by all its words, in the corpus by those left."""

    name = "lengths"
    columns = ("from_words", "to_words", "documents_crawl", "documents", "words_crawl", "words")
    numbers = columns[2:]

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages in a part of a batch."""
        documents = _documents(part)
        found = []
        for kind in ("_crawl", ""):
            words = pl.col(f"words{kind}")
            least = pl.coalesce(pl.when(words >= least).then(pl.lit(least)) for least in reversed(LENGTHS))
            found.append(
                documents.filter(words > 0)
                .group_by(key=least.cast(pl.String))
                .agg(
                    *(
                        pl.lit(0, pl.Int64).alias(name)
                        for name in self.numbers
                        if name.endswith("_crawl") != bool(kind)
                    ),
                    pl.len().cast(pl.Int64).alias(f"documents{kind}"),
                    words.sum(),
                )
                .select("key", *self.numbers)
            )
        return pl.concat(found)

    def rows(self, totals: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per class of lengths, ascending."""
        ends: list[Cell] = [*(least - 1 for least in LENGTHS[1:]), ""]
        none = (0,) * len(self.numbers)
        return [(least, end, *totals.get(str(least), none)) for least, end in zip(LENGTHS, ends, strict=True)]


class Dispersion:
    """How the corpus is spread, in one row."""

    name = "dispersion"
    columns = (
        "hosts",
        "words",
        "words_of_ten_hosts",
        "words_of_ten_hosts_percent",
        "documents",
        "avg_words",
        "first_year",
        "last_year",
        "mean_dp",
    )

    def rows(self, hosts: HostLosses, years: Totals, mean: float | None) -> Iterator[tuple[Cell, ...]]:
        """Yields the row.

        Args:
            hosts: has seen all hosts.
            years: the sums of Years.
            mean: the mean deviation of proportions of the most frequent words.
        """
        documents = sum(numbers[1] for numbers in years.values())
        known = sorted(year for year, numbers in years.items() if year and numbers[1])
        yield (
            hosts.hosts,
            hosts.words,
            hosts.words_of_largest,
            percent(hosts.words_of_largest, hosts.words),
            documents,
            ratio(hosts.words, documents, 1),
            known[0] if known else "",
            known[-1] if known else "",
            "" if mean is None else f"{mean:.4f}",
        )


def _documents(part: JoinedVerdicts) -> pl.DataFrame:
    """Returns the pages with their words in the crawl and in the corpus."""
    documents = part.documents.select("record", "date", kept=stays("blocks").fill_null(False))
    sizes = part.sizes.select("record", "words_crawl", "words")
    return documents.join(sizes, on="record", how="left").with_columns(pl.col("words_crawl", "words").fill_null(0))


def _summed(part: JoinedVerdicts, key: pl.Expr) -> pl.DataFrame:
    return (
        _documents(part)
        .group_by(key)
        .agg(
            pl.len().cast(pl.Int64).alias("documents_crawl"),
            pl.col("kept").sum().cast(pl.Int64).alias("documents"),
            pl.col("words_crawl").sum(),
            pl.col("words").sum(),
        )
    )
