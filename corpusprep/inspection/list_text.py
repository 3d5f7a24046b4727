"""Prints lists of items with their numbers: for a terminal, or for other programs: TSV, JSON, CSV."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from corpusprep.inspection.concordance_text import clean, first, padded
from corpusprep.io.sheets import guarded

#: Forms for other programs: CSV is for spreadsheets, and never has what they would run as a formula.
FORMS = ("tsv", "json", "csv")
#: Rows that are written together.
_ROWS = 10_000
#: The least columns of the items on a terminal.
_LEAST = 12
_GAP = 2


@dataclass(frozen=True, slots=True)
class Shown:
    """A column of numbers.

    Attributes:
        name: in the frame, and in other forms than text.
        title: above the column.
        decimals: of its numbers.
    """

    name: str
    title: str
    decimals: int = 0

    def text(self, value: Any) -> str:
        """Returns a number as people read it."""
        return "–" if value is None else f"{value:,.{self.decimals}f}"


#: Columns of a word list.
WORDS = (
    Shown("frequency", "frequency"),
    Shown("per_million", "per\nmillion", 1),
    Shown("documents", "documents"),
    Shown("hosts", "hosts"),
    Shown("arf", "ARF", 1),
    Shown("dp", "DP", 3),
)


def of_keywords(measure: str) -> tuple[Shown, ...]:
    """Returns the columns of a list of keywords."""
    return (
        Shown("frequency", "frequency"),
        Shown("hosts", "hosts"),
        Shown("per_million", "per\nmillion", 1),
        Shown("reference_per_million", "in the\nreference", 1),
        Shown("value", measure.replace("-", "\n", 1), 2),
        Shown("low", "95 %\nfrom", 2),
        Shown("high", "interval\nto", 2),
    )


def of_collocations(measure: str) -> tuple[Shown, ...]:
    """Returns the columns of a list of collocations."""
    return Shown("together", "together"), Shown("frequency", "frequency"), Shown("value", measure, 2)


def of_breakdown(names: Sequence[str]) -> tuple[Shown, ...]:
    """Returns the columns of a breakdown of hits that it has."""
    columns = (
        Shown("hits", "hits"),
        Shown("share", "% of\nhits" if "hits" in names else "% of\ntokens", 1),
        Shown("documents", "all\ndocuments"),
        Shown("tokens", "all\ntokens"),
        Shown("per_million", "per\nmillion", 1),
    )
    return tuple(column for column in columns if column.name in names)


def show(frames: Iterable[pl.DataFrame], columns: Sequence[Shown], console: Console) -> None:
    """Prints rows: the item, cut where it is too long for the terminal, and its numbers.

    Columns are as wide as the first thousands of rows need them.
    """
    titled = False
    for rows in frames:
        if not titled:
            widths, widest = _heads(rows.head(_ROWS), columns, console)
            titled = True
        for item, *numbers in rows.select("item", *(column.name for column in columns)).iter_rows():
            fits = first(clean(item), widest)
            texts = (
                f"{column.text(number):>{width}}"
                for column, number, width in zip(columns, numbers, widths, strict=True)
            )
            _print(console, Text(_line(fits, texts, widest)))


def _heads(rows: pl.DataFrame, columns: Sequence[Shown], console: Console) -> tuple[list[int], int]:
    """Prints the titles above rows; returns the widths of the numbers, and of the items."""
    cells = [[column.text(value) for value in rows[column.name]] for column in columns]
    widths = [
        max([len(line) for line in column.title.split("\n")] + list(map(len, texts)))
        for column, texts in zip(columns, cells, strict=True)
    ]
    room = max(_LEAST, console.width - sum(width + _GAP for width in widths))
    widest = min(room, max([_LEAST, *(cell_len(clean(item)) for item in rows["item"])]))
    titles = [column.title.split("\n") for column in columns]
    height = max(map(len, titles))
    for line in range(height):
        words = ((["" for _ in range(height - len(title))] + title)[line] for title in titles)
        heads = (f"{word:>{width}}" for word, width in zip(words, widths, strict=True))
        _print(console, Text(_line("", heads, widest), style="dim"))
    return widths, widest


def _line(item: str, numbers: Iterable[str], widest: int) -> str:
    return padded(item, widest) + "".join(" " * _GAP + number for number in numbers)


def _print(console: Console, text: Text) -> None:
    console.print(text, no_wrap=True, crop=True, overflow="ignore", soft_wrap=True)


def pieces(frames: Iterable[pl.DataFrame], columns: Sequence[Shown], form: str) -> Iterator[str]:
    """Yields a list in one of FORMS, some thousand rows at a time; an unknown number is empty, in JSON null."""
    names = ["item", *(column.name for column in columns)]
    if form == "tsv":
        yield "\t".join(names) + "\n"
    elif form == "csv":
        yield _comma_separated([names])
    for some in (part for rows in frames for part in rows.select(names).iter_slices(_ROWS)):
        if form == "tsv":
            yield "".join("\t".join(map(_cell, row)) + "\n" for row in some.iter_rows())
        elif form == "json":
            yield "".join(json.dumps(row) + "\n" for row in some.iter_rows(named=True))
        else:
            yield _comma_separated([[guarded(clean(item)), *numbers] for item, *numbers in some.iter_rows()])


def _cell(value: Any) -> str:
    return "" if value is None else clean(str(value))


def _comma_separated(rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
