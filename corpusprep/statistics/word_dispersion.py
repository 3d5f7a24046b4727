"""Measures how evenly the most frequent words of a corpus are spread over its hosts (Gries 2008: DP)."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import polars as pl

from corpusprep.corpus.formats.frequencies import PARTS, dispersion
from corpusprep.io.tsv import Cell
from corpusprep.statistics.frequent_words import at_least_as_frequent, most_frequent
from corpusprep.statistics.grouped_words import GroupedWords
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import is_removed
from corpusprep.statistics.table import Column, Inputs, Source, Table, printed_word

#: Rows of the table.
WORDS = 50


class WordDispersion(Table):
    """The 50 most frequent words of the corpus and how evenly the hosts have them (DP, Gries 2008).

    Frequencies are counted in the corpus. All documents of a host are in one of 100 parts; one without a host (a
    local file) is by itself. Of crawls with more than 10,000 pages, DP is measured on 10,000 of them.
    """

    name = "word_dispersion"
    columns = (
        Column("word", "the word, as in `keywords.tsv`", form=printed_word, foreign=True),
        Column("count", "occurrences in the corpus"),
        Column("per_million", "occurrences per million of the words that are counted in the corpus"),
        Column(
            "dp",
            "deviation over 100 parts of the hosts: 0: spread as the text is, near 1: in few; empty if not read",
            "DP",
        ),
    )
    title = "The most frequent words"
    most_rows = 30
    sources = (Source.WORDS, Source.PAGES)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without words."""
        super().__init__(inputs)
        self._counting = GroupedWords()
        self._most: pl.DataFrame | None = None

    def add_pages(self, part: JoinedVerdicts, pages: pl.DataFrame) -> None:
        """Adds the words that are left of the pages of the sample."""
        chosen = pages.filter(pl.col("place").is_not_null())
        chosen = chosen.join(part.documents.select("record", "url", "page_digest"), on="record")
        host, address = pl.col("host").fill_null(""), pl.col("url").fill_null("")
        unit = pl.when(host != "").then(host).when(address != "").then(address).otherwise("page_digest")
        chosen = chosen.select("record", unit=unit.fill_null(""))
        units = chosen["unit"].unique()
        numbers = pl.Series([str(zlib.crc32(name.encode()) % PARTS) for name in units], dtype=pl.String)
        parts = chosen.join(pl.DataFrame({"unit": units, "group": numbers}), on="unit")
        self._counting.add(part.blocks.filter(~is_removed()), parts.select("record", "group"))

    def add_words(self, words: pl.DataFrame) -> None:
        """Adds words, and keeps the most frequent ones."""
        counts = words.select("key", "count_after")
        self._most = most_frequent(counts if self._most is None else pl.concat([self._most, counts]), WORDS)

    @staticmethod
    def best_words(words: pl.DataFrame, _running: Mapping[str, int]) -> pl.Series:
        """Returns the words that can be in the table."""
        return most_frequent(words, WORDS)["key"]

    @staticmethod
    def frequent_enough(best: pl.DataFrame, _running: Mapping[str, int]) -> pl.Expr:
        """Returns a condition that all words meet that can be in the table beside other ones."""
        return at_least_as_frequent(best, WORDS)

    def kept(self) -> tuple[pl.DataFrame, int]:
        """Returns the words that are left of the pages (key and count_after), and the number of running words."""
        words = self._words
        return words.group_by("key").agg(count_after=pl.col("count").sum()), int(words["count"].sum())

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, the most frequent word first; the deviation is empty for a word that no chosen page has."""
        for word, count, value in self._measured:
            million = 1e6 * count / self.inputs.running["count_after"]
            yield word, count, f"{million:.1f}", "" if value is None else f"{value:.4f}"

    def mean(self) -> float | None:
        """Returns the mean deviation of the words; None if there is none."""
        values = [value for _, _, value in self._measured if value is not None]
        return sum(values) / len(values) if values else None

    @cached_property
    def _words(self) -> pl.DataFrame:
        """The words that are left of the pages: key, part and count."""
        return self._counting.all().select("key", pl.col("group").cast(pl.Int64).alias("part"), "count")

    @cached_property
    def _measured(self) -> Sequence[tuple[str, int, float | None]]:
        if self._most is None:
            return []
        sizes = [0] * PARTS
        for part, size in self._words.group_by("part").agg(pl.col("count").sum()).iter_rows():
            sizes[part] = size
        chosen_parts = self._words.join(self._most.select("key"), on="key", how="semi").sort("key", "part")
        by_word = {str(word): parts for (word,), parts in chosen_parts.partition_by("key", as_dict=True).items()}
        measured: list[tuple[str, int, float | None]] = []
        for word, count in self._most.iter_rows():
            parts = by_word.get(word)
            value = None
            if parts is not None:
                value = dispersion([(part, number, 0) for _, part, number in parts.iter_rows()], sizes)
            measured.append((word, count, value))
        return measured
