"""Puts documents by year and by length of several corpora side by side, for the page over all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpusprep.io import tsv
from corpusprep.io.readable import percent, printable, thousands
from corpusprep.io.tsv import Row
from corpusprep.statistics.lengths import length_class

#: The most years that have a column of their own; earlier ones share the first.
YEARS = 12


@dataclass(frozen=True)
class Spread:
    """A table: its title, what the columns are, their headings, and per corpus its name and (number, share) cells."""

    title: str
    unit: str
    headings: list[str]
    rows: list[tuple[str, list[tuple[str, str]]]]


def by_year(corpora: Sequence[tuple[str, Sequence[Row]]]) -> Spread:
    """Returns the documents of each corpus by year of the crawl, from its tables `years`."""
    years = sorted({row["year"] for _, rows in corpora for row in rows if row["year"] and row["documents"] != "0"})
    shown = years[-YEARS:]
    earlier = f"before {shown[0]}" if len(years) > len(shown) else ""
    headings = [*([earlier] if earlier else []), *shown]
    series = []
    for name, rows in corpora:
        counts: dict[str, int] = {}
        for row in rows:
            heading = row["year"] if row["year"] in shown else earlier if row["year"] else "no date"
            counts[heading] = counts.get(heading, 0) + int(row["documents"])
        series.append((name, counts))
    if any(counts.get("no date") for _, counts in series):
        headings.append("no date")
    return Spread("Documents by year of the crawl", "year", headings, _rows(series, headings))


def by_length(corpora: Sequence[tuple[str, Sequence[Row]]]) -> Spread:
    """Returns the documents of each corpus by their words, from its tables `lengths`."""
    series = [(name, {length_class(row): int(row["documents"]) for row in rows}) for name, rows in corpora]
    headings = list(series[0][1]) if series else []
    return Spread("Documents by length, in words", "words", headings, _rows(series, headings))


def _rows(
    series: Sequence[tuple[str, Mapping[str, int]]], headings: Sequence[str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    rows = []
    for name, counts in series:
        numbers = [counts.get(heading, 0) for heading in headings]
        cells = [
            (thousands(number), percent(tsv.percent(number, sum(numbers)))) if number else ("", "")
            for number in numbers
        ]
        rows.append((printable(name, 80), cells))
    return rows
