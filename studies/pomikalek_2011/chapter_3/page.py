"""Renders the report of the experiments on a corpus: tables beside the published ones, and figures, in one page."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from corpusprep.io.readable import printable
from corpusprep.report import published
from corpusprep.report.rendering import environment
from studies.comparison import Table
from studies.pomikalek_2011.chapter_3 import figures
from studies.pomikalek_2011.chapter_3.tables import Results

_THRESHOLDS = {"3.4": 0.5, "3.5": 0.25, "3.6": 0.1}


def render(results: Results, made: Sequence[Table], name: str) -> str:
    """Returns the page for these results and tables."""
    return (
        environment("studies.pomikalek_2011.chapter_3", "studies")
        .get_template("experiments.html.j2")
        .render(
            name=printable(name, 200),
            tables=[(table, _parts(table)) for table in made],
            figures=_figures(results, name),
            tokens=results.tokens,
        )
    )


def _parts(table: Table) -> list[Table]:
    """Splits a table into parts that fit the page: tables 3.4 to 3.6 into shares and counts."""
    if table.name not in _THRESHOLDS:
        return [table]
    shares = [number for number in table.numbers if number.score.endswith("%")]
    counts = [number for number in table.numbers if not number.score.endswith("%")]
    return [replace(table, numbers=numbers) for numbers in (shares, counts)]


def _figures(results: Results, name: str) -> dict[str, list[tuple[Markup, str]]]:
    """Returns, by table, the figures above it with their captions."""
    pairs = {
        f"{text} de-duplication": [(row.threshold, row.pairs) for row in results.resemblance if row.text == text]
        for text in ("before", "after")
    }
    memory: dict[str, list[tuple[float, float]]] = {}
    for row in results.memory:
        memory.setdefault(row.structure, []).append((row.keys, row.bytes_a_key))
    return {
        "3.4": [
            (
                figures.left({printable(name, 40): _ours(results), "published": _theirs()}),
                "Tables 3.4 to 3.6 as a figure: tokens left (horizontal axis) and duplicate 10-grams left (vertical "
                "axis; linear below 0.1, logarithmic above).",
            )
        ],
        "resemblance": [
            (
                figures.resemblance(pairs),
                "Figure 3.6: pairs of documents with a resemblance greater than each value.",
            )
        ],
        "memory": [(figures.memory(memory), "Figure 3.4: bytes per stored n-gram.")],
        "comparators": _acceptance(results),
    }


def _acceptance(results: Results) -> list[tuple[Markup, str]]:
    """Draws figures 3.1 to 3.3."""
    corners: dict[str, figures.Corner] = {"3.1": "lower right", "3.2": "upper left", "3.3": "upper right"}
    captions = {
        "3.1": "sketches of k minima, of which r must agree (lines: equation 3.1, dots: simulated pairs).",
        "3.2": "super-shingles: k groups of s minima, of which r must agree.",
        "3.3": "n lists, each with a word with probability p; one or more must agree. By number of different words.",
    }
    drawn = []
    for name, caption in captions.items():
        curves: dict[str, list[tuple[float, float, float | None]]] = {}
        for row in results.acceptance[name]:
            if "scheme" in row:
                point = (float(row["resemblance"]), float(row["probability"]), float(row["simulated"]))
                curves.setdefault(f"k = {row['k']}, s = {row['s']}, r = {row['r']}", []).append(point)
            else:
                words = (float(row["k"]), float(row["probability"]), None)
                curves.setdefault(f"n = {row['n']}, p = {row['p']}", []).append(words)
        axis = "words that differ" if name == "3.3" else "resemblance"
        figure = figures.acceptance(f"acceptance-{name.replace('.', '-')}", axis, curves, corners[name])
        drawn.append((figure, f"Figure {name}: {caption}"))
    return drawn


def _ours(results: Results) -> dict[float, list[tuple[int, float, float]]]:
    points: dict[float, list[tuple[int, float, float]]] = {}
    for row in (row for row in results.grid if not row.choice):
        duplicates = 100 * row.duplicate_10grams / results.before if results.before else 0.0
        tokens = 100 * row.tokens / results.tokens if results.tokens else 0.0
        points.setdefault(row.threshold, []).append((row.n, tokens, duplicates))
    return points


def _theirs() -> dict[float, list[tuple[int, float, float]]]:
    return {
        threshold: [
            (int(row["n"]), float(row["tokens_after_pct"]), float(row["duplicate_10grams_after_pct"]))
            for row in published.table(number)
            if row["n"]
        ]
        for number, threshold in _THRESHOLDS.items()
    }
