"""The corpus's size after each stage (Pomikálek 2011, 3.6.5, tables 3.8 and 3.9)."""

import polars as pl

from corpusprep.io.tsv import Cell, percent
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.totals import Totals

_VERTICAL = "vertical"


class CorpusSize:
    """Documents, blocks, words and tokens left after each stage.

    Words are separated by white space, as counted by `wc -w`. Tokens are those of the tokeniser; they are counted from
    the stage `documents` on. The first row, `crawl`, has all pages that `encoding` kept, with all their words.
    """

    name = "corpus_size"
    columns = ("stage", "documents", "blocks", "words", "words_percent_of_previous", "tokens")
    stages = ("crawl", *DECIDING)

    numbers = ("documents", "blocks", "words", "tokens")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the sizes in a part of a batch."""
        sizes = []
        for stage in self.stages:
            documents, blocks = (
                fates if stage == "crawl" else [fate for fate in fates if fate.stays(stage)]
                for fates in (part.document_fates, part.block_fates)
            )
            tokens = sum(fate.tokens for fate in {"documents": documents, "blocks": blocks}.get(stage, ()))
            units = (sum(fate.units for fate in fates) for fates in (documents, blocks))
            sizes.append((stage, *units, sum(fate.words for fate in blocks), tokens))
        counted, vertical = (sum(getattr(fate, of) for fate in part.document_fates) for of in ("counted", "tokens"))
        sizes.append((_VERTICAL, counted, 0, 0, vertical))
        return pl.DataFrame(sizes, ["key", *self.numbers], orient="row")

    def rows(self, totals: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per stage, in pipeline order."""
        rows: list[tuple[Cell, ...]] = []
        previous = None
        for stage in self.stages:
            documents, blocks, words, tokens = totals.get(stage, (0, 0, 0, 0))
            share = "" if previous is None else percent(words, previous)
            counted = tokens if stage in ("documents", "blocks") else ""
            rows.append((stage, documents, blocks, words, share, counted))
            previous = words
        return rows


def crawl_pages(totals: Totals) -> int:
    """Returns the number of pages that `encoding` kept."""
    return totals.get("crawl", (0,))[0]


def documents_left(totals: Totals, stage: str) -> int:
    """Returns the number of documents that a stage left."""
    return totals.get(stage, (0,))[0]


def tokens_before(totals: Totals) -> int:
    """Returns the number of tokens before block de-duplication."""
    return totals.get("documents", (0,))[-1]


def tokens_of_vertical(totals: Totals) -> int:
    """Returns the number of tokens that the stage `tokens` wrote."""
    return totals.get(_VERTICAL, (0,))[-1]
