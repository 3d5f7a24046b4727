"""Measures what is read of pages' dates, authors and titles against what hand-written parsers read (Fundus).

Beside corpusprep: trafilatura and htmldate where they are installed, with the page's text and address, with what they
take for the date of publication. A value is right if it is the gold's: the day of a date; all authors, in any order; a
title. Case and white space do not count.
"""

import csv
import importlib.metadata
import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from corpusprep import __version__
from corpusprep.gold.pages import Files, GoldError, decode_page
from corpusprep.io import tsv
from corpusprep.pages import html as html_parser
from corpusprep.pages.metadata import page_metadata

FOLDER = "fundus-train"
FIELDS = ("date", "author", "title")
COLUMNS = ("system", "version", "field", "pages", "right", "wrong", "missing", "right_percent", "cpu_ms_per_page")


@dataclass(slots=True, frozen=True)
class Gold:
    """A page with its metadata: day, names separated by `; `, title; empty if the gold has none."""

    html: str
    url: str
    date: str
    author: str
    title: str


@dataclass(slots=True, frozen=True)
class System:
    """What reads metadata: its name, its version, the fields that it reads; page and address -> their values."""

    name: str
    version: str
    fields: tuple[str, ...]
    read: Callable[[str, str], dict[str, str]]


def write(data: Path, output: Path) -> None:
    """Measures all systems that are installed; writes the table.

    Raises:
        GoldError: the set is not there, or its files are damaged.
    """
    pages = gold_pages(data)
    tsv.write(output, COLUMNS, [row for system in systems() for row in _measured(system, pages)])


def gold_pages(data: Path) -> list[Gold]:
    """Returns the pages of the set.

    Raises:
        GoldError: the set is not there, or its files are damaged.
    """
    files = Files(data, FOLDER)
    html, golds = files.stems(f"{FOLDER}/html"), files.stems(f"{FOLDER}/gold")
    if not html:
        raise GoldError(f"{data}: no {FOLDER} here; give the folder of the gold sets")
    text = files.look_up(f"{FOLDER}/metadata.tsv").decode()
    pages = []
    for row in csv.DictReader(io.StringIO(text), delimiter="\t"):
        name = row["id"]
        if name not in html or name not in golds:
            raise GoldError(f"{FOLDER}/metadata.tsv: no page {name}")
        url = json.loads(files.read(golds[name])).get("url") or ""
        page = decode_page(files.read(html[name]), Counter())
        pages.append(Gold(page, url, row["publishing_date"][:10], row["authors"], row["title"]))
    return pages


def systems() -> list[System]:
    """Returns corpusprep and the other systems that are installed."""
    installed = [System("corpusprep", __version__, FIELDS, _own)]
    for name, fields, load in (("trafilatura", FIELDS, _trafilatura), ("htmldate", ("date",), _htmldate)):
        try:
            installed.append(System(name, importlib.metadata.version(name), fields, load()))
        except ImportError:
            continue
    return installed


def is_right(field: str, answer: str, gold: str) -> bool:
    """Returns whether a value is the gold's."""
    if field == "date":
        return answer[:10] == gold
    return _folded(answer, field) == _folded(gold, field)


def _folded(value: str, field: str) -> set[str]:
    parts = value.split(";") if field == "author" else [value]
    return {" ".join(part.casefold().split()) for part in parts} - {""}


def _measured(system: System, pages: Iterable[Gold]) -> list[tuple[str | int, ...]]:
    right, wrong, missing = (dict.fromkeys(FIELDS, 0) for _ in range(3))
    seconds, count = 0.0, 0
    for page in pages:
        start = time.process_time()
        answers = system.read(page.html, page.url)
        seconds, count = seconds + time.process_time() - start, count + 1
        for field in system.fields:
            if gold := getattr(page, field):
                value = answers[field]
                fate = missing if not value else right if is_right(field, value, gold) else wrong
                fate[field] += 1
    speed = tsv.ratio(1000 * seconds, count, 2)
    rows: list[tuple[str | int, ...]] = []
    for field in system.fields:
        counts = right[field], wrong[field], missing[field]
        percent = tsv.percent(counts[0], sum(counts))
        rows.append((system.name, system.version, field, sum(counts), *counts, percent, speed))
    return rows


def _own(page: str, url: str) -> dict[str, str]:
    """Parses a page, which the stage `boilerplate` does anyway, and reads it."""
    metadata = page_metadata(html_parser.parse(page), url)
    return {"date": metadata.published, "author": metadata.author, "title": metadata.headline}


def _trafilatura() -> Callable[[str, str], dict[str, str]]:
    from trafilatura.metadata import extract_metadata

    def read(page: str, url: str) -> dict[str, str]:
        metadata = extract_metadata(page, default_url=url or None)
        return {"date": metadata.date or "", "author": metadata.author or "", "title": metadata.title or ""}

    return read


def _htmldate() -> Callable[[str, str], dict[str, str]]:
    from htmldate import find_date

    return lambda page, url: {"date": find_date(page, url=url or None, original_date=True) or ""}
