"""Writes a survey: as text for a terminal, as TSV and JSON, and as one page with figures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.readable import printable, size
from corpusprep.languages import descriptions
from corpusprep.languages.tags import NO_LANGUAGE
from corpusprep.survey.survey import NONE, OTHER, Survey, SurveyRow, SurveyTable

COLUMNS = ("table", "unit", "sample", "item", "count", "percent", "low", "high")
#: Rows of a table in a terminal and on the page; the files have all.
SHOWN, SHOWN_ON_PAGE = 12, 25
#: Tables with a figure.
FIGURES = {"languages": "blocks", "language_words": "kept", "page_kinds": "language", "dates": "documents"}
#: Characters of an item in a terminal.
_ITEM = 40
#: Intervals by fewer windows are rough.
_FEW_WINDOWS = 30
_LANGUAGES = frozenset({"languages", "language_words"})


def lines(survey: Survey) -> Iterator[str]:
    """Yields the lines for a terminal, at most 80 characters each."""
    yield from summary(survey)
    for table in survey.tables:
        yield ""
        yield f"{table.title} ({table.size:,} {table.unit})"
        for row in table.rows[:SHOWN]:
            numbers = f"{row.count:>11,} {_percent(row):>8} {interval(row):>15}"
            yield f"  {name_of(table, row, _ITEM - 2):<{_ITEM}} {numbers}".rstrip()
        if len(table.rows) > SHOWN:
            yield f"  and {len(table.rows) - SHOWN:,} more"


def summary(survey: Survey) -> list[str]:
    """Returns what the sample is, and what it says about the size of the crawl."""
    sample = survey.sample
    archives = f"{sample.archives:,} archive{'s' * (sample.archives != 1)}, {size(sample.stored_bytes)}"
    if sample.empty:
        archives += f" ({sample.empty:,} empty)"
    counts = f"{survey.records:,} records, {survey.pages:,} HTML pages, {survey.words:,} clean words"
    if sample.complete:
        return [f"{archives}; all of it was read:", f"{counts}."]
    few = len(sample.windows) < _FEW_WINDOWS
    windows = f"{len(sample.windows):,} window{'s' * (len(sample.windows) != 1)} of {sample.all_windows:,}"
    return [
        f"{archives}; sample: {size(sample.sampled_bytes)} in {windows}:",
        f"{counts}.",
        *(["The sample is small, and its intervals are rough; a larger one: --sample."] * few),
        f"The crawl: about {_rounded(survey.pages * survey.scale)} HTML pages with"
        f" {_rounded(survey.words * survey.scale)} clean words.",
    ]


def rows(survey: Survey) -> Iterator[tuple[str | int, ...]]:
    """Yields the rows of the TSV, in the order of COLUMNS."""
    for table in survey.tables:
        for row in table.rows:
            yield (
                table.name,
                table.unit,
                table.size,
                printable(row.item, 500).replace("\t", " ").replace("\n", " "),
                row.count,
                *("" if value is None else f"{value:.3f}" for value in (row.share, row.low, row.high)),
            )


def write_table(survey: Survey, path: Path) -> None:
    """Writes all tables as one TSV."""
    tsv.write(path, COLUMNS, rows(survey))


def write_json(survey: Survey, path: Path) -> None:
    """Writes everything as JSON."""
    sample = survey.sample
    content: dict[str, Any] = {
        "archives": sample.archives,
        "empty_archives": sample.empty,
        "stored_bytes": sample.stored_bytes,
        "sample": {
            "bytes": sample.sampled_bytes,
            "windows": len(sample.windows),
            "of_windows": sample.all_windows,
            "records": survey.records,
            "pages": survey.pages,
            "clean_words": survey.words,
        },
        "estimate": {"pages": round(survey.pages * survey.scale), "clean_words": round(survey.words * survey.scale)},
        "tables": {
            table.name: {
                "unit": table.unit,
                "sample": table.size,
                "rows": [
                    {
                        "item": row.item,
                        "count": row.count,
                        "percent": round(row.share, 3),
                        "interval": None
                        if row.low is None or row.high is None
                        else [round(row.low, 3), round(row.high, 3)],
                    }
                    for row in table.rows
                ],
            }
            for table in survey.tables
        },
    }
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def write_page(survey: Survey, path: Path) -> None:
    """Writes the page: one HTML file."""
    from corpusprep.report import figures  # takes a second
    from corpusprep.report.rendering import environment

    tables = []
    for table in survey.tables:
        shown = table.rows[:SHOWN_ON_PAGE] if table.name != "dates" else table.rows
        figure = None
        if table.name in FIGURES and shown:
            bars = [
                figures.Bar(
                    name_of(table, row, 24), row.count, f"{_percent(row)} {interval(row)}".strip(), FIGURES[table.name]
                )
                for row in shown
            ]
            figure = figures.shares(bars, table.name, table.title)
        tables.append(
            {
                "name": table.name,
                "title": table.title,
                "unit": table.unit,
                "size": table.size,
                "note": table.note,
                "figure": figure,
                "rows": [
                    {
                        "item": name_of(table, row, 100),
                        "count": row.count,
                        "percent": _percent(row),
                        "interval": interval(row),
                    }
                    for row in shown
                ],
                "more": len(table.rows) - len(shown),
            }
        )
    html = (
        environment("corpusprep.survey")
        .get_template("survey.html.j2")
        .render(summary=summary(survey), tables=tables, complete=survey.sample.complete, headlines=_headlines(survey))
    )
    with replacing(path) as temporary:
        temporary.write_text(html, encoding="utf-8", newline="\n")


def _headlines(survey: Survey) -> list[tuple[str, str]]:
    by_name = {table.name: table for table in survey.tables}
    languages = [row for row in by_name["languages"].rows if row.item not in (NONE, OTHER, NO_LANGUAGE)]
    about = "" if survey.sample.complete else "about "
    return [
        (f"{_rounded(survey.pages * survey.scale)}", f"{about}HTML pages"),
        (f"{_rounded(survey.words * survey.scale)}", f"{about}clean words"),
        (f"{len(languages):,}", "languages in the sample"),
        (f"{len(by_name['hosts'].rows):,}", "hosts in the sample"),
        (f"{survey.pages:,}", "pages in the sample"),
    ]


def name_of(table: SurveyTable, row: SurveyRow, longest: int) -> str:
    """Returns what a row is about: a language by its name and code, anything else as it is."""
    name = row.item
    described = descriptions.find(name) if table.name in _LANGUAGES else None
    if described:
        name = f"{described.name} ({described.code})"
    return printable(name, longest).replace("\n", " ")


def interval(row: SurveyRow) -> str:
    """Returns the interval in per cent, or nothing."""
    return "" if row.low is None or row.high is None else f"[{row.low:.1f}, {row.high:.1f}]"


def _percent(row: SurveyRow) -> str:
    return f"{row.share:.1f} %" if row.share >= 0.1 or not row.count else "< 0.1 %"


def _rounded(number: float) -> str:
    """Three digits: an estimate is not more exact."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 1000 else f"{number:,.0f}"
