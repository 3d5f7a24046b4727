"""Lists the most frequent words of the corpus: enough of them to find the words that are typical of it."""

from collections.abc import Iterator, Mapping

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.table import Column, Inputs, Source, Table, printed_word

#: Rows of the table. The last one has about 20 occurrences per million in English text.
WORDS = 5_000


class FrequentWords(Table):
    """The 5,000 most frequent words of the corpus; the report compares them with those of the language."""

    name = "frequent_words"
    columns = (
        Column("word", "the word, as in `keywords.tsv`", form=printed_word, foreign=True),
        Column("count", "occurrences in the corpus"),
        Column("per_million", "occurrences per million of the words that are counted in the corpus"),
    )
    sources = (Source.WORDS,)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without words."""
        super().__init__(inputs)
        self._most = pl.DataFrame(schema={"key": pl.String, "count_after": pl.Int64})

    def add_words(self, words: pl.DataFrame) -> None:
        """Adds words, and keeps the most frequent ones."""
        self._most = most_frequent(pl.concat([self._most, words.select(self._most.columns)]), WORDS)

    @staticmethod
    def best_words(words: pl.DataFrame, _running: Mapping[str, int]) -> pl.Series:
        """Returns the words that can be in the table."""
        return most_frequent(words, WORDS)["key"]

    @staticmethod
    def frequent_enough(best: pl.DataFrame, _running: Mapping[str, int]) -> pl.Expr:
        """Returns a condition that all words meet that can be in the table beside other ones."""
        return at_least_as_frequent(best, WORDS)

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, the most frequent word first."""
        for word, count in self._most.iter_rows():
            yield word, count, f"{1e6 * count / self.inputs.running['count_after']:.1f}"


def most_frequent(words: pl.DataFrame, number: int) -> pl.DataFrame:
    """Returns the first words of the corpus (key and count_after), the most frequent first."""
    frequent = words.select("key", "count_after").filter(pl.col("count_after") > 0)
    return frequent.sort("count_after", "key", descending=[True, False]).head(number)


def at_least_as_frequent(best: pl.DataFrame, number: int) -> pl.Expr:
    """Returns a condition that all words meet that can be among the first ones beside other words."""
    counts = best["count_after"].sort(descending=True)
    return pl.col("count_after") >= (counts[number - 1] if len(counts) >= number else 1)
