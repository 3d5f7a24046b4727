"""Lists the words that are typical of what each stage removed, against the corpus (Hardie 2014; Gabrielatos 2018).

The effect size is the log ratio: the binary logarithm of the quotient of the two relative frequencies. A word that is
twice as frequent in what was removed has 1. Words are sorted by the lower end of its 95 % interval, so a rare word
needs a larger difference. The interval is computed for the relative risk on the logarithmic scale (Katz et al. 1978).
"""

import bisect
import math
from collections.abc import Iterator, Mapping

import polars as pl

from corpusprep.io.tsv import Cell, Row
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.table import Column, Inputs, Source, Table, printed_word

#: Words per stage.
WORDS = 50
#: Quantile of the normal distribution for an interval of 95 %.
QUANTILE = 1.959963984540054
#: Stands for a frequency of 0, whose logarithm does not exist (Hardie 2014).
ABSENT = 0.5
_LOG_RATIO = (
    "binary logarithm of the quotient of the two: 1 is twice as frequent, 2 is four times. A word that the corpus does "
    "not have counts as half an occurrence"
)


def compared(removed: str, kept: str) -> tuple[Column, ...]:
    """Returns columns that compare a word of removed text with the corpus; the meanings of its counts are given."""
    return (
        Column("word", "the word, as in `keywords.tsv`", form=printed_word, foreign=True),
        Column("count_removed", removed, "removed", "count"),
        Column("count_kept", kept, "kept", "count"),
        Column("per_million_removed", "per million of the counted words of this text", "removed", "per million"),
        Column("per_million_kept", "per million of the counted words of the corpus", "kept", "per million"),
        Column("log_ratio", _LOG_RATIO, "", "log ratio"),
        Column("low", "lower end of its interval of 95 %", "95 % interval", "log ratio"),
        Column("high", "upper end", shown=False),
    )


class ComparedWords(Table):
    """Words of removed text, compared with the corpus."""

    @classmethod
    def cells(cls, row: Row) -> list[str]:
        """Returns a row as the report prints it, with the interval in one cell."""
        ratio, low, high = (f"{float(row[name]):.2f}" for name in ("log_ratio", "low", "high"))
        return [*super().cells(row)[:-2], ratio, f"{low} to {high}"]


class RemovedWords(ComparedWords):
    """Words that are typical of what each stage removed, against the corpus.

    Up to 50 per stage, by the lower end of the interval. The effect size is the log ratio (Hardie 2014;
    Gabrielatos 2018) with its interval of 95 %.
    """

    name = "removed_words"
    columns = (
        Column("stage", "the stage that removed the text", shown=False),
        *compared("occurrences in what the stage removed", "occurrences in the corpus"),
    )
    without_rows = "no typical words"
    most_rows = 15
    sources = (Source.WORDS,)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without words."""
        super().__init__(inputs)
        self._best: dict[str, pl.DataFrame] = {}

    def add_words(self, words: pl.DataFrame) -> None:
        """Adds words, and keeps the best ones of each stage."""
        for stage, rated in _by_stage(words, self.inputs.running):
            self._best[stage] = _best(pl.concat([self._best[stage], rated]) if stage in self._best else rated)

    @staticmethod
    def best_words(words: pl.DataFrame, running: Mapping[str, int]) -> pl.Series:
        """Returns the words that can be in the table; a word may occur more than once."""
        best = (_best(rated)["word"] for _, rated in _by_stage(words, running))
        return pl.concat([pl.Series("word", [], pl.String), *best])

    @staticmethod
    def frequent_enough(best: pl.DataFrame, running: Mapping[str, int]) -> pl.Expr:
        """Returns a condition that all words meet that can be in the table beside other ones; it compares counts."""
        kept, enough = running["count_after"], pl.lit(False)
        for stage, rated in _by_stage(best, running):
            lows = rated["low"].sort(descending=True)
            least = _least_count(lows[WORDS - 1], running[stage], kept) if len(lows) >= WORDS else 1
            enough |= pl.col(stage) >= least
        return enough

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: up to WORDS words per stage, the most typical first."""
        running = self.inputs.running
        for stage, words in self._best.items():
            for word, removed, kept, ratio, low, high in words.iter_rows():
                millions = 1e6 * removed / running[stage], 1e6 * kept / running["count_after"]
                measures = (f"{value:.3f}" for value in (ratio, low, high))
                yield (stage, word, removed, kept, *(f"{value:.1f}" for value in millions), *measures)


def _least_count(low: float, removed: int, kept: int) -> int:
    """Returns a number of occurrences in removed text below which no interval can begin at `low`.

    Of words that occur equally often there, it begins highest for one that the corpus has once or not at all: its
    derivative is negative from 0.97 occurrences on.
    """

    def highest(count: int) -> float:
        return max(_low(count, there, removed, kept) for there in (ABSENT, 1)) + 1e-6

    return bisect.bisect_left(range(1, removed + 1), low, key=highest) + 1


def _low(here: int, there: float, removed: int, kept: int) -> float:
    """Returns the beginning of the interval of a word (scored)."""
    variance = max(0.0, 1 / here - 1 / removed + 1 / there - 1 / kept)
    return math.log2((here / removed) / (there / kept)) - math.sqrt(variance) * (QUANTILE / math.log(2))


def _by_stage(words: pl.DataFrame, running: Mapping[str, int]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yields the words that are typical of what a stage removed (scored), for each stage that removed words."""
    kept = running.get("count_after")
    for stage in DECIDING:
        if kept and running.get(stage):
            yield stage, scored(words, stage, running[stage], kept)


def _best(scored_words: pl.DataFrame) -> pl.DataFrame:
    """Returns the most typical words, the first one first."""
    return scored_words.sort("low", "word", descending=[True, False]).head(WORDS)


def scored(words: pl.DataFrame, stage: str, removed: int, kept: int) -> pl.DataFrame:
    """Returns the words that are surely more frequent in removed text than in the corpus.

    Args:
        words: one row per word, with the columns key and count_after and the counts in the removed text.
        stage: the column of these.
        removed: number of running words of the removed text.
        kept: number of running words of the corpus.

    Returns:
        word, removed, kept (both counts), ratio (the log ratio), low and high (its interval).
    """
    removed_words = words.filter(pl.col(stage) > 0).select(word="key", removed=stage, kept="count_after")
    here = pl.col("removed").cast(pl.Float64)
    there = pl.max_horizontal(pl.col("kept").cast(pl.Float64), pl.lit(ABSENT))
    ratio = ((here / removed) / (there / kept)).log(2)
    error = (1 / here - 1 / removed + 1 / there - 1 / kept).clip(0).sqrt() * (QUANTILE / math.log(2))
    # Rounded: the last bit would decide ties.
    removed_words = removed_words.with_columns(
        ratio=ratio.round(9), low=(ratio - error).round(9), high=(ratio + error).round(9)
    )
    return removed_words.filter(pl.col("low") > 0)
