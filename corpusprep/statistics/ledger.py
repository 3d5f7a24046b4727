"""The ledger: counts what each stage kept and removed, by unit and reason."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.pipeline import ALWAYS_DECIDING, DECIDING
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table
from corpusprep.tables.verdicts import KEPT

#: Columns of the table of `encoding` that mark records.
_MARKS = ("mended", "truncated")


class Ledger(Table):
    """What each stage kept and removed, by reason.

    For each unit, the sum over the verdicts of a stage is exactly what the stage before kept; the documents of
    `boilerplate` are the records that `encoding` kept. If a document is removed as a whole, its blocks and
    words are removed with it. Two units count records a second time, where there are any: `mended_record` those whose
    declared length was wrong by a few bytes, or by as many as converted line ends explain; `truncated_record` those of
    which the archive has only the beginning.
    """

    name = "ledger"
    columns = (
        Column("stage", "the stage that decided"),
        Column("unit", "`record`, `byte`, `mended_record`, `truncated_record`, `document`, `block` or `word`"),
        Column("verdict", "`kept`, or a [reason](verdicts.md)"),
        Column("count", "how many units got this verdict"),
    )
    units = (
        ("encoding", "record"),
        ("encoding", "byte"),
        *(("encoding", f"{mark}_record") for mark in _MARKS),
        *((stage, unit) for stage in DECIDING for unit in ("document", "block", "word")),
    )

    numbers = ("count",)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the verdicts in a part of a batch; a key is stage, unit and verdict."""
        counted: list[tuple[str, str, str, int]] = []
        records = part.records.group_by("verdict").agg(pl.len(), pl.col("length").sum())
        for verdict, number, length in records.iter_rows():
            counted += [("encoding", "record", verdict, number), ("encoding", "byte", verdict, length)]
        for mark in _MARKS:
            marked = part.records.filter(pl.col(mark)).group_by("verdict").agg(pl.len())
            counted += [("encoding", f"{mark}_record", *row) for row in marked.iter_rows()]
        for stage in DECIDING:
            for unit, fates in (("document", part.document_fates), ("block", part.block_fates)):
                for fate in fates:
                    verdict = fate.verdicts[stage]
                    if verdict is None:
                        continue
                    counted.append((stage, unit, verdict, fate.units))
                    if unit == "block":
                        counted.append((stage, "word", verdict, fate.words))
        return pl.DataFrame(
            {"key": ["\t".join(key) for *key, _ in counted], "count": [count for *_, count in counted]},
            {"key": pl.String, "count": pl.Int64},
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: stages in pipeline order; per unit first `kept`, then the reasons that occur, by name."""
        counts: dict[tuple[str, str], dict[str, int]] = {unit: {} for unit in self.units}
        for key, (count,) in self.totals.items():
            stage, unit, verdict = key.split("\t")
            counts[stage, unit][verdict] = count
        rows: list[tuple[Cell, ...]] = []
        for (stage, unit), verdicts in counts.items():
            if unit.removesuffix("_record") in _MARKS and not verdicts:
                continue  # rare
            if stage not in ("encoding", *ALWAYS_DECIDING) and not verdicts:
                continue  # a stage that not all corpora have
            rows.append((stage, unit, KEPT, verdicts.get(KEPT, 0)))
            reasons = sorted(verdict for verdict, count in verdicts.items() if count and verdict != KEPT)
            rows.extend((stage, unit, reason, verdicts[reason]) for reason in reasons)
        return rows
