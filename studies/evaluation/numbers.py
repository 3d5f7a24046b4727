"""Scores of systems as numbers of tables: P, R, F1 and F0.5, with intervals and means over pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corpusprep.gold.scores import Counts, intervals, macro, micro
from studies.comparison import Number

#: Column of published tables -> place among the scores.
SCORES = {"P": 0, "R": 1, "F1": 2, "F05": 3}
NAMES = ("P", "R", "F1", "F0.5")
#: Column of published tables -> its name here.
COLUMNS = dict(zip(SCORES, NAMES, strict=True))
#: Prefix of columns of published tables -> its name here.
LABELS = {"AR100_": "AR = 100: ", "AR0_": "AR > 0: ", "with_undec_": "with undecided: ", "without_": "without: "}
#: Least annotation reliability -> its name in columns.
RELIABILITIES = (("100", "AR = 100"), ("0", "AR > 0"))


def of_counts(
    row: str, prefix: str, published_row: Mapping[str, str], counts: Sequence[Counts] | None
) -> Iterator[Number]:
    """Yields the four scores of a system beside the published ones.

    Args:
        row: the system.
        prefix: of the columns of the published table.
        published_row: its row of the published table; empty if there is none.
        counts: of its pages; None if it was not measured.
    """
    means = micro(counts) if counts else None
    each = macro(counts) if counts else None
    spread = intervals(counts) if counts else None
    for score, place in SCORES.items():
        interval = spread[place - 2] if spread and place >= 2 else None
        yield Number(
            row,
            LABELS.get(prefix, "") + COLUMNS[score],
            two(published_row.get(prefix + score, "")),
            two(means[place]) if means else "",
            (two(interval[0]), two(interval[1])) if interval else ("", ""),
            two(each[place]) if each else "",
        )


def two(value: Any) -> str:
    """Returns a number with two decimals; empty text stays empty."""
    return f"{float(value):.2f}" if value != "" else ""
