"""Counts the documents and words of the corpus by language."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, documents_of
from corpusprep.statistics.table import Column, Table, names_of


class DocumentLanguages(Table):
    """Documents and words of the corpus by the language of the document, the one with the most words first.

    A corpus of one language has one row. Without a language, or with `any`, the language of each document is named.
    """

    name = "document_languages"
    columns = (
        Column("language", "code of the language, as the attribute `lang`; empty if no language is told"),
        Column("documents", "documents in the corpus"),
        Column("words", "words in the corpus"),
    )
    numbers = names_of(columns[1:])

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the documents in a part of a batch."""
        kept = documents_of(part).filter("kept")
        counts = kept.group_by(pl.col("lang").fill_null("").alias("key"))
        return counts.agg(pl.len().cast(pl.Int64).alias("documents"), pl.col("words").sum())

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per language."""
        ordered = sorted(self.totals.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))
        return [(language, *numbers) for language, numbers in ordered]
