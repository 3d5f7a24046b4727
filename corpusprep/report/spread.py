"""Puts documents by year and by length of several corpora side by side, for the page over all of them."""

from collections.abc import Mapping, Sequence

from corpusprep.io import tsv
from corpusprep.io.readable import printable, thousands
from corpusprep.io.tsv import Row
from corpusprep.report.plain_tables import PlainTable
from corpusprep.statistics.lengths import length_class

#: The most years that have a column of their own; earlier ones share the first.
YEARS = 12


def by_year(corpora: Sequence[tuple[str, Sequence[Row]]]) -> PlainTable:
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
    return _table("Documents by year of the crawl", series, headings)


def by_length(corpora: Sequence[tuple[str, Sequence[Row]]]) -> PlainTable:
    """Returns the documents of each corpus by their words, from its tables `lengths`."""
    series = [(name, {length_class(row): int(row["documents"]) for row in rows}) for name, rows in corpora]
    headings = list(series[0][1]) if series else []
    return _table("Documents by length, in words", series, headings)


def _table(title: str, series: Sequence[tuple[str, Mapping[str, int]]], headings: Sequence[str]) -> PlainTable:
    rows = []
    for name, counts in series:
        numbers = [counts.get(heading, 0) for heading in headings]
        whole = sum(numbers)
        cells = [f"{tsv.percent(number, whole)} % ({thousands(number)})" if number else "" for number in numbers]
        rows.append([printable(name, 80), *cells])
    return PlainTable(["corpus", *headings], rows, title=title)
