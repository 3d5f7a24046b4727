"""The corpus's size after each stage (Pomikálek 2011, 3.6.5, tables 3.8 and 3.9)."""

import polars as pl

from corpusprep.io import readable
from corpusprep.io.tsv import Cell, percent
from corpusprep.pipeline import ALWAYS_DECIDING, CRAWL, DECIDING, STAGES, deciding_before
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table

_VERTICAL = "vertical"
#: The stages that have tokens.
_OF_TOKENS = [stage for stage in list(STAGES)[list(STAGES).index("tokens") :] if stage in DECIDING]
#: Those that say how many tokens of blocks are left.
_OF_BLOCKS = DECIDING[DECIDING.index("blocks") :]
#: Those that not all corpora have.
_SOMETIMES = [stage for stage in DECIDING if stage not in ALWAYS_DECIDING]


def left_by(stage: str) -> str:
    """Returns a row of the table in the words of table 3.8."""
    return STAGES[stage].after if stage in STAGES else CRAWL[0]


class CorpusSize(Table):
    """What is left of the crawl after each stage (thesis, tables 3.8 and 3.9).

    Words are separated by white space, as counted by `wc -w`. Tokens are what the tokeniser makes.
    """

    name = "corpus_size"
    columns = (
        Column(
            "stage", "`crawl` (the pages that `encoding` accepts, with all their words), or the stage", form=left_by
        ),
        Column("documents", "documents left after the stage"),
        Column("blocks", "blocks left"),
        Column("words", "words left"),
        Column("words_percent_of_previous", "words left, as a percentage of the row before", form=readable.percent),
        Column("tokens", "tokens left; empty before tokenisation"),
    )
    stages = ("crawl", *DECIDING)

    numbers = ("documents", "blocks", "words", "tokens")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the sizes in a part of a batch."""
        sizes = []
        for stage in self.stages:
            if stage in _SOMETIMES and all(fate.verdicts[stage] is None for fate in part.document_fates):
                continue
            documents, blocks = (
                fates if stage == "crawl" else [fate for fate in fates if fate.stays(stage)]
                for fates in (part.document_fates, part.block_fates)
            )
            counted = blocks if stage in _OF_BLOCKS else documents if stage in _OF_TOKENS else ()
            tokens = sum(fate.tokens for fate in counted)
            units = (sum(fate.units for fate in fates) for fates in (documents, blocks))
            sizes.append((stage, *units, sum(fate.words for fate in blocks), tokens))
        fates = part.document_fates
        sizes.append((_VERTICAL, sum(fate.counted for fate in fates), 0, 0, sum(fate.tokens for fate in fates)))
        return pl.DataFrame(sizes, ["key", *self.numbers], orient="row")

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per stage, in pipeline order."""
        rows: list[tuple[Cell, ...]] = []
        previous = None
        for stage in self.stages:
            if stage in _SOMETIMES and stage not in self.totals:
                continue
            documents, blocks, words, tokens = self.totals.get(stage, (0, 0, 0, 0))
            share = "" if previous is None else percent(words, previous)
            rows.append((stage, documents, blocks, words, share, tokens if stage in _OF_TOKENS else ""))
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
        return self.totals.get(deciding_before("blocks"), (0,))[-1]

    @property
    def tokens_of_vertical(self) -> int:
        """The number of tokens that the stage `tokens` wrote."""
        return self.totals.get(_VERTICAL, (0,))[-1]
