"""The ledger: for every stage and unit, what was kept and what went, by reason."""

from collections import Counter

import polars as pl

from corpusprep.statistics.fates import DECIDING, Fates
from corpusprep.statistics.tsv import Cell
from corpusprep.verdicts import KEPT


class Ledger:
    """Counts of each verdict.

    `encoding` counts records and their bytes (as stored), the later stages documents, blocks and words
    (blocks and words of a document that goes as a whole go with it). For each unit the sum over a stage's
    verdicts is what the stage before kept: for documents of `boilerplate` the records that `encoding`
    kept. Blocks and words begin at `boilerplate`, whose sum is the crawl.
    """

    name = "ledger"
    columns = ("stage", "unit", "verdict", "count")
    units = (
        ("encoding", "record"),
        ("encoding", "byte"),
        *((stage, unit) for stage in DECIDING for unit in ("document", "block", "word")),
    )

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], Counter[str]] = {unit: Counter() for unit in self.units}

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        records = fates.records.group_by("verdict").agg(pl.len(), pl.col("length").sum())
        for verdict, number, length in records.iter_rows():
            self._counts["encoding", "record"][verdict] += number
            self._counts["encoding", "byte"][verdict] += length
        for stage in DECIDING:
            documents = fates.documents.group_by(stage).agg(pl.len())
            for verdict, number in documents.drop_nulls(stage).iter_rows():
                self._counts[stage, "document"][verdict] += number
            blocks = fates.blocks.group_by(stage).agg(pl.len(), pl.col("words").sum())
            for verdict, number, words in blocks.drop_nulls(stage).iter_rows():
                self._counts[stage, "block"][verdict] += number
                self._counts[stage, "word"][verdict] += words

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table: stages in their order, `kept` first and then the reasons that occurred, by name."""
        rows: list[tuple[Cell, ...]] = []
        for (stage, unit), counts in self._counts.items():
            rows.append((stage, unit, KEPT, counts[KEPT]))
            reasons = sorted(verdict for verdict, count in counts.items() if count and verdict != KEPT)
            rows.extend((stage, unit, reason, counts[reason]) for reason in reasons)
        return rows
