"""Words whose frequency the cleaning changed most (Pomikálek 2011, 2.1; score: Kilgarriff 2009).

Boilerplate inflates words such as "home", "search" and "print"; the table shows which ones the cleaning
deflated, and which ones it brought forward.
"""

import tempfile
from pathlib import Path

import polars as pl

from corpusprep.statistics.fates import SLICE_WORDS, Fates
from corpusprep.statistics.tsv import Cell
from corpusprep.verdicts import KEPT

#: Rows of the table in each direction.
ROWS = 100

#: What is added to both frequencies per million before they are divided (Kilgarriff 2009, "Simple maths
#: for keywords"): the larger, the more frequent the words that come out on top.
ADDED = 100

#: Longer words are no words, but encoded data or text without spaces.
LONGEST = 64

#: Words and their counts held in memory; at 3,000,000 they take about 300 MB.
HELD = 3_000_000

#: Parts that what does not fit into memory is divided into, by the words' hashes; they are added up one by
#: one. 64 parts keep 2 * 10^8 different words, some 10^10 running ones, under 2 GB.
PARTS = 64

_SUMS = (pl.col("count_before").sum(), pl.col("count_after").sum())


class Keywords:
    """Frequencies of words in the crawl (before) and in the corpus (after).

    A word is what stands between white space, in lower case, less what is neither letter nor digit at its
    ends, if a letter is left. Exact at any size: counts that outgrow `held` words go to files.
    """

    name = "keywords"
    columns = ("word", "count_before", "count_after", "per_million_before", "per_million_after", "score")

    def __init__(self, folder: Path, held: int = HELD, slice_words: int = SLICE_WORDS) -> None:
        """`folder`: an existing one, for temporary files."""
        self._folder = folder
        self._held = held
        self._slice_words = slice_words
        self._counts: list[pl.DataFrame] = []
        self._waiting = 0
        self._spills: tempfile.TemporaryDirectory[str] | None = None
        self._spilt = 0
        self._before = self._after = 0

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        for texts in fates.texts(self._slice_words):
            counts = _count(texts)
            self._before += int(counts["count_before"].sum())
            self._after += int(counts["count_after"].sum())
            self._counts.append(counts)
            self._waiting += counts.height
            if self._waiting >= 2 * self._held:
                self._compact()

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table, by falling score: up to 100 words that rose, then up to 100 that fell."""
        if self._spills is None:
            found = _best(self._scored(pl.concat(self._counts))) if self._counts else None
        else:
            self._compact(spill=True)
            parts = sorted(Path(self._spills.name).glob("*.parquet"))
            found = _best(pl.concat(self._best_of_part(parts, part) for part in range(PARTS)))
            self._spills.cleanup()
        if found is None:
            return []
        return [
            (word, before, after, f"{before_million:.1f}", f"{after_million:.1f}", f"{score:.3f}")
            for word, before, after, before_million, after_million, score in found.iter_rows()
        ]

    def _compact(self, spill: bool = False) -> None:
        """Adds up what waits; writes it to a file if it is still too much."""
        if not self._counts:
            return
        total = pl.concat(self._counts).group_by("word").agg(_SUMS)
        self._counts, self._waiting = [total], total.height
        if not spill and total.height < self._held:
            return
        if self._spills is None:
            self._spills = tempfile.TemporaryDirectory(dir=self._folder, prefix=".keywords-")
        by_part = total.with_columns(part=pl.col("word").hash(0) % PARTS).sort("part")
        by_part.write_parquet(
            Path(self._spills.name) / f"{self._spilt:06d}.parquet",
            row_group_size=max(1, total.height // PARTS),
        )
        self._counts, self._waiting, self._spilt = [], 0, self._spilt + 1

    def _best_of_part(self, files: list[Path], part: int) -> pl.DataFrame:
        counts = pl.scan_parquet(files).filter(part=part).drop("part").collect()
        return _best(self._scored(counts))

    def _scored(self, counts: pl.DataFrame) -> pl.DataFrame:
        """One row a word, with its frequencies and score."""
        before = 1e6 * pl.col("count_before") / max(1, self._before)
        after = 1e6 * pl.col("count_after") / max(1, self._after)
        # Rounded: the last bit of a quotient depends on where in a column it stands, and would decide ties.
        score = ((after + ADDED) / (before + ADDED)).round(9)
        sums = counts.group_by("word").agg(_SUMS)
        return sums.with_columns(per_million_before=before, per_million_after=after, score=score)


def _count(texts: pl.DataFrame) -> pl.DataFrame:
    """Counts the words of some blocks: word, count_before, count_after."""
    as_they_stand = (
        texts.lazy()
        .select(
            pl.col("text").str.to_lowercase().str.extract_all(r"\S+").alias("word"),
            pl.col("blocks").eq_missing(KEPT).alias("kept"),
        )
        .explode("word")
        .drop_nulls("word")
        .group_by("word")
        .agg(
            pl.len().cast(pl.Int64).alias("count_before"),
            pl.col("kept").sum().cast(pl.Int64).alias("count_after"),
        )
    )
    return (
        as_they_stand.with_columns(pl.col("word").str.extract(r"([\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?)"))
        .filter(pl.col("word").str.contains(r"\p{L}") & (pl.col("word").str.len_chars() <= LONGEST))
        .group_by("word")
        .agg(_SUMS)
        .collect()
    )


def _best(scored: pl.DataFrame) -> pl.DataFrame:
    """The words that rose most and those that fell most, by falling score."""
    by_score = scored.sort("score", "word", descending=[True, False])
    rose = by_score.filter(pl.col("score") > 1).head(ROWS)
    fell = by_score.filter(pl.col("score") < 1).sort("score", "word").head(ROWS)
    return pl.concat([rose, fell.sort("score", "word", descending=[True, False])])
