"""Tables of our numbers beside published ones, for the pages of chapters 2 and 3."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from corpusprep.io import tsv
from corpusprep.io.files import replacing

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
    def far(self) -> list[Number]:
        """The numbers that differ from the published ones by more than FAR points."""
        return [n for n in self.numbers if n.is_score and n.difference and abs(float(n.difference)) > FAR]


def write(path: Path, table: Table) -> None:
    """Writes a table as TSV, one line per number."""
    rows = (
        (number.row, number.score, number.published, number.ours, number.difference, *number.interval, number.macro)
        for number in table.numbers
    )
    tsv.write(path, _COLUMNS, rows)


def write_report(folder: Path, tables: Iterable[Table], page: str) -> None:
    """Writes each table as `table_<name>.tsv`, and the page as `report.html`."""
    for table in tables:
        write(folder / f"table_{table.name.lower().replace(' ', '_').replace('.', '_')}.tsv", table)
    with replacing(folder / "report.html") as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")
