"""Words whose frequency the cleaning changed most (Pomikálek 2011, 2.1; score: Kilgarriff 2009).

Boilerplate inflates words such as "home", "search" and "print"; the table shows which ones the cleaning
deflated, and which ones it brought forward.
"""

from collections.abc import Iterable, Iterator

import polars as pl

from corpusprep._native.arrow import Texts
from corpusprep._native.string_counts import StringCounts
from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.key_sums import HELD_BYTES
from corpusprep.tables.verdicts import KEPT

#: Rows of the table in each direction.
ROWS_PER_DIRECTION = 100

#: What is added to both frequencies per million before they are divided (Kilgarriff 2009, "Simple maths
#: for keywords"): the larger, the more frequent the words that come out on top.
ADDED = 100

#: Longer words are no words, but encoded data or text without spaces.
LONGEST_WORD = 64

_NONE = pl.DataFrame(schema={"key": pl.String, "count_before": pl.Int64, "count_after": pl.Int64})


class Keywords:
    """Frequencies of words in the crawl (before) and in the corpus (after).

    A word is what stands between white space, in lower case, less what is neither letter nor digit at its
    ends, if a letter is left.
    """

    name = "keywords"
    columns = ("word", "count_before", "count_after", "per_million_before", "per_million_after", "score")
    numbers = ("count_before", "count_after")

    def __init__(self, held: int = HELD_BYTES) -> None:
        """Counts of nothing yet; they are given once they take three to six times `held` bytes."""
        # The words of 40 MB of archives fit, and are given once: with 2, adding them up took 20 MB more than with 3.
        self._strings = StringCounts(3 * held, LONGEST_WORD)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the words of a part of a batch; gives those of this part and of others, once there are many."""
        kept = part.blocks["blocks"].eq_missing(KEPT)
        found = [_NONE]
        for texts, is_kept in ((part.blocks["text"].filter(~kept), False), (part.blocks["text"].filter(kept), True)):
            text = texts.str.join(" ").cast(pl.Binary)[0]
            place = 0
            while (place := self._strings.add(text, place, is_kept)) < len(text):
                found.append(self.rest())
        return pl.concat(found)

    def rest(self) -> pl.DataFrame:
        """The words that are counted and not given yet; a word may come more than once."""
        text, offsets, (other, kept) = self._strings.take()
        strings = pl.Series("key", Texts(text, offsets), dtype=pl.String)
        counts = pl.DataFrame({"key": strings, "count_before": other + kept, "count_after": kept})
        plain = ~pl.col("key").str.contains(r"[^[:ascii:]]|\s")  # of these, the kernel has made words
        # Lower-casing looks at what is around a letter, but not beyond a space: strings become what they do in a text.
        lower = counts.filter(~plain).with_columns(pl.col("key").str.to_lowercase())
        return pl.concat([counts.filter(plain), _words(lower)])

    def rows(self, sums: Iterable[pl.DataFrame], before: int, after: int) -> Iterator[tuple[Cell, ...]]:
        """The table, by falling score: up to 100 words that rose, then up to 100 that fell.

        Args:
            sums: a row a word, in pieces.
            before: all running words of the crawl.
            after: and of the corpus.
        """
        best: pl.DataFrame | None = None
        for words in sums:
            found = _scored(words, before, after)
            best = _best(found if best is None else pl.concat([best, found]))
        if best is None:
            return
        for word, count_before, count_after, million_before, million_after, score in best.iter_rows():
            yield word, count_before, count_after, f"{million_before:.1f}", f"{million_after:.1f}", f"{score:.3f}"


def _words(strings: pl.DataFrame) -> pl.DataFrame:
    """The words in strings without spaces, with their counts; a word may come more than once."""
    spaced = pl.col("key").str.contains(r"\s")  # not in what `boilerplate` writes, which has no other white space
    apart = strings.filter(spaced).with_columns(pl.col("key").str.extract_all(r"\S+")).explode("key")
    word = pl.col("key").str.replace(r"^[^\p{L}\p{M}\p{N}]+", "").str.replace(r"[^\p{L}\p{M}\p{N}]+$", "")
    found = pl.concat([strings.filter(~spaced), apart]).with_columns(word)
    return found.filter(pl.col("key").str.contains(r"\p{L}") & (pl.col("key").str.len_chars() <= LONGEST_WORD))


def _scored(sums: pl.DataFrame, before: int, after: int) -> pl.DataFrame:
    """The words with their frequencies and score."""
    million_before = 1e6 * pl.col("count_before") / max(1, before)
    million_after = 1e6 * pl.col("count_after") / max(1, after)
    # Rounded: the last bit of a quotient depends on where in a column it stands, and would decide ties.
    score = ((million_after + ADDED) / (million_before + ADDED)).round(9)
    return sums.rename({"key": "word"}).with_columns(
        per_million_before=million_before, per_million_after=million_after, score=score
    )


def _best(scored: pl.DataFrame) -> pl.DataFrame:
    """The words that rose most and those that fell most, by falling score."""
    rose = scored.filter(pl.col("score") > 1).sort("score", "word", descending=[True, False]).head(ROWS_PER_DIRECTION)
    fell = scored.filter(pl.col("score") < 1).sort("score", "word").head(ROWS_PER_DIRECTION)
    return pl.concat([rose, fell.sort("score", "word", descending=[True, False])])
