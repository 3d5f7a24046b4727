"""Writes the tables of cleaners in docs/measurements from what `snakemake evaluation` measured."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import page_tables

from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.page_scores import CROSS, LEFT_OUT
from corpusprep.gold.scores import Counts, intervals, macro, mean_interval, micro, paired_interval
from studies.evaluation import cleaners
from studies.evaluation.extractors import VARIANTS
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
#: Sets with all variants of a model: their gold counts comments, or no model has seen them.
WITH_VARIANTS = {("cleanportaleval", "words"), ("cleaneval-final", "words"), ("l3s-gn1", "words")}


def main(program: str, arguments: Sequence[str]) -> None:
    """Replaces the tables of the pages."""
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    parser.add_argument("--measured", type=Path, default=Path("results/evaluation/measured"), metavar="FOLDER")
    parser.add_argument("--pages", type=Path, default=PAGES, metavar="FOLDER", help="evaluation.md and content.md")
    options = parser.parse_args(arguments)
    results = Results.read(options.measured)
    page_tables.replace(options.pages / "evaluation.md", {"cleaners": f"\n{cleaners_table(results)}\n"})
    page_tables.replace(options.pages / "content.md", {"main content": f"\n{main_content_table(results)}\n"})


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
    suffixes = [f", {CROSS}", f", {LEFT_OUT}", *(VARIANTS if (name, measure) in WITH_VARIANTS else [""])]
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
