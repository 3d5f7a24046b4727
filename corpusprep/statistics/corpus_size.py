"""The corpus's size after each stage (Pomikálek 2011, 3.6.5, tables 3.8 and 3.9)."""

import polars as pl

from corpusprep.statistics.fates import DECIDING, Fates
from corpusprep.statistics.tsv import Cell, percent
from corpusprep.verdicts import KEPT


class CorpusSize:
    """Documents, blocks, words and tokens left after each stage.

    Words are white-space separated, as `wc -w` counts them; tokens are the tokeniser's, so they are not
    there before `documents`. The first row, `crawl`, is all the pages that `encoding` kept, with all
    their words.
    """

    name = "corpus_size"
    columns = ("stage", "documents", "blocks", "words", "words_percent_of_previous", "tokens")
    stages = ("crawl", *DECIDING)

    def __init__(self) -> None:
        self._sizes = {stage: [0, 0, 0, 0] for stage in self.stages}

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        for stage in self.stages:
            documents, blocks = fates.documents, fates.blocks
            if stage != "crawl":
                documents = documents.filter(pl.col(stage) == KEPT)
                blocks = blocks.filter(pl.col(stage) == KEPT)
            tokens = {"documents": documents, "blocks": blocks}.get(stage, pl.DataFrame({"tokens": [0]}))
            found = (documents.height, blocks.height, int(blocks["words"].sum()), int(tokens["tokens"].sum()))
            self._sizes[stage] = [size + more for size, more in zip(self._sizes[stage], found, strict=True)]

    @property
    def crawl_pages(self) -> int:
        """Pages that `encoding` kept."""
        return self._sizes["crawl"][0]

    @property
    def tokens_before(self) -> int:
        """Tokens before block de-duplication."""
        return self._sizes["documents"][3]

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table, a row a stage in their order."""
        rows: list[tuple[Cell, ...]] = []
        previous = None
        for stage, (documents, blocks, words, tokens) in self._sizes.items():
            share = "" if previous is None else percent(words, previous)
            counted = tokens if stage in ("documents", "blocks") else ""
            rows.append((stage, documents, blocks, words, share, counted))
            previous = words
        return rows
