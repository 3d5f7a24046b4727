"""Finds the keywords of a corpus, or of a part of it, against a reference."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep.errors import ConfigError
from corpusprep.inspection.keyness import MEASURES, Frequencies, interval
from corpusprep.inspection.query import LOWER
from corpusprep.inspection.subcorpora import WHOLE, Part, sizes
from corpusprep.inspection.subcorpora import attribute as value_of
from corpusprep.inspection.word_lists import Corpus, WordList, passing
from corpusprep.languages.frequencies import of_wordfreq
from corpusprep.tables.sorted_frames import SortedFrames

#: The measure that is usual: an effect size, whose interval says how sure it is.
MEASURE = "log-ratio"
#: The reference that is no corpus.
WORDFREQ = "wordfreq"
#: Tokens that a published list without counts stands for: with wordfreq's sources, a word per million has 1,000.
LISTED_TOKENS = 1e9
#: Values of a list of keywords.
KEYWORDS = pl.Schema(
    {
        "item": pl.String,
        "frequency": pl.Int64,
        "hosts": pl.Int64,  # hosts that have it
        "per_million": pl.Float64,
        "reference_per_million": pl.Float64,
        "value": pl.Float64,  # of the measure
        "low": pl.Float64,  # its interval of 95 %, over hosts; null if fewer than two hosts have it
        "high": pl.Float64,
    }
)


def keywords(
    focus: WordList,
    reference: "WordList | Published",
    *,
    measure: str = MEASURE,
    pattern: str = "",
    least: int = 1,
    limit: int = 0,
) -> Iterator[pl.DataFrame]:
    """Yields the items that are more frequent than in the reference, sorted by the lower end of their interval.

    An item that only one host has, has no interval. Items without one come last, sorted by the measure. All are within
    the memory of `focus`.

    Args:
        focus: the list of the corpus.
        reference: what it is compared with.
        measure: one of keyness.MEASURES.
        pattern: a regular expression that items match as a whole; empty: all.
        least: the smallest frequency.
        limit: the most rows; 0: all.

    Yields:
        Frames with the columns KEYWORDS, at least one.

    Raises:
        PatternError: the expression is wrong.
        ConfigError: one of the two has no text.
    """
    where = passing(pattern, least)
    running = focus.documents.tokens
    if isinstance(reference, Published):
        words = pl.col("item").str.contains(r"\p{L}")
        running = sum(int(piece["frequency"].sum()) for piece in focus.pieces(["frequency"], words))
        where &= words
    for name, tokens in (("the part of the corpus", running), ("the reference", reference.tokens)):
        if not tokens:
            raise ConfigError(f"keywords: {name} has no text")
    order = [-pl.col("low").fill_null(-math.inf), -pl.col("value"), pl.col("item")]
    with SortedFrames(focus.path, order, focus.rows, limit) as found:
        for rows in focus.pieces(["item", "frequency", "hosts"], where):
            found.add(_compared(rows, focus.frequencies(rows["item"], running), reference, measure))
        yield from found.sorted()


def _compared(rows: pl.DataFrame, here: Frequencies, reference: "WordList | Published", measure: str) -> pl.DataFrame:
    """Returns those of some items that are more frequent than in the reference, with the columns KEYWORDS."""
    there = reference.frequencies(rows["item"])
    values, variances = MEASURES[measure](here, there)
    lows, highs = interval(measure, values, variances)
    frame = rows.with_columns(
        per_million=pl.Series((1e6 * here.shares).round(4)),
        reference_per_million=pl.Series((1e6 * there.shares).round(4)),
        # Rounded: the last bits would decide ties.
        value=pl.Series(values.round(6)),
        low=pl.Series(lows.round(6)).fill_nan(None),
        high=pl.Series(highs.round(6)).fill_nan(None),
    ).with_columns(pl.when(pl.col("hosts") > 1).then(pl.col("low", "high")))
    return frame.filter(pl.col("per_million") > pl.col("reference_per_million")).select(list(KEYWORDS))


def reference(
    corpus: Corpus, part: Part, other: str | Path | None, attribute: str, ngrams: int = 1, language: str | None = None
) -> "tuple[WordList | Published, str]":
    """Returns what a part of a corpus is compared with, and its name.

    Args:
        corpus: the corpus.
        part: the part of it.
        other: folder of another corpus, or WORDFREQ; empty: the rest of the corpus, or WORDFREQ if the part is all.
        attribute: what is compared.
        ngrams: tokens of an item.
        language: code of the language for WORDFREQ; empty: the one that most documents have.

    Raises:
        ConfigError: WORDFREQ does not have such items, or no document has a language.
        LanguageError: WORDFREQ does not have the language.
    """
    if not other and part.condition is not None:
        return corpus.words(attribute, ngrams, part.rest), "the rest of the corpus"
    if other and other != WORDFREQ:
        return replace(corpus, folder=Path(other)).words(attribute, ngrams), str(other)
    if attribute != LOWER or ngrams > 1:
        raise ConfigError(
            "wordfreq has words in lower case only: compare single words by lc, or name another reference"
        )
    code = language or language_of(corpus)
    return Published(code), f"wordfreq ({code})"


class Published:
    """The words that the package `wordfreq` has for a language, as a reference. They are in lower case."""

    def __init__(self, language: str) -> None:
        """Reads the list.

        Raises:
            LanguageError: there is none for the language.
        """
        self._list = of_wordfreq(language)

    @property
    def tokens(self) -> float:
        """The tokens that it stands for."""
        return LISTED_TOKENS

    def frequencies(self, items: pl.Series) -> Frequencies:
        """Returns the frequencies of items in LISTED_TOKENS; one that is not listed counts as the rarest that is.

        The list does not divide words at apostrophes, as tokens are (`it's`), so a part such as `'s` that is not listed
        is no keyword: it counts as every word.
        """
        known = pl.DataFrame({"item": self._list.words, "share": self._list.shares})
        rows = pl.DataFrame({"item": items.str.replace_all("’", "'")})
        rows = rows.join(known, on="item", how="left", maintain_order="left")
        part = pl.col("item").str.contains("'", literal=True)
        unlisted = pl.when(part).then(1.0).otherwise(float(self._list.shares.min()))
        shares = rows.select(pl.col("share").fill_null(unlisted))["share"].to_numpy()
        return Frequencies(np.asarray(shares * LISTED_TOKENS, dtype=np.float64), LISTED_TOKENS)


def language_of(corpus: Corpus) -> str:
    """Returns the language that most documents of a corpus have.

    Raises:
        ConfigError: none has one, or there are none.
    """
    if not len(corpus.documents()):
        raise ConfigError(f"{corpus.folder}: the corpus has no documents")
    codes = sizes(corpus.documents_table, WHOLE, value_of("lang")).filter(pl.col("item") != "")
    if not codes.height:
        raise ConfigError(f"{corpus.folder}: no document has a language (lang); name it with --language")
    return str(codes.sort("documents", "item", descending=[True, False])["item"][0])
