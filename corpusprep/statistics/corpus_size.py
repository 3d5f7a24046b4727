"""The corpus's size after each stage (Pomikálek 2011, 3.6.5, tables 3.8 and 3.9)."""

import polars as pl

from corpusprep.io.tsv import Cell, percent
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table

_VERTICAL = "vertical"


class CorpusSize(Table):
    """Documents, blocks, words and tokens left after each stage.

    Words are separated by white space, as counted by `wc -w`. Tokens are those of the tokeniser; they are counted from
    the stage `documents` on. The first row, `crawl`, has all pages that `encoding` kept, with all their words.
    """

    name = "corpus_size"
    meaning = "What is left of the crawl after each stage (thesis, tables 3.8 and 3.9)."
    columns = (
        Column(
            "stage",
            "`crawl` (the pages that `encoding` accepts, with all their words), `boilerplate`, `language`, "
            "`documents`, `blocks`",
        ),
        Column("documents", "documents left after the stage"),
        Column("blocks", "blocks left"),
        Column("words", "words left"),
        Column("words_percent_of_previous", "words left, as a percentage of the row before"),
        Column("tokens", "tokens left; empty before tokenisation"),
    )
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

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per stage, in pipeline order."""
        rows: list[tuple[Cell, ...]] = []
        previous = None
        for stage in self.stages:
            documents, blocks, words, tokens = self.totals.get(stage, (0, 0, 0, 0))
            share = "" if previous is None else percent(words, previous)
            counted = tokens if stage in ("documents", "blocks") else ""
            rows.append((stage, documents, blocks, words, share, counted))
            previous = words
        return rows

    @property
    def crawl_pages(self) -> int:
        """The number of pages that `encoding` kept."""
        return self.documents_left("crawl")

    def documents_left(self, stage: str) -> int:
        """Returns the number of documents that a stage left."""
        return self.totals.get(stage, (0,))[0]

    @property
    def tokens_before_blocks(self) -> int:
        """The number of tokens before block de-duplication."""
        return self.totals.get(DECIDING[-2], (0,))[-1]

    @property
    def tokens_of_vertical(self) -> int:
        """The number of tokens that the stage `tokens` wrote."""
        return self.totals.get(_VERTICAL, (0,))[-1]
