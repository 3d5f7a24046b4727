"""Lists the words whose frequency changed most through cleaning (Pomikálek 2011, 2.1; score: Kilgarriff 2009).

Boilerplate makes words such as "home", "search" and "print" too frequent. The table shows which words became rarer
through cleaning, and which ones more frequent.
"""

from collections.abc import Iterable, Iterator

import polars as pl

from corpusprep._native.arrow import Texts
from corpusprep._native.string_counts import StringCounts
from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, stays
from corpusprep.statistics.key_sums import HELD_BYTES

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

_NONE = pl.DataFrame(schema={"key": pl.String, "count_before": pl.Int64, "count_after": pl.Int64})


class Keywords:
    """Frequencies of words in the crawl (before) and in the corpus (after).

    A word is a sequence of characters between white space, in lower case, without characters other than letters, marks
    and digits at its ends. It must contain a letter. In scripts without spaces between words (SEQUENCES), all sequences
    of a fixed number of characters count instead.
    """

    name = "keywords"
    columns = ("word", "count_before", "count_after", "per_million_before", "per_million_after", "score")
    numbers = ("count_before", "count_after")

    def __init__(self, held: int = HELD_BYTES) -> None:
        """Starts without counts; `count` returns counts when they take three to six times `held` bytes."""
        # With 3, the words of 40 MB of archives fit and are returned once. With 2, adding them up took 20 MB more.
        self._strings = StringCounts(3 * held, LONGEST_WORD)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the words of a part of a batch; returns counts, also of earlier parts, when there are many."""
        kept = part.blocks.select(stays("blocks").fill_null(False)).to_series()
        found = [_NONE]
        for texts, is_kept in ((part.blocks["text"].filter(~kept), False), (part.blocks["text"].filter(kept), True)):
            text = texts.str.join(" ").cast(pl.Binary)[0]
            place = 0
            while (place := self._strings.add(text, place, is_kept)) < len(text):
                found.append(self.rest())
        return pl.concat(found)

    def rest(self) -> pl.DataFrame:
        """Returns the counts that have not been returned yet; a word may occur more than once."""
        text, offsets, (other, kept) = self._strings.take()
        strings = pl.Series("key", Texts(text, offsets), dtype=pl.String)
        counts = pl.DataFrame({"key": strings, "count_before": other + kept, "count_after": kept})
        plain = ~pl.col("key").str.contains(r"[^[:ascii:]]|\s")  # the kernel has already made words of these
        # Lower-casing depends on the letters around a letter, but not across spaces: so strings alone are sufficient.
        lower = counts.filter(~plain).with_columns(pl.col("key").str.to_lowercase())
        unspaced = pl.col("key").str.contains("|".join(SEQUENCES))
        return pl.concat([counts.filter(plain), _words(lower.filter(~unspaced)), *_sequences(lower.filter(unspaced))])

    def rows(self, sums: Iterable[pl.DataFrame], before: int, after: int) -> Iterator[tuple[Cell, ...]]:
        """Yields the table, in descending order of score: up to 100 words that rose, then up to 100 that fell.

        Args:
            sums: one row per word, in pieces.
            before: number of running words in the crawl.
            after: number of running words in the corpus.
        """
        best: pl.DataFrame | None = None
        for words in sums:
            found = _scored(words, before, after)
            best = _best(found if best is None else pl.concat([best, found]))
        if best is None:
            return
        for word, count_before, count_after, million_before, million_after, score in best.iter_rows():
            yield word, count_before, count_after, f"{million_before:.1f}", f"{million_after:.1f}", f"{score:.3f}"


def has_sequences(words: Iterable[str]) -> bool:
    """Returns whether some words of the table are sequences of characters, from text without spaces."""
    return bool(pl.Series(list(words), dtype=pl.String).str.contains("|".join(SEQUENCES)).any())


def _words(strings: pl.DataFrame) -> pl.DataFrame:
    """Extracts the words from strings without spaces, with their counts; a word may occur more than once."""
    spaced = pl.col("key").str.contains(r"\s")  # other white space; never in the output of `boilerplate`
    apart = strings.filter(spaced).with_columns(pl.col("key").str.extract_all(r"\S+")).explode("key")
    word = pl.col("key").str.replace(r"^[^\p{L}\p{M}\p{N}]+", "").str.replace(r"[^\p{L}\p{M}\p{N}]+$", "")
    found = pl.concat([strings.filter(~spaced), apart]).with_columns(word)
    return found.filter(pl.col("key").str.contains(r"\p{L}") & (pl.col("key").str.len_chars() <= LONGEST_WORD))


def _sequences(strings: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yields the words of strings that contain text without spaces: its sequences, and words of other scripts."""
    portion = strings["key"].str.len_bytes().cast(pl.Int64).cum_sum() // _PORTION
    for part in strings.with_columns(portion=portion).partition_by("portion", include_key=False, maintain_order=True):
        yield _words(part.with_columns(pl.col("key").str.replace_all("|".join(SEQUENCES), " ")))
        for script, length in SEQUENCES.items():
            runs = part.with_columns(pl.col("key").str.extract_all(f"{script}+")).explode("key").drop_nulls("key")
            shorter = f"|^{script}{{1,{length - 1}}}$"
            for start in range(length):
                pattern = f"{script}{{{length}}}" + ("" if start else shorter)
                pieces = runs.with_columns(pl.col("key").str.slice(start).str.extract_all(pattern))
                yield pieces.explode("key").drop_nulls("key").group_by("key", maintain_order=True).sum()


def _scored(sums: pl.DataFrame, before: int, after: int) -> pl.DataFrame:
    """Adds the frequencies per million and the score."""
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
