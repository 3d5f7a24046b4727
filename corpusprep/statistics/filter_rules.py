"""Counts what each rule of the filter by quality removes (`filter`)."""

import polars as pl

from corpusprep.io.tsv import Cell, percent
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, refused
from corpusprep.statistics.table import Column, Table


class FilterRules(Table):
    """What each rule of the filter by quality refuses; none without a filter.

    A document may break several rules. It counts with each of them, with the first, and, if there is one only, as
    removed by this rule alone.
    """

    name = "filter_rules"
    columns = (
        Column("rule", "what refused documents are like"),
        Column("documents", "documents that it refuses"),
        Column("words", "their words"),
        Column("words_percent", "their share of the words that the filter removes", "% of removed"),
        Column("first_documents", "documents of which it is the first rule", "first rule of"),
        Column("alone_documents", "documents that no other rule refuses", "only rule of"),
        Column("alone_words", "words of these", "their words"),
    )
    numbers = ("documents", "words", "first", "alone", "alone_words")
    title = "Rules on quality"
    about = "Documents and words that each rule of the filter refuses; a document may break several."
    without_rows = "no document was refused"
    most_rows = None
    optional = True

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the refused documents in a part of a batch; a key is a rule, and the empty key is all of them."""
        rows = refused(part)
        alone, words = pl.col("rules") == 1, pl.col("words")
        counted = (
            rows.explode("failed")
            .group_by(key="failed")
            .agg(
                documents=pl.len().cast(pl.Int64),
                words=words.sum(),
                first=(pl.col("failed") == pl.col("first")).sum().cast(pl.Int64),
                alone=alone.sum().cast(pl.Int64),
                alone_words=words.filter(alone).sum(),
            )
        )
        whole = {"key": "", "documents": rows.height, "words": int(rows["words"].sum()), "first": 0, "alone": 0}
        return pl.concat(
            [counted, pl.DataFrame([whole | {"alone_words": 0}], schema=counted.schema)][: 1 + rows.height]
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: the rules that refuse most documents first."""
        (_, whole, *_) = self.totals.get("", (0, 0))
        rules = sorted((item for item in self.totals.items() if item[0]), key=lambda item: (-item[1][0], item[0]))
        return [(rule, *numbers[:2], percent(numbers[1], whole), *numbers[2:]) for rule, numbers in rules]
