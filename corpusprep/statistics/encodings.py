"""Compares declared and detected encodings (PRESEMT D3.1.3, 4, table 1)."""

from collections import Counter

import polars as pl

from corpusprep.io.readable import printable
from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table
from corpusprep.tables.verdicts import KEPT

#: Encoding of pages that declare none.
UNDECLARED = "undeclared"

#: Encoding of pages without a detected one.
UNDETECTED = "undetected"


class Encodings(Table):
    """Character encodings of the pages.

    Of several declarations, the one that a browser uses counts: a byte order mark, then HTTP, then the page's
    meta element. Each page counts once as declared (or as `undeclared`) and once as detected.
    """

    name = "encodings"
    columns = (
        Column("encoding", "WHATWG name of the encoding", form=lambda name: printable(name, 40), foreign=True),
        Column("declared", "pages that declare it"),
        Column("detected", "pages it was detected in (by the bytes; by the declaration where they decide nothing)"),
        Column("agree", "pages that declare it and in which it was detected", "both"),
    )

    without_rows = "no pages"
    most_rows = None
    numbers = ("pages",)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages in a part of a batch; a key is the declared and the detected encoding."""
        declared = _first("declared_bom", "declared_http", "declared_meta", default=UNDECLARED)
        detected = _first("detected", default=UNDETECTED)
        pages = part.records.filter(verdict=KEPT).select(key=pl.concat_str(declared, detected, separator="\t"))
        return pages.group_by("key").agg(pl.len().cast(pl.Int64).alias("pages"))

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table, the most frequently detected encoding first."""
        declared, detected, agree = Counter[str](), Counter[str](), Counter[str]()
        for key, (pages,) in self.totals.items():
            named, detected_name = key.split("\t")
            declared[named] += pages
            detected[detected_name] += pages
            if named == detected_name:
                agree[named] += pages
        names = sorted(declared.keys() | detected.keys(), key=lambda name: (-detected[name], -declared[name], name))
        return [(name, declared[name], detected[name], agree[name]) for name in names]


def _first(*columns: str, default: str) -> pl.Expr:
    """Returns the first value of several columns that is neither null nor empty."""
    return pl.coalesce(*(pl.when(pl.col(name) != "").then(pl.col(name)) for name in columns), pl.lit(default))
