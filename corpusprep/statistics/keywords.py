"""Lists the words whose frequency changed most through cleaning (Pomikálek 2011, 2.1; score: Kilgarriff 2009).

Boilerplate makes words such as "home", "search" and "print" too frequent. The table shows which words became rarer
through cleaning, and which ones more frequent.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native.arrow import Texts
from corpusprep._native.string_counts import StringCounts
from corpusprep.io.tsv import Cell
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import in_corpus, removed_by
from corpusprep.statistics.table import Column, Source, Table, printed_word

#: Rows of the table per direction: words that became more frequent, and words that became rarer.
ROWS_PER_DIRECTION = 100

#: Added to both frequencies per million before the division (Kilgarriff 2009, "Simple maths for keywords"). A larger
#: value gives more frequent words.
ADDED = 100

#: Most characters of a word: longer ones are encoded data.
LONGEST_WORD = 64

#: Scripts without spaces between words -> characters per sequence that is counted in place of a word. Katakana is not
#: among them: its sequences are mostly whole words.
SEQUENCES = {r"[\p{Han}\p{Hiragana}]": 2, r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]": 4}

#: Text without spaces is divided in portions of this many bytes: their sequences take 20 times as much memory.
_PORTION = 500_000

#: Scores are rounded by less than this.
_ROUNDED = 1e-9

_KEPT = "count_after"
#: What becomes of blocks: they stay, or a stage removes them.
FATES = (_KEPT, *DECIDING)


@cache
def fate_number() -> pl.Expr:
    """Where a block's fate stands in FATES."""
    return (removed_by().to_physical().cast(pl.UInt8) + 1).fill_null(0)


def is_removed() -> pl.Expr:
    """Whether a block does not stay."""
    return ~in_corpus().fill_null(False)


