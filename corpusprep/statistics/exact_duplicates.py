"""Counts the exact duplicates: how many documents there are several times (Pomikálek 2011, 3.6.1)."""

from collections.abc import Iterable

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics import corpus_size
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.totals import Totals


class ExactDuplicates:
    """Documents and tokens before and after the removal of exact duplicates.

    Documents with the same text are one type. Only types with two or more documents are counted, and all documents of
    such a type as its instances.
    """

    name = "exact_duplicates"
    columns = (
        "documents_before",
        "duplicate_types",
        "duplicate_instances",
        "documents_removed",
        "documents_after",
        "tokens_before",
        "tokens_after",
    )
    numbers = ("removed",)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the removed documents in a part of a batch; a key is the id of the document that was kept instead."""
        removed = part.documents.select(key="duplicate_of").drop_nulls()
        return removed.group_by("key").agg(pl.len().cast(pl.Int64).alias("removed"))

    @staticmethod
    def added_up(sums: pl.DataFrame) -> tuple[int, int]:
        """Returns the number of types of which documents were removed, and of these documents."""
        return sums.height, int(sums["removed"].sum())

    def rows(self, sums: Iterable[pl.DataFrame], size: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row.

        Args:
            sums: what `added_up` returned, as columns, in pieces.
            size: the sums of corpus_size.CorpusSize.
        """
        types, removed = pl.concat(sums).select("types", "removed").sum().row(0)
        before, after = (corpus_size.documents_left(size, stage) for stage in ("language", "documents"))
        tokens = corpus_size.tokens_of_vertical(size), corpus_size.tokens_before(size)
        return [(before, types, types + removed, removed, after, *tokens)]
