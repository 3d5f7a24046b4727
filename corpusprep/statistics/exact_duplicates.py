"""Counts the exact duplicates: how many documents there are several times (Pomikálek 2011, 3.6.1)."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.pipeline import deciding_before
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table


class ExactDuplicates(Table):
    """Exact duplicates (thesis, 3.6.1). One row.

    Documents with the same text are one type. Types of one document are not counted.
    """

    name = "exact_duplicates"
    columns = (
        Column("documents_before", "documents that `language` kept"),
        Column(
            "duplicate_types",
            "different texts that two or more documents have",
            "texts that several documents have (types)",
        ),
        Column(
            "duplicate_instances", "documents that have one of these texts", "documents with such a text (instances)"
        ),
        Column(
            "documents_removed", "documents of these types that were removed; one of each type is kept", shown=False
        ),
        Column("documents_after", "documents left"),
        Column("tokens_before", "tokens of the documents that `language` kept"),
        Column("tokens_after", "tokens left"),
    )
    numbers = ("removed",)
    sums_of_keys = ("types", "removed")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the removed documents in a part of a batch; a key is the id of the document that was kept instead."""
        removed = part.documents.select(key="duplicate_of").drop_nulls()
        return removed.group_by("key").agg(pl.len().cast(pl.Int64).alias("removed"))

    @staticmethod
    def added_up(sums: pl.DataFrame) -> tuple[int, int]:
        """Returns the number of types of which documents were removed, and of these documents."""
        return sums.height, int(sums["removed"].sum())

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row."""
        types, removed = self.totals[""]
        size = self.inputs.table(CorpusSize)
        before = size.documents_left(deciding_before("documents"))
        after = size.documents_left("documents")
        return [(before, types, types + removed, removed, after, size.tokens_of_vertical, size.tokens_before_blocks)]
