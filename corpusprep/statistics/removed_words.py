"""Lists the words that are typical of what each stage removed, against the corpus (Hardie 2014; Gabrielatos 2018).

The effect size is the log ratio: the binary logarithm of the quotient of the two relative frequencies. A word that is
twice as frequent in what was removed has 1. Words are sorted by the lower end of its 95 % interval, so a rare word
needs a larger difference. The interval is that of the relative risk on the logarithmic scale (Katz et al. 1978).
"""

import bisect
import math
from collections.abc import Iterable, Iterator, Mapping

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.pipeline import DECIDING

#: Words per stage.
WORDS = 50
#: Quantile of the normal distribution for an interval of 95 %.
QUANTILE = 1.959963984540054
#: Stands for a frequency of 0, whose logarithm does not exist (Hardie 2014).
ABSENT = 0.5
#: Columns of a word: its counts, and what the comparison says.
COMPARED = (
    "word",
    "count_removed",
    "count_kept",
    "per_million_removed",
    "per_million_kept",
    "log_ratio",
    "low",
    "high",
)


class RemovedWords:
    """The words that are most typical of what each stage removed."""

    name = "removed_words"
    columns = ("stage", *COMPARED)

    def __init__(self, removed: Mapping[str, int], kept: int) -> None:
        """Starts without words.

        Args:
            removed: number of running words that each stage removed.
            kept: number of running words in the corpus.
        """
        self._removed, self._kept = removed, kept
        self._best: dict[str, pl.DataFrame] = {}

    def watching(self, sums: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yields pieces with one row per word (keywords.Keywords) unchanged, and keeps the best words of each stage."""
        for words in sums:
            for stage in DECIDING:
                if self._removed.get(stage) and self._kept:
                    found = scored(words, stage, self._removed[stage], self._kept)
                    self._best[stage] = _best(pl.concat([self._best[stage], found]) if stage in self._best else found)
            yield words

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: up to WORDS words per stage, the most typical first."""
        for stage, words in self._best.items():
            for word, removed, kept, ratio, low, high in words.iter_rows():
                millions = 1e6 * removed / self._removed[stage], 1e6 * kept / self._kept
                measures = (f"{value:.3f}" for value in (ratio, low, high))
                yield (stage, word, removed, kept, *(f"{value:.1f}" for value in millions), *measures)


def best_removed(words: pl.DataFrame, running: Mapping[str, int]) -> pl.Series:
    """Returns the words that can be in the table; a word may occur more than once.

    Args:
        words: one row per word (keywords.Keywords).
        running: number of running words by name (keywords.Keywords.numbers).
    """
    stages = [stage for stage in DECIDING if running[stage] and running["count_after"]]
    best = (_best(scored(words, stage, running[stage], running["count_after"]))["word"] for stage in stages)
    return pl.concat([pl.Series("word", [], pl.String), *best])


def frequent_enough(best: pl.DataFrame, running: Mapping[str, int]) -> pl.Expr:
    """Returns a condition that all words meet that can be in the table beside other ones; most words do not.

    It compares counts only.

    Args:
        best: words with their counts.
        running: number of running words by name (keywords.Keywords.numbers).
    """
    kept, found = running["count_after"], pl.lit(False)
    for stage in DECIDING:
        removed = running[stage]
        if removed and kept:
            lows = scored(best, stage, removed, kept)["low"].sort(descending=True)
            least = _least_count(lows[WORDS - 1], removed, kept) if len(lows) >= WORDS else 1
            found |= pl.col(stage) >= least
    return found


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


def _best(found: pl.DataFrame) -> pl.DataFrame:
    """Returns the most typical words, the first one first."""
    return found.sort("low", "word", descending=[True, False]).head(WORDS)


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
    found = words.filter(pl.col(stage) > 0).select(word="key", removed=stage, kept="count_after")
    here = pl.col("removed").cast(pl.Float64)
    there = pl.max_horizontal(pl.col("kept").cast(pl.Float64), pl.lit(ABSENT))
    ratio = ((here / removed) / (there / kept)).log(2)
    error = (1 / here - 1 / removed + 1 / there - 1 / kept).clip(0).sqrt() * (QUANTILE / math.log(2))
    # Rounded: the last bit would decide ties.
    found = found.with_columns(ratio=ratio.round(9), low=(ratio - error).round(9), high=(ratio + error).round(9))
    return found.filter(pl.col("low") > 0)
