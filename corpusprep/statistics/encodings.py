"""Declared encodings against detected ones (PRESEMT D3.1.3, 4, table 1)."""

from collections import Counter

import polars as pl

from corpusprep.statistics.fates import Fates
from corpusprep.statistics.tsv import Cell
from corpusprep.verdicts import KEPT

#: Stands for the encoding of pages that declare none.
UNDECLARED = "undeclared"

#: Stands for the encoding of pages that none was detected on.
UNDETECTED = "undetected"


class Encodings:
    """For each encoding: pages that declare it, pages it was detected on, and pages both are true of.

    Of several declarations the one counts that a browser would take: a byte order mark, then HTTP, then
    the page's own meta element. Pages are the records that `encoding` kept; each counts once as declared
    (perhaps as `undeclared`) and once as detected.
    """

    name = "encodings"
    columns = ("encoding", "declared", "detected", "agree")

    def __init__(self) -> None:
        self._declared: Counter[str] = Counter()
        self._detected: Counter[str] = Counter()
        self._agree: Counter[str] = Counter()

    def add(self, fates: Fates) -> None:
        """Adds a batch."""
        pairs = fates.records.filter(verdict=KEPT).select(
            declared=_first("declared_bom", "declared_http", "declared_meta", default=UNDECLARED),
            detected=_first("detected", default=UNDETECTED),
        )
        for declared, detected, pages in pairs.group_by("declared", "detected").agg(pl.len()).iter_rows():
            self._declared[declared] += pages
            self._detected[detected] += pages
            if declared == detected:
                self._agree[declared] += pages

    def rows(self) -> list[tuple[Cell, ...]]:
        """The table, the most often detected first."""
        names = sorted(
            self._declared.keys() | self._detected.keys(),
            key=lambda name: (-self._detected[name], -self._declared[name], name),
        )
        return [(name, self._declared[name], self._detected[name], self._agree[name]) for name in names]


def _first(*columns: str, default: str) -> pl.Expr:
    """The first of some columns that is neither null nor empty."""
    return pl.coalesce(*(pl.when(pl.col(name) != "").then(pl.col(name)) for name in columns), pl.lit(default))