class Keywords(Table):
    """Words whose frequency the cleaning changed most: 100 whose share rose and 100 whose share fell.

    A word is a sequence of characters between white space, in lower case, without characters other than
    letters, marks and digits at its ends. It has at most 64 characters and a letter. Of text without spaces
    between words, each sequence of two characters (Han and kana) or of four (Thai, Lao, Khmer, Burmese) counts
    instead. The tables per million words are of these words.
    """

    name = "keywords"
    columns = (
        Column("word", "the word", form=printed_word, foreign=True),
        Column("count_before", "occurrences in the crawl", "before", "count"),
        Column("count_after", "occurrences in the corpus", "after", "count"),
        Column("per_million_before", "per million of the words that are counted there", "before", "per million"),
        Column("per_million_after", "per million of the words that are counted there", "after", "per million"),
        Column("score", "(per million after + 100) / (per million before + 100) (Kilgarriff 2009)"),
    )
    without_rows = "no words"
    most_rows = 25
    sources = (Source.WORDS,)
    #: Before and after cleaning; then what each stage removed, for the table removed_words.RemovedWords.
    numbers = ("count_before", "count_after", *DECIDING)

    _best: pl.DataFrame | None = None

    def add_words(self, words: pl.DataFrame) -> None:
        """Adds words, and keeps the best ones."""
        rated = _scored(words, self.inputs.running)
        self._best = _best(rated if self._best is None else pl.concat([self._best, rated]))

    @staticmethod
    def best_words(words: pl.DataFrame, running: Mapping[str, int]) -> pl.Series:
        """Returns the words that can be in the table."""
        return _best(_scored(words, running))["word"]

    @staticmethod
    def frequent_enough(best: pl.DataFrame, running: Mapping[str, int]) -> pl.Expr:
        """Returns a condition that all words meet that can be in the table beside other ones.

        It compares counts only, which takes a small part of the time of the scores. Of words with the same count after
        cleaning, the score of that which has no other occurrence before is the highest. Of words with the same count
        before, the score of that which has no occurrence after is the lowest.
        """
        before, after = running["count_before"], running[_KEPT]
        scores = _scored(best, running)["score"]
        rose, fell = scores.filter(scores > 1).sort(descending=True), scores.filter(scores < 1).sort()
        if min(len(rose), len(fell)) < ROWS_PER_DIRECTION:
            return pl.lit(True)
        highest, lowest = rose[ROWS_PER_DIRECTION - 1] - _ROUNDED, fell[ROWS_PER_DIRECTION - 1] + _ROUNDED
        slope = 1 / max(1, after) - highest / max(1, before)
        least_after = (highest - 1) * ADDED / 1e6 / slope if slope > 0 else math.inf
        least_before = (1 / lowest - 1) * ADDED / 1e6 * max(1, before)
        return pl.any_horizontal(pl.col(_KEPT) >= least_after, pl.col("count_before") >= least_before)

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, in descending order of score: up to 100 words that rose, then up to 100 that fell."""
        if self._best is not None:
            for word, before, after, *millions, score in self._best.select(self.names).iter_rows():
                yield word, before, after, *(f"{million:.1f}" for million in millions), f"{score:.3f}"


def counted_texts(strings: StringCounts, texts: pl.Series, sets: pl.Series) -> Iterator[None]:
    """Counts the strings of texts; yields where the counts must be taken before it can go on.

    Args:
        strings: the counts.
        texts: the texts.
        sets: the set of each, as pl.UInt8.
    """
    numbers = sets.to_numpy()
    text, place = strings.add(texts, numbers)
    while text < len(texts):
        yield
        text, place = strings.add(texts, numbers, text, place)


def add_odd_words(strings: StringCounts, sets: Sequence[str]) -> None:
    """Counts the words in the odd strings of counts, so that the words can be taken.

    Args:
        strings: the counts.
        sets: names of their sets.
    """
    words = words_of_odd(frame_of_words(strings.take_odd(), sets))
    strings.add_words(words["key"], words.select(sets).to_numpy(order="c"))


def words_of_odd(counts: pl.DataFrame, by: Sequence[str] = ("key",)) -> pl.DataFrame:
    """Returns the words in odd strings of StringCounts; a word may occur more than once.

    Args:
        counts: the strings as `key`, and columns of 64-bit numbers.
        by: the columns that are not added up.
    """
    # Lower-casing depends on the letters around a letter, but not across spaces: so strings alone are sufficient.
    lower = counts.with_columns(pl.col("key").str.to_lowercase())
    unspaced = lower["key"].str.contains("|".join(SEQUENCES))
    return pl.concat([_words(lower.filter(~unspaced)), *_sequences(lower.filter(unspaced), by)])


def frame_of_words(words: tuple[bytes, NDArray[np.int64], NDArray[np.int64]], sets: Sequence[str]) -> pl.DataFrame:
    """Returns strings of StringCounts as `key`, with a column per set."""
    text, offsets, counts = words
    keys = pl.Series(Texts(text, offsets), dtype=pl.String)
    return pl.DataFrame({"key": keys, **dict(zip(sets, counts, strict=True))})


def has_sequences(words: Iterable[str]) -> bool:
    """Returns whether some words of the table are sequences of characters, from text without spaces."""
    return bool(pl.Series(list(words), dtype=pl.String).str.contains("|".join(SEQUENCES)).any())


def _words(strings: pl.DataFrame) -> pl.DataFrame:
    """Extracts the words from strings without spaces, with their counts; a word may occur more than once."""
    spaced = pl.col("key").str.contains(r"\s")  # other white space; never in the output of `boilerplate`
    apart = strings.filter(spaced).with_columns(pl.col("key").str.extract_all(r"\S+")).explode("key")
    word = pl.col("key").str.replace(r"^[^\p{L}\p{M}\p{N}]+", "").str.replace(r"[^\p{L}\p{M}\p{N}]+$", "")
    words = pl.concat([strings.filter(~spaced), apart]).with_columns(word)
    return words.filter(pl.col("key").str.contains(r"\p{L}") & (pl.col("key").str.len_chars() <= LONGEST_WORD))


def _sequences(strings: pl.DataFrame, by: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Yields the words of strings that contain text without spaces: its sequences, and words of other scripts."""
    portion = strings["key"].str.len_bytes().cast(pl.Int64).cum_sum() // _PORTION
    for part in strings.with_columns(portion=portion).partition_by("portion", include_key=False, maintain_order=True):
        yield _words(part.with_columns(pl.col("key").str.replace_all("|".join(SEQUENCES), " ")))
        for script, length in SEQUENCES.items():
            runs = part.with_columns(pl.col("key").str.extract_all(f"{script}+")).explode("key").drop_nulls("key")
            if runs.is_empty():  # compiling the expressions below takes longer than all else for few strings
                continue
            shorter = f"|^{script}{{1,{length - 1}}}$"
            for start in range(length):
                pattern = f"{script}{{{length}}}" + ("" if start else shorter)
                pieces = runs.with_columns(pl.col("key").str.slice(start).str.extract_all(pattern))
                yield (
                    pieces.explode("key").drop_nulls("key").group_by(by, maintain_order=True).sum().select(part.columns)
                )


def _scored(sums: pl.DataFrame, running: Mapping[str, int]) -> pl.DataFrame:
    """Adds the frequencies per million and the score."""
    before, after = running["count_before"], running[_KEPT]
    million_before = 1e6 * pl.col("count_before") / max(1, before)
    million_after = 1e6 * pl.col("count_after") / max(1, after)
    # Rounded, because the last bit of a quotient depends on its place in the column and would decide ties.
    score = ((million_after + ADDED) / (million_before + ADDED)).round(9)
    return sums.rename({"key": "word"}).with_columns(
        per_million_before=million_before, per_million_after=million_after, score=score
    )


def _best(scored: pl.DataFrame) -> pl.DataFrame:
    """Returns the words that rose most and those that fell most, in descending order of score."""
    rose = scored.filter(pl.col("score") > 1).sort("score", "word", descending=[True, False]).head(ROWS_PER_DIRECTION)
    fell = scored.filter(pl.col("score") < 1).sort("score", "word").head(ROWS_PER_DIRECTION)
    return pl.concat([rose, fell.sort("score", "word", descending=[True, False])])
