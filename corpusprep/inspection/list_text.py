"""Prints lists of items with their numbers: for a terminal, or as tab-separated text or JSON for other programs."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from corpusprep.inspection.concordance_text import clean, first, padded

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


def show(rows: pl.DataFrame, columns: Sequence[Shown], console: Console) -> None:
    """Prints rows: the item, cut where it is too long for the terminal, and its numbers."""
    cells = [[column.text(value) for value in rows[column.name]] for column in columns]
    widths = [
        max([len(line) for line in column.title.split("\n")] + list(map(len, texts)))
        for column, texts in zip(columns, cells, strict=True)
    ]
    items = [clean(item) for item in rows["item"]]
    room = max(_LEAST, console.width - sum(width + _GAP for width in widths))
    widest = min(room, max([_LEAST, *map(cell_len, items)]))
    titles = [column.title.split("\n") for column in columns]
    height = max(map(len, titles))
    for line in range(height):
        words = ((["" for _ in range(height - len(title))] + title)[line] for title in titles)
        heads = (f"{word:>{width}}" for word, width in zip(words, widths, strict=True))
        _print(console, Text(_line("", heads, widest), style="dim"))
    for number, item in enumerate(items):
        fits = first(item, widest) if cell_len(item) > widest else item
        numbers = (f"{texts[number]:>{width}}" for texts, width in zip(cells, widths, strict=True))
        _print(console, Text(_line(fits, numbers, widest)))


def _line(item: str, numbers: Iterable[str], widest: int) -> str:
    return padded(item, widest) + "".join(" " * _GAP + number for number in numbers)


def _print(console: Console, text: Text) -> None:
    console.print(text, no_wrap=True, crop=True, overflow="ignore", soft_wrap=True)


def tab_separated(rows: pl.DataFrame, columns: Sequence[Shown], write: Callable[[str], object]) -> None:
    """Writes a header and a row per item; a number that is not known is empty."""
    names = ["item", *(column.name for column in columns)]
    write("\t".join(names) + "\n")
    for row in rows.select(names).iter_rows():
        write("\t".join("" if value is None else clean(str(value)) for value in row) + "\n")


def json_lines(rows: pl.DataFrame, columns: Sequence[Shown], write: Callable[[str], object]) -> None:
    """Writes a JSON object per item."""
    for row in rows.select("item", *(column.name for column in columns)).iter_rows(named=True):
        write(json.dumps(row) + "\n")
