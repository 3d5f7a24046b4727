"""Writes the tables of cleaners in docs/measurements from what `snakemake evaluation` measured."""

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import page_tables

from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.page_scores import CROSS, LEFT_OUT
from corpusprep.gold.scores import Counts, intervals, macro, mean_interval, micro, paired_interval
from quality import breakdowns
from studies import published
from studies.evaluation import cleaners
from studies.evaluation.causes import FUNCTIONAL
from studies.evaluation.configurations import CONFIGURATIONS
from studies.evaluation.results import Results

PAGES = Path(__file__).parents[2] / "docs" / "measurements"
#: Gold set -> its column in the table of all cleaners.
COLUMNS = {
    "cleaneval-final": "CleanEval",
    "l3s-gn1": "L3S-GN1",
    "cleanportaleval": "CleanPortalEval",
    "canola-test": "Canola",
    "daniel": "DAnIEL",
    "chinese": "Chinese",
    "wcxb": "WCXB",
    "dragnet": "Dragnet",
    "fundus": "Fundus",
    "fixtures": "test pages",
}
#: Gold sets and measures of the table of main content, in their order.
MEASURED = [
    ("cleanportaleval", "words"),
    ("cleaneval-final", "words"),
    ("l3s-gn1", "words"),
    ("l3s-gn1", "words_main"),
    ("canola-test", "words_with"),
    ("canola-dev", "words_with"),
    ("dragnet", "words_main"),
    ("daniel", "words"),
    ("wcxb", "words"),
    ("fundus", "words"),
    ("fixtures", "words"),
    ("chinese", "words"),
]
#: Of the variants of studies.evaluation.extractors.
SHOWN_VARIANTS = ("", ", comments", ", all text")
#: Gold set -> the thesis's table.
PUBLISHED = {"cleaneval-final": "2.8", "l3s-gn1": "2.9"}
#: Cleaners that stand beside those of the thesis's tables.
BESIDE_PUBLISHED = frozenset({"density", "density, sites", "jusText, PyPI’s defaults"})
#: Sets with variants of a model: their gold counts comments, or no model has seen them.
WITH_VARIANTS = {("cleanportaleval", "words"), ("cleaneval-final", "words"), ("l3s-gn1", "words")}


def main(program: str, arguments: Sequence[str]) -> None:
    """Replaces the tables of the pages."""
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    parser.add_argument("--measured", type=Path, default=Path("results/evaluation/measured"), metavar="FOLDER")
    parser.add_argument("--pages", type=Path, default=PAGES, metavar="FOLDER", help="evaluation.md and content.md")
    options = parser.parse_args(arguments)
    results = Results.read(options.measured)
    page_tables.replace(
        options.pages / "evaluation.md",
        {"published": f"\n{published_table(results)}\n", "cleaners": f"\n{cleaners_table(results)}\n"},
    )
    tables = {
        "extractors": extractors_line(results),
        "main content": f"\n{main_content_table(results)}\n",
        "kinds": f"\n{_broken_down(results, breakdowns.kinds())}\n",
        "languages": f"\n{_broken_down(results, breakdowns.languages())}\n",
        "emptied": f"\n{_broken_down(results, breakdowns.emptied())}\n",
    }
    page_tables.replace(options.pages / "content.md", tables)


def extractors_line(results: Results) -> str:
    """Returns the public extractors that were installed, with their versions."""
    names = [f"{title} {version}" for title, version in results.versions.items() if version and ", c" not in title]
    return textwrap.fill(f"* **Extractors:** {'; '.join(names)}.", 120, subsequent_indent="  ", break_on_hyphens=False)


def _broken_down(results: Results, breakdown: breakdowns.Breakdown) -> str:
    """Returns a table of parts of a set."""
    head, *body = breakdowns.rows(results, breakdown)
    return _table(head, ["---", *["---:"] * (len(head) - 1)], body)


