"""Counts the tokens that the tokeniser of a language model makes of the corpus (`corpus: {count_tokens: …}`)."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table


class ModelTokens(Table):
    """Tokens of the corpus by the tokeniser of a language model. One row; none where they are not counted."""

    name = "model_tokens"
    columns = (
        Column("documents", "documents of the corpus"),
        Column("words", "words of the blocks that are kept"),
        Column("tokens", "tokens of these blocks, as in the vertical"),
        Column("model_tokens", "tokens of the text of the documents by the tokeniser of the model"),
        Column("model_tokens_per_word", "tokens of the model per word", form=str),
    )
    numbers = ("documents", "words", "tokens", "model_tokens")
    title = "Tokens of a model"
    about = "The corpus in tokens of the model that `corpus: {count_tokens: …}` names."
    optional = True

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the documents in a part of a batch."""
        if part.subwords is None:
            return pl.DataFrame(schema={"key": pl.String, **dict.fromkeys(self.numbers, pl.Int64)})
        kept = [fate for fate in part.block_fates if fate.in_corpus]
        sums = (
            part.subwords.height,
            sum(fate.words for fate in kept),
            sum(fate.tokens for fate in kept),
            int(part.subwords["model_tokens"].cast(pl.Int64).sum()),
        )
        return pl.DataFrame([("", *sums)], ["key", *self.numbers], orient="row")

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row."""
        return [(*numbers, f"{numbers[3] / max(1, numbers[1]):.2f}") for numbers in self.totals.values()]
