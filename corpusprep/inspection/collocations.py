"""Finds the collocations of a query: what stands near its hits more often than elsewhere in the corpus."""

import threading

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import ConfigError
from corpusprep.inspection.association import MEASURES, Pairs
from corpusprep.inspection.condition_reader import check_expression
from corpusprep.inspection.conditions import whole
from corpusprep.inspection.matching import Matcher
from corpusprep.inspection.numbered_tokens import Attribute, Numbered, Piece, Pool, in_batches
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import MOST_BETWEEN
from corpusprep.inspection.search_texts import CORPUS, pieces
from corpusprep.inspection.subcorpora import WHOLE, Documents, Part
from corpusprep.inspection.word_lists import LIST, Corpus, shown
from corpusprep.tables.reading import read_table

#: The usual measure: it does not depend on the size of the corpus.
MEASURE = "logdice"
#: Tokens to the left and right of a hit.
WINDOW = (5, 5)
#: Pairs that are added up at once.
_PAIRS = 1 << 22
#: Values of a list of collocations.
COLLOCATIONS = pl.Schema(
    {
        "item": pl.String,
        "together": pl.Int64,  # pairs of a hit and the collocate in its window
        "frequency": pl.Int64,  # of the collocate in the corpus
        "value": pl.Float64,  # of the measure
    }
)


def collocations(
    corpus: Corpus,
    query: Query,
    attribute: str,
    *,
    window: tuple[int, int] = WINDOW,
    measure: str = MEASURE,
    part: Part = WHOLE,
    collocates: Query | None = None,
    pattern: str = "",
    least: int = 1,
    limit: int = 0,
) -> tuple[pl.DataFrame, int]:
    """Returns the collocates of the hits of a query, the strongest first, and the number of hits.

    Each pair of a hit and a token in its window counts, so a token between two hits counts twice. A window ends with
    the block of its hit.

    Args:
        corpus: the corpus.
        query: the query; the tokens of a hit are no collocates of it.
        attribute: of the collocates.
        window: tokens to the left, and to the right.
        measure: one of association.MEASURES.
        part: of the corpus that is searched.
        collocates: only tokens of its hits count, such as adjectives; None: all tokens.
        pattern: a regular expression that collocates match as a whole; empty: all.
        least: the fewest pairs.
        limit: the most rows; 0: all.

    Returns:
        A frame with the columns COLLOCATIONS, and the number of hits.

    Raises:
        ConfigError: there is no such attribute, or the window is empty or too large.
        PatternError: the expression is wrong.
    """
    if min(window) < 0 or not sum(window) or max(window) > MOST_BETWEEN:
        raise ConfigError(f"window {window[0]},{window[1]}: give tokens to the left and right, up to {MOST_BETWEEN}")
    if pattern:
        check_expression(pattern)
    words = corpus.words(attribute, 1, part)
    rows = read_table(words.path, LIST, ["item", "frequency"])
    counted = corpus.attribute(attribute)
    pairs, hits = _counted(corpus, query, collocates, counted, window, part, words.documents, rows["item"])
    chosen = rows.with_columns(together=pl.Series(pairs)).filter(pl.col("together") >= max(1, least))
    together = chosen["together"].to_numpy().astype(np.float64)
    frequency = chosen["frequency"].to_numpy().astype(np.float64)
    values = MEASURES[measure](Pairs(together, hits, frequency, words.documents.tokens, float(pairs.sum())))
    chosen = chosen.with_columns(value=pl.Series(values.round(6)))
    if pattern:
        chosen = chosen.filter(pl.col("item").str.contains(whole(pattern)))
    chosen = chosen.sort("value", "together", "item", descending=[True, True, False])
    return (chosen.head(limit) if limit else chosen).select(list(COLLOCATIONS)), hits


def _counted(
    corpus: Corpus,
    query: Query,
    collocates: Query | None,
    attribute: Attribute,
    window: tuple[int, int],
    part: Part,
    documents: Documents,
    lexicon: pl.Series,
) -> tuple[NDArray[np.int64], int]:
    """Returns the pairs of each word of the lexicon, and the number of hits."""
    totals = np.zeros(len(lexicon), dtype=np.int64)
    lock = threading.Lock()

    def reader() -> tuple[Numbered, Matcher, Matcher | None]:
        numbered = Numbered(attribute, lambda values: np.asarray(lexicon.search_sorted(values), dtype=np.int64))
        matcher = Matcher(query, column=attribute.column, observe=numbered.observe)
        return numbered, matcher, Matcher(collocates) if collocates else None

    readers = Pool(reader)

    def count(number: int, batch: str) -> int:
        with readers.one() as reading:
            return count_by(*reading, number, batch)

    def count_by(numbered: Numbered, matcher: Matcher, other: Matcher | None, number: int, batch: str) -> int:
        first = found = held = 0
        near: list[NDArray[np.int64]] = []

        def add() -> None:
            if near:
                with lock:
                    np.add(totals, np.bincount(np.concatenate(near), minlength=len(totals)), out=totals)
                near.clear()

        for text, _ in pieces(corpus.folder, batch, CORPUS):
            hits = matcher.find(text)
            if not len(hits) and part.condition is None:
                continue
            types = matcher.kernel.numbers()
            piece = Piece(text, first, matcher.kernel.blocks(), len(types))
            first += len(piece.documents)
            if part.condition is not None:
                hits = hits[piece.places(documents.starts_of(number, first))[hits[:, 4]] >= 0]
            found += len(hits)
            may_count = _covered(other.find(text), piece.tokens) if other and len(hits) else None
            for places in _windows(hits, piece, window):
                if may_count is not None:
                    places = places[may_count[places]]
                near.append(numbered.of(types[places]))
                held += len(places)
            if held >= _PAIRS:
                add()
                held = 0
        add()
        return found

    return totals, sum(shown(in_batches(corpus.batches, count, corpus.threads), "hits: batches", len(corpus.batches)))


def _covered(hits: NDArray[np.int64], tokens: int) -> NDArray[np.bool_]:
    """Returns whether each token of a piece is in a hit."""
    begun = np.bincount(hits[:, 4], minlength=tokens + 1) - np.bincount(hits[:, 5], minlength=tokens + 1)
    covered: NDArray[np.bool_] = np.cumsum(begun)[:tokens] > 0
    return covered


def _windows(hits: NDArray[np.int64], piece: Piece, window: tuple[int, int]) -> list[NDArray[np.int64]]:
    """Returns the tokens in the windows of hits, by their distance."""
    firsts, stops = hits[:, 4], hits[:, 5]
    blocks = piece.blocks[:, 2]
    block = np.searchsorted(blocks, firsts, "right")
    begins, ends = blocks[block - 1], np.append(blocks, piece.tokens)[block]
    left = [firsts[firsts - distance >= begins] - distance for distance in range(1, window[0] + 1)]
    right = [stops[stops + distance < ends] + distance for distance in range(window[1])]
    return [*left, *right]
