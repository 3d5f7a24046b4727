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

    def rows(self, sums: Iterable[pl.DataFrame], size: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row.

        Args:
            sums: one row per type of which documents were removed, in pieces.
            size: the sums of corpus_size.CorpusSize.
        """
        types = removed = 0
        for rows in sums:
            types += rows.height
            removed += int(rows["removed"].sum())
        before, after = (corpus_size.documents_left(size, stage) for stage in ("language", "documents"))
        tokens = corpus_size.tokens_of_vertical(size), corpus_size.tokens_before(size)
        return [(before, types, types + removed, removed, after, *tokens)]