def published_table(results: Results) -> str:
    """Returns the thesis's cleaners beside their published F1, and the other presets and Baisa's cleaner."""
    sources = {name: {row["algorithm"]: row for row in published.table(table)} for name, table in PUBLISHED.items()}
    body = []
    for configuration in CONFIGURATIONS:
        title = configuration.title
        if not configuration.published and title not in BESIDE_PUBLISHED:
            continue
        for name, change in ((title, ""), (f"{title}, {FUNCTIONAL}", FUNCTIONAL)):
            cells: list[str] = []
            for gold_set, rows in sources.items():
                row = next((rows[known] for known in configuration.published if known in rows), None)
                cells += [_own(results, gold_set, title, change), "–" if row is None else f"{float(row['F1']):.2f}"]
            if cells[0] != "–" or cells[2] != "–":
                body.append([name, *cells])
    return _table(["algorithm", "CleanEval", "published", "L3S-GN1", "published"], ["---", *["---:"] * 4], body)


def _own(results: Results, gold_set: str, title: str, change: str) -> str:
    """Returns F1 with its interval, or with a change (causes.CHANGES), which has none."""
    if change:
        changed = results.changed(gold_set, change, title, "words")
        return "–" if changed is None else f"{changed[0][2]:.2f}"
    pages = results.measured[gold_set].of(title, "words")
    if pages is None:
        return "–"
    low, high = intervals(pages)[0]
    return f"{micro(pages).f1:.2f} ({low:.2f} to {high:.2f})"


def cleaners_table(results: Results) -> str:
    """Returns all cleaners, best mean first."""
    rows = results.cleaners()
    shared = cleaners.common(rows)
    found = [(mean, row) for row in rows if (mean := cleaners.mean(row, shared)) is not None]
    head = ["cleaner", f"mean of {len(shared)} sets", *COLUMNS.values(), "pages per second"]
    body = []
    for mean, row in sorted(found, key=lambda one: (-one[0], one[1].title)):
        low, high = mean_interval([row.counts[name] for name in shared])
        scores = [f"{micro(row.counts[name]).f1:.2f}" if name in row.counts else "–" for name in COLUMNS]
        speed = "–" if row.speed is None else f"{row.speed:,.0f}"
        body.append([row.title, f"{mean:.2f} ({low:.2f} to {high:.2f})", *scores, speed])
    return _table(head, ["---", *["---:"] * (len(head) - 1)], body)


def main_content_table(results: Results) -> str:
    """Returns the models of `content` beside the best public extractor, set by set."""
    head = ["set", "pages", "model", "F1", "mean", "best extractor: F1 / mean", "difference"]
    body = [row for name, measure in MEASURED for row in _of_set(results, name, measure)]
    return _table(head, ["---", "---:", "---", "---:", "---:", "---", "---:"], body)


def _of_set(results: Results, name: str, measure: str) -> Iterator[list[str]]:
    systems = {system: pages for (system, one), pages in results.extractors[name].counts.items() if one == measure}
    peers = [(system, pages) for system, pages in systems.items() if system in results.versions]
    best, theirs = max(peers, key=lambda peer: micro(peer[1]).f1)
    of_best = f"{best} {micro(theirs).f1:.2f} / {macro(theirs).f1:.2f}"
    suffixes = [f", {CROSS}", f", {LEFT_OUT}", *(SHOWN_VARIANTS if (name, measure) in WITH_VARIANTS else [""])]
    for title in (f"{model}{suffix}" for model in TRAINED_ON for suffix in suffixes):
        if title in systems:
            label = f"{results.facts[name].title} {measure}"
            yield [label, str(len(theirs)), title, *_beside(systems[title], theirs, of_best)]


def _beside(pages: list[Counts], theirs: list[Counts], of_best: str) -> list[str]:
    low, high = intervals(pages)[0]
    difference, (least, most) = paired_interval(pages, theirs)
    return [
        f"{micro(pages).f1:.2f} ({low:.2f} to {high:.2f})",
        f"{macro(pages).f1:.2f}",
        of_best,
        f"{difference:+.2f} ({least:+.2f} to {most:+.2f})",
    ]


def _table(head: Sequence[str], rule: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    return "\n".join(
        ["| " + " | ".join(head) + " |", f"|{'|'.join(rule)}|", *(f"| {' | '.join(row)} |" for row in body)]
    )
