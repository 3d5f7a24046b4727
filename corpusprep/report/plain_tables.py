"""Prepares tables of the statistics as their classes declare them: headings, and cells ready to print."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from corpusprep.io.readable import thousands
from corpusprep.io.tsv import Row
from corpusprep.statistics.table import Table


@dataclass(frozen=True)
class PlainTable:
    """A table as the report prints it.

    Attributes:
        headings: the headings of the columns.
        rows: the cells.
        groups: headings over several columns, with the number of columns; the heading of single columns is empty.
        foreign: per column, whether its cells are text of pages.
        texts: columns of names.
        wide: columns of sentences.
        theirs: number of the last columns, which are of other corpora.
        kept: per row, whether it counts what was kept.
        without_rows: what stands in place of rows.
        shares: of each row, a share in percent for a last column with bars.
        name: its name.
        title: its heading.
        about: a sentence below it.
        cut: where there are more rows.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    groups: Sequence[tuple[str, int]] = ()
    foreign: Sequence[bool] = ()
    texts: Sequence[int] = ()
    wide: Sequence[int] = ()
    theirs: int = 0
    kept: Sequence[bool] = ()
    without_rows: str = "no rows"
    shares: Sequence[float] = ()
    name: str = ""
    title: str = ""
    about: str = ""
    cut: str = ""

    @property
    def labels(self) -> list[str]:
        """What stands beside each cell where the columns do not fit: the headings over it."""
        over = [group for group, columns in self.groups or [("", len(self.headings))] for _ in range(columns)]
        return [", ".join(filter(None, pair)) for pair in zip(over, self.headings, strict=True)]


def plain_table(kind: type[Table], rows: Sequence[Row], number: int = 0) -> PlainTable:
    """Returns the first rows of a table, ready to print.

    Args:
        kind: the table.
        rows: its rows.
        number: how many rows it has, if `rows` are the first ones.
    """
    columns = kind.shown_columns()
    groups: list[tuple[str, int]] = []
    for group, members in groupby(columns, key=lambda column: column.group):
        width = len(list(members))
        groups += [(group, width)] if group else [("", 1)] * width
    shown = [kind.cells(row) for row in rows[: kind.most_rows]]
    return PlainTable(
        [column.title for column in columns],
        shown,
        groups if any(column.group for column in columns) else [],
        [column.foreign for column in columns],
        without_rows=kind.without_rows,
        name=kind.name,
        title=kind.title,
        about=kind.about,
        cut=f"{thousands(len(shown))} of {thousands(number)} rows" if number > len(shown) else "",
    )


def with_shares(table: PlainTable, heading: str, numbers: Sequence[str], whole: int) -> PlainTable:
    """Returns a table with a last column: the share of each row's number in a whole."""
    return replace(
        table,
        groups=[*table.groups, ("", 1)] if table.groups else [],
        headings=[*table.headings, heading],
        foreign=[*table.foreign, False],
        shares=[100 * int(number) / whole if whole else 0.0 for number in numbers],
    )
