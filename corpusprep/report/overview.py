"""Puts corpora side by side on one page (Pomikálek 2011, tables 3.8 and 3.9; PRESEMT D3.1.3, table 2)."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.readable import percent, printable, size, thousands
from corpusprep.io.tsv import Row
from corpusprep.languages import descriptions
from corpusprep.pipeline import DECIDING, OVERVIEW, STAGES
from corpusprep.report import published, spread
from corpusprep.report.plain_tables import PlainTable
from corpusprep.report.rendering import environment
from corpusprep.tables.crawl_files import corpus_name

#: The columns of corpora.tsv.
COLUMNS: tuple[str, ...] = (
    *"corpus language report archives stored_bytes body_bytes pages urls words_crawl".split(),
    *"words_after_boilerplate words_after_boilerplate_percent words_removed_as_boilerplate".split(),
    *"words_after_language words_after_language_percent documents_after_language documents_after_documents".split(),
    *"words_after_documents words_after_documents_percent tokens_after_documents documents_after_blocks".split(),
    *"words_after_blocks words_after_blocks_percent tokens_after_blocks n ngrams_used".split(),
    *"ngrams_used_percent_of_tokens duplicate_10grams_before duplicate_10grams_after".split(),
    *"duplicate_10grams_left_percent duplicate_10gram_types_before duplicate_10gram_types_after hosts".split(),
    *"words_of_ten_hosts_percent avg_words first_year last_year mean_dp".split(),
)
#: Further columns, if a corpus has the stage `quality`; the others have nothing there.
QUALITY_COLUMNS = tuple(f"{name}_after_quality" for name in ("documents", "words", "tokens"))


@dataclass(frozen=True)
class CorpusLine:
    """A line of a cell: a number, and what it counts."""

    number: str
    unit: str


@dataclass(frozen=True)
class Column:
    """A column of the page: its heading, and what its lines show.

    Attributes:
        heading: its heading.
        numbers: per line: the column of corpora.tsv, what it counts, and how its values are printed.
    """

    heading: str
    numbers: tuple[tuple[str, str, Callable[[str], str]], ...]

    def lines(self, row: Row) -> list[CorpusLine]:
        """Returns the lines that a corpus has numbers for."""
        return [CorpusLine(form(row[name]), unit) for name, unit, form in self.numbers if row.get(name)]


def _bytes(text: str) -> str:
    return size(int(text)) if text.isdecimal() else text


_KEPT = "kept"

#: The columns of the page after the name of the corpus.
PAGE_COLUMNS = (
    Column(
        "crawl",
        (
            ("words_crawl", "words", thousands),
            ("pages", "pages", thousands),
            ("urls", "addresses", thousands),
            ("stored_bytes", "stored", _bytes),
            ("body_bytes", "uncompressed", _bytes),
        ),
    ),
    *(
        Column(
            STAGES[stage].after,
            tuple(
                number
                for number in (
                    (f"words_after_{stage}", "words", thousands),
                    (f"words_after_{stage}_percent", _KEPT, percent),
                    (f"words_removed_as_{stage}", "removed", thousands),
                    (f"documents_after_{stage}", "documents", thousands),
                    (f"tokens_after_{stage}", "tokens", thousands),
                )
                if number[0] in COLUMNS + QUALITY_COLUMNS
            ),
        )
        for stage in DECIDING
    ),
    Column(
        "n-grams for de-duplication",
        (
            ("ngrams_used", "types", thousands),
            ("ngrams_used_percent_of_tokens", "of the tokens", percent),
            ("n", "tokens each", thousands),
        ),
    ),
    Column(
        "duplicate 10-grams",
        (
            ("duplicate_10grams_before", "before", thousands),
            ("duplicate_10grams_after", "after", thousands),
            ("duplicate_10grams_left_percent", "left", percent),
            ("duplicate_10gram_types_before", "types before", thousands),
            ("duplicate_10gram_types_after", "types after", thousands),
        ),
    ),
    Column(
        "dispersion of the corpus",
        (
            ("words_of_ten_hosts_percent", "in ten hosts", percent),
            ("hosts", "hosts", thousands),
            ("avg_words", "words each", thousands),
            ("mean_dp", "mean DP", str),
            ("first_year", "first year", str),
            ("last_year", "last year", str),
        ),
    ),
)


def write(corpora: Sequence[tuple[Path, str]], page: Path, table: Path) -> None:
    """Writes the page and the table of several corpora.

    Args:
        corpora: the folder of each corpus, with its statistics, and the code of its language.
        page: the page. It links to the reports in the folders.
        table: the table.

    Raises:
        StageFileError: a table of the statistics is missing or damaged.
    """
    described = sorted(
        ((_row(*corpus, page.parent), corpus[0]) for corpus in corpora), key=lambda entry: _by_name(entry[0])
    )
    columns = COLUMNS + QUALITY_COLUMNS * any(row.get(QUALITY_COLUMNS[0]) for row, _ in described)
    tsv.write(table, columns, ([row.get(name, "") for name in columns] for row, _ in described))
    tables = {
        name: [(row["corpus"], tsv.read(folder / "statistics" / f"{name}.tsv")) for row, folder in described]
        for name in ("years", "lengths")
    }
    spreads = spread.by_year(tables["years"]), spread.by_length(tables["lengths"])
    html = render([row for row, _ in described], spreads)
    with replacing(page) as temporary:
        temporary.write_text(html, encoding="utf-8", newline="\n")


def _row(folder: Path, language: str, start: Path) -> Row:
    """Returns the row of a corpus in corpora.tsv; `start` is the folder that the link starts from."""
    tables = {name: tsv.read(folder / "statistics" / f"{name}.tsv") for name in OVERVIEW}
    sizes = {row["stage"]: row for row in tables["corpus_size"]}
    (crawl,), (ngrams,), (spreading,) = tables["crawl"], tables["duplicate_ngrams"], tables["dispersion"]
    row = crawl | ngrams | {name: spreading[name] for name in COLUMNS if name in spreading}
    row |= {
        "corpus": corpus_name(folder),
        "language": language,
        "report": Path(os.path.relpath(folder / "report.html", start)).as_posix(),
        "words_crawl": sizes["crawl"]["words"],
        "words_removed_as_boilerplate": str(int(sizes["crawl"]["words"]) - int(sizes["boilerplate"]["words"])),
    }
    for stage in (stage for stage in DECIDING if stage in sizes):
        row[f"words_after_{stage}"] = sizes[stage]["words"]
        row[f"words_after_{stage}_percent"] = sizes[stage]["words_percent_of_previous"]
        row[f"documents_after_{stage}"] = sizes[stage]["documents"]
        row[f"tokens_after_{stage}"] = sizes[stage]["tokens"]
    return row


def _by_name(row: Row) -> tuple[str, ...]:
    return row["corpus"].casefold(), row["corpus"], row["report"]


def _words(row: Row) -> str:
    """Returns the words of the corpus."""
    return row.get("words_after_quality") or row["words_after_blocks"]


def _most(name: str) -> Callable[[Row], tuple[float, tuple[str, ...]]]:
    return lambda row: (-float(row[name]), _by_name(row))


def _language(row: Row) -> str:
    described = descriptions.find(row["language"])
    return printable(described.name if described else row["language"], 40)


#: What the page can be sorted by -> the key.
ORDERS: dict[str, Callable[[Row], Any]] = {
    "name": _by_name,
    "language": lambda row: (_language(row).casefold(), _by_name(row)),
    "words of the crawl": _most("words_crawl"),
    "words of the corpus": lambda row: (-float(_words(row)), _by_name(row)),
    "words kept": lambda row: (-int(_words(row)) / max(1, int(row["words_crawl"])), _by_name(row)),
    "duplicates left": _most("duplicate_10grams_left_percent"),
}


def render(rows: Sequence[Row], spreads: Sequence[PlainTable] = ()) -> str:
    """Returns the page, as HTML.

    Args:
        rows: a row of corpora.tsv for each corpus, by name.
        spreads: tables of their documents by year and by length.
    """
    places: list[list[int]] = [[0] * len(ORDERS) for _ in rows]
    for order, key in enumerate(ORDERS.values()):
        keys = [(key(row), number) for number, row in enumerate(rows)]
        for place, (_, number) in enumerate(sorted(keys)):
            places[number][order] = place
    after = STAGES["quality"].after
    shown = [column for column in PAGE_COLUMNS if column.heading != after or any(map(column.lines, rows))]
    corpora = [
        {
            "name": printable(row["corpus"], 80),
            "language": _language(row),
            "report": quote(row["report"]),
            "empty": _words(row) == "0",
            "cells": [(column.heading, column.lines(row)) for column in shown],
            "places": place,
        }
        for row, place in zip(rows, places, strict=True)
    ]
    theirs = [
        {
            "name": row["corpus"],
            "language": row["language"],
            "source": row["source"],
            "cells": [(column.heading, column.lines(row)) for column in shown],
        }
        for row in published_corpora()
    ]
    headlines = [
        (thousands(len(rows)), "corpus" if len(rows) == 1 else "corpora"),
        *(
            (thousands(sum(int(row.get(f"{unit}_after_quality") or row[f"{unit}_after_blocks"]) for row in rows)), unit)
            for unit in ("words", "tokens", "documents")
        ),
    ]
    return (
        environment()
        .get_template("overview.html.j2")
        .render(
            headlines=headlines,
            orders=list(ORDERS),
            headings=[column.heading for column in shown],
            corpora=corpora,
            theirs=theirs,
            spreads=spreads,
        )
    )


#: Rows of table 3.9, and of PRESEMT's table 2 -> columns of corpora.tsv.
_TABLE_3_9 = {
    "Web pages": "pages",
    "original corpus size [words]": "words_crawl",
    "after removing boilerplate [words]": "words_after_boilerplate",
    "after removing boilerplate [%]": "words_after_boilerplate_percent",
    "after language filtering [words]": "words_after_language",
    "after language filtering [%]": "words_after_language_percent",
    "after removing exact duplicates [words]": "words_after_documents",
    "after removing exact duplicates [%]": "words_after_documents_percent",
    "after block level de-duplication [words]": "words_after_blocks",
    "after block level de-duplication [%]": "words_after_blocks_percent",
    "tokens before block de-duplication": "tokens_after_documents",
    "10-grams used for block de-duplication": "ngrams_used",
    "10-grams used [% of tokens]": "ngrams_used_percent_of_tokens",
    "duplicate 10-grams before block de-duplication": "duplicate_10grams_before",
    "duplicate 10-grams after block de-duplication": "duplicate_10grams_after",
    "duplicate 10-grams left [%]": "duplicate_10grams_left_percent",
}
_PRESEMT_2 = {
    "unique URLs": "urls",
    "original main content [words]": "words_after_boilerplate",
    "original boilerplate content [words]": "words_removed_as_boilerplate",
    "exact: docs": "documents_after_documents",
    "exact: tokens": "tokens_after_documents",
    "exact: duplicate 10-grams": "ngrams_used",
    "blocks: docs": "documents_after_blocks",
    "blocks: tokens": "tokens_after_blocks",
    "blocks: duplicate 10-grams": "duplicate_10gram_types_after",
}


def published_corpora() -> list[Row]:
    """Returns the published corpora, with the columns of corpora.tsv that are given, and `source`."""
    rows: dict[str, Row] = {}
    table = published.table("3.9")
    for column, name in published.WEB_CORPORA.items():
        cells = {published_row["row"]: published_row[column] for published_row in table}
        row = {_TABLE_3_9[label]: value for label, value in cells.items() if label in _TABLE_3_9}
        gigabytes = f"{int(cells['data size [GB]']):,} GB"
        rows[name] = row | {"language": cells["language"], "body_bytes": gigabytes, "source": "thesis"}
    clueweb = rows[published.WEB_CORPORA["ClueWeb09_7pct"]]
    clueweb["tokens_after_blocks"] = published.table("3.8")[-1]["tokens"]
    exact = next(row for row in published.table("3.6.1") if row["collection"] == "ClueWeb09_7pct")
    clueweb |= {
        "documents_after_language": exact["documents_before"],
        "documents_after_documents": exact["documents_after"],
    }
    table = published.table("presemt.2")
    for language in list(table[0])[1:]:
        cells = {published_row["row"]: published_row[language] for published_row in table}
        name = cells["corpus"].partition(" / ")[0]
        row = rows.setdefault(name, {"language": language, "source": "PRESEMT"})
        row |= {_PRESEMT_2[label]: value for label, value in cells.items() if label in _PRESEMT_2 and value}
        row["stored_bytes"] = f"{int(cells['downloaded gzipped [GB]']):,} GB"
        row["body_bytes"] = f"{int(cells['uncompressed [GB]']):,} GB"
        if row["source"] == "thesis":
            row["source"] = "thesis, PRESEMT"
    return [{"corpus": name} | row for name, row in rows.items()]
