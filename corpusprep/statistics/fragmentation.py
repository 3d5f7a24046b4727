"""How broken up the cleaned documents are (Pomikálek 2011, 2.9.10, table 2.11)."""

import polars as pl

from corpusprep.statistics.fates import Fates
from corpusprep.statistics.sums import Sums
from corpusprep.statistics.tsv import Cell, ratio
from corpusprep.verdicts import KEPT


class Fragmentation:
    """Fragments after boilerplate removal and after block de-duplication.

    A fragment is a longest run of consecutive blocks of a page that were all kept; its length is that of
    its text in characters, with a line feed between its blocks. The median is over all fragments; of an
    even number of them it is the lower of the two in the middle.
    """

    name = "fragmentation"
    columns = (
        "stage",
        "documents",
        "avg_fragment_characters",
        "median_fragment_characters",
        "fragments_per_document",
        "blocks_per_document",
    )
    stages = ("boilerplate", "blocks")

    def __init__(self) -> None:
        self._documents = dict.fromkeys(self.stages, 0)
        self._lengths = {stage: Sums(["characters"]) for stage in self.stages}

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        measured = fates.characters().sort("record", "block", maintain_order=True)
        for stage in self.stages:
            kept = pl.col(stage).eq_missing(KEPT)
            self._documents[stage] += measured.filter(kept)["record"].n_unique()
            runs = pl.struct("record", kept.alias("kept")).rle_id()
            fragments = (
                measured.with_columns(fragment=runs)
                .filter(kept)
                .group_by("fragment")
                .agg((pl.col("characters") + 1).sum() - 1, pl.len().cast(pl.Int64).alias("blocks"))
            )
            self._lengths[stage].add(
                fragments.group_by("characters").agg(pl.len().cast(pl.Int64).alias("fragments"), pl.col("blocks").sum())
            )

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table, a row a stage."""
        return [self._row(stage) for stage in self.stages]

    def _row(self, stage: str) -> tuple[Cell, ...]:
        documents, fragments, blocks, characters, median = self._documents[stage], 0, 0, 0, 0
        if documents:
            lengths = self._lengths[stage].total()
            fragments, blocks = int(lengths["fragments"].sum()), int(lengths["blocks"].sum())
            characters = int((lengths["characters"] * lengths["fragments"]).sum())
            median = lengths.filter(pl.col("fragments").cum_sum() >= (fragments + 1) // 2)["characters"][0]
        return (
            stage,
            documents,
            ratio(characters, fragments, 1),
            median,
            ratio(fragments, documents, 2),
            ratio(blocks, documents, 2),
        )
