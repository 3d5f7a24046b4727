"""Counts the documents that two rules of the filter by quality refuse together (`filter`)."""

import polars as pl

from corpusprep.io.tsv import Cell, percent
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, refused
from corpusprep.statistics.table import Column, Table

#: Pairs of rules that the table has.
PAIRS = 100


class FilterOverlap(Table):
    """Which rules of the filter by quality refuse the same documents; none without a filter.

    The 100 pairs of rules with most documents in common. A rule that mostly refuses what another one refuses, too, can
    be left out.
    """

    name = "filter_overlap"
    columns = (
        Column("rule", "what refused documents are like"),
        Column("other_rule", "another rule"),
        Column("documents", "documents that both refuse"),
        Column("percent_of_rule", "their share of the documents that the rule refuses", "of the rule, %"),
        Column("percent_of_other", "their share of the documents that the other rule refuses", "of the other, %"),
    )
    numbers = ("documents",)
    title = "Rules that refuse the same documents"
    about = "Pairs of rules with most documents in common."
    without_rows = "no document broke two rules"
    optional = True

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the refused documents in a part of a batch; a key is two rules, or a rule and itself."""
        rows = refused(part).select("record", rule="failed").explode("rule")
        pairs = rows.join(rows.rename({"rule": "other"}), on="record").filter(pl.col("rule") <= pl.col("other"))
        key = pl.concat_str("rule", "other", separator="\t").alias("key")
        return pairs.group_by(key).agg(documents=pl.len().cast(pl.Int64))

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: the pairs with most documents first; first in a pair the rule with fewer."""
        counts = {tuple(key.split("\t")): documents for key, (documents,) in self.totals.items()}
        whole = {rule: documents for (rule, other), documents in counts.items() if rule == other}
        rows: list[tuple[Cell, ...]] = []
        for (one, two), documents in counts.items():
            if one != two:
                rule, other = sorted((one, two), key=lambda name: (whole[name], name))
                rows.append((rule, other, documents, percent(documents, whole[rule]), percent(documents, whole[other])))
        return sorted(rows, key=lambda row: (-int(row[2]), row[:2]))[:PAIRS]
