"""What a study shows: tables of our numbers beside published ones, figures, and tables of text."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from markupsafe import Markup

from corpusprep.io import tsv

#: Differences of more points are listed under the table.
FAR = 1.5

_COLUMNS = (
    "row",
    "score",
    "published",
    "ours",
    "difference",
    "interval_low",
    "interval_high",
    "macro_average",
)


@dataclass(slots=True, frozen=True)
class Number:
    """A number of a table: published, ours, our 95 % interval (F1 and F0.5) and macro average.

    `published` and `ours` are text as printed, empty where there is no number.
    """

    row: str
    score: str
    published: str
    ours: str
    interval: tuple[str, str] = ("", "")
    macro: str = ""

    @property
    def difference(self) -> str:
        """Ours minus published; empty if one is missing or is not a number."""
        try:
            difference = float(self.ours) - float(self.published)
        except ValueError:
            return ""
        return f"{difference:+.2f}" if "." in self.ours + self.published else f"{difference:+.0f}"

    @property
    def is_score(self) -> bool:
        """Whether the number is a precision, recall or F, not a threshold or a count."""
        return self.score.rpartition(" ")[2] in {"P", "R", "F1", "F0.5"} or self.score.startswith("F0.5")


@dataclass(slots=True, frozen=True)
class Table:
    """A table: its number in the thesis, title, description, numbers, and the notes under it."""

    name: str
    title: str
    about: str
    numbers: list[Number]
    notes: list[str] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(dict.fromkeys(number.score for number in self.numbers))

    @property
    def published_columns(self) -> set[str]:
        """The columns that have a published number."""
        return {number.score for number in self.numbers if number.published}

    @property
    def rows(self) -> list[tuple[str, list[Number | None]]]:
        """The rows of the table, with one number or None per column."""
        rows: dict[str, dict[str, Number]] = {}
        for number in self.numbers:
            rows.setdefault(number.row, {})[number.score] = number
        return [(row, [cells.get(column) for column in self.columns]) for row, cells in rows.items()]

    @property
    def parts(self) -> list["Table"]:
        """The table in parts that fit a page: shares, then counts, if each column of shares has one of counts."""
        shares = [column for column in self.columns if column.endswith(", %")]
        if not shares or not all(column.removesuffix(", %") in self.columns for column in shares):
            return [self]
        numbers = (
            [number for number in self.numbers if number.score in shares],
            [number for number in self.numbers if number.score not in shares],
        )
        return [replace(self, numbers=part) for part in numbers]

    @property
    def is_measured(self) -> bool:
        """Whether it has a number of ours."""
        return any(number.ours for number in self.numbers)

    @property
    def far(self) -> list[Number]:
        """The numbers that differ from the published ones by more than FAR points."""
        return [n for n in self.numbers if n.is_score and n.difference and abs(float(n.difference)) > FAR]


@dataclass(slots=True, frozen=True)
class Drawing:
    """A figure with its caption; its data as a table `figure_<name>.tsv`, if it has `columns`."""

    figure: Markup
    caption: str
    name: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[tsv.Cell, ...], ...] = ()


@dataclass(slots=True, frozen=True)
class Listing:
    """A table of text. The first column names the rows."""

    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


#: What a study makes.
Exhibit = Table | Drawing | Listing


def write(folder: Path, exhibits: Iterable[Exhibit]) -> None:
    """Writes each table as `table_<name>.tsv`, a line per number, and the data of figures as `figure_<name>.tsv`."""
    for exhibit in exhibits:
        if isinstance(exhibit, Table):
            name = exhibit.name.lower().replace(" ", "_").replace(".", "_")
            tsv.write(folder / f"table_{name}.tsv", _COLUMNS, map(_cells, exhibit.numbers))
        elif isinstance(exhibit, Drawing) and exhibit.columns:
            tsv.write(folder / f"figure_{exhibit.name}.tsv", exhibit.columns, exhibit.rows)


def _cells(number: Number) -> tuple[str, ...]:
    return (
        number.row,
        number.score,
        number.published,
        number.ours,
        number.difference,
        *number.interval,
        number.macro,
    )
