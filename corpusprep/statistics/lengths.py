"""Counts documents and words by the length of the document."""

import polars as pl

from corpusprep.io.readable import thousands
from corpusprep.io.tsv import Cell, Row
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, documents_of
from corpusprep.statistics.table import Column, Table, crawl_and_corpus, names_of

#: The least words of each class of lengths.
LENGTHS = (1, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


class Lengths(Table):
    """Documents by their length: in the crawl by all words of the page, in the corpus by the words that are left."""

    name = "lengths"
    columns = (
        Column("from_words", "the least words of the class", heading="words"),
        Column("to_words", "the most words; empty for the last class", shown=False),
        *crawl_and_corpus("documents", "pages of this length in the crawl", "documents of this length in the corpus"),
        *crawl_and_corpus("words", "words of these pages", "words of these documents"),
    )
    title = "By length of the document"
    without_rows = "no pages"
    numbers = names_of(columns[2:])

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages in a part of a batch."""
        documents, counted = documents_of(part), []
        for kind in ("_crawl", ""):
            words = pl.col(f"words{kind}")
            least = pl.coalesce(pl.when(words >= least).then(pl.lit(least)) for least in reversed(LENGTHS))
            classes = documents.filter(words > 0).group_by(key=least.cast(pl.String))
            counted.append(classes.agg(pl.len().cast(pl.Int64).alias(f"documents{kind}"), words.sum()))
        return pl.concat(counted, how="diagonal").fill_null(0).select("key", *self.numbers)

    @classmethod
    def cells(cls, row: Row) -> list[str]:
        """Returns a row as the report prints it, with the name of the class of lengths."""
        return [length_class(row), *super().cells(row)[1:]]

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per class of lengths, ascending."""
        ends: list[Cell] = [*(least - 1 for least in LENGTHS[1:]), ""]
        none = (0,) * len(self.numbers)
        return [(least, end, *self.totals.get(str(least), none)) for least, end in zip(LENGTHS, ends, strict=True)]


def length_class(row: Row) -> str:
    """Returns what a class of lengths is called."""
    first, last = thousands(row["from_words"]), row["to_words"]
    return f"{first} to {thousands(last)}" if last else f"{first} or more"
