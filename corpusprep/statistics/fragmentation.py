"""Measures how fragmented the cleaned documents are (Pomikálek 2011, 2.9.10, table 2.11)."""

import polars as pl

from corpusprep.io.tsv import Cell, ratio
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, in_corpus, stays
from corpusprep.statistics.table import Column, Table
from corpusprep.tables.verdicts import KEPT

#: The stages, as the report names them.
SHOWN = {"boilerplate": "after removing boilerplate", "blocks": "in the corpus"}


class Fragmentation(Table):
    """How broken up the cleaned documents are (thesis, table 2.11).

    A fragment is a longest run of consecutive blocks of a page that were all kept, with a line feed between
    blocks. The median is over all fragments; of an even number, it is the lower of the two in the middle.
    """

    name = "fragmentation"
    columns = (
        Column("stage", "`boilerplate` or `blocks`", form=SHOWN.__getitem__),
        Column("documents", "number of documents", shown=False),
        Column("avg_fragment_characters", "mean length of a fragment, in characters"),
        Column("median_fragment_characters", "median length of a fragment, in characters"),
        Column("fragments_per_document", "mean number of fragments per document"),
        Column("blocks_per_document", "mean number of kept blocks per document"),
    )
    stages = tuple(SHOWN)

    numbers = ("fragments", "blocks", "documents")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts fragments in a part of a batch, by stage and length; a document counts with its first fragment."""
        ever = part.blocks.with_row_index("place").filter(pl.col(self.stages[0]) == KEPT)
        ever = ever.select(
            "place", "record", *self.stages, "quality", characters=pl.col("text").str.len_chars().cast(pl.Int64)
        )
        return pl.concat(self._of_stage(ever, stage) for stage in self.stages)

    def _of_stage(self, blocks: pl.DataFrame, stage: str) -> pl.DataFrame:
        kept = blocks.filter(in_corpus() if stage == "blocks" else stays(stage))
        document = pl.col("record") != pl.col("record").shift()
        fragment = document | (pl.col("place") != pl.col("place").shift() + 1)
        return (
            kept.with_columns(document=document.fill_null(True), fragment=fragment.fill_null(True).cum_sum())
            .group_by("fragment")
            .agg((pl.col("characters") + 1).sum() - 1, pl.len().alias("blocks"), pl.col("document").any())
            .group_by("characters")
            .agg(pl.len().alias("fragments"), pl.col("blocks").sum(), pl.col("document").sum().alias("documents"))
            .select(
                pl.concat_str(pl.lit(stage), "characters", separator="\t").alias("key"),
                pl.col(self.numbers).cast(pl.Int64),
            )
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per stage."""
        lengths: dict[str, dict[int, tuple[int, ...]]] = {stage: {} for stage in self.stages}
        for key, numbers in self.totals.items():
            stage, characters = key.split("\t")
            lengths[stage][int(characters)] = numbers
        return [_row(stage, stage_lengths) for stage, stage_lengths in lengths.items()]


def _row(stage: str, lengths: dict[int, tuple[int, ...]]) -> tuple[Cell, ...]:
    fragments, blocks, documents = (sum(column) for column in zip(*lengths.values(), strict=True)) if lengths else _NONE
    characters = sum(length * numbers[0] for length, numbers in lengths.items())
    before = median = 0
    for median in sorted(lengths):
        before += lengths[median][0]
        if before >= (fragments + 1) // 2:
            break
    return (
        stage,
        documents,
        ratio(characters, fragments, 1),
        median,
        ratio(fragments, documents, 2),
        ratio(blocks, documents, 2),
    )


_NONE = (0, 0, 0)
