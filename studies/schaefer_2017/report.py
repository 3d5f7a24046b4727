"""Writes what the measurements on texrex's vectors show: tables beside the published ones, figures, and one page."""

from pathlib import Path

from markupsafe import Markup

from corpusprep.cleaners.texrex.perceptrons import FEATURES
from corpusprep.report.rendering import environment
from studies import comparison
from studies.schaefer_2017 import figures
from studies.schaefer_2017.tables import Results, Row, tables
from studies.schaefer_2017.vectors import LANGUAGES


def write(measured: Path, output: Path) -> None:
    """Writes table_*.tsv and report.html.

    Args:
        measured: the folder of measurements.
        output: the folder for the tables and the page.

    Raises:
        StageFileError: a measured file is missing or damaged.
    """
    results = Results.read(measured)
    made = tables(results)
    page = (
        environment("studies.schaefer_2017", "studies")
        .get_template("texrex.html.j2")
        .render(tables=made, figures=_figures(results), features=FEATURES, merits=_ranked(results))
    )
    comparison.write_report(output, made, page)


def _figures(results: Results) -> dict[str, tuple[Markup, str]]:
    """Returns, by table, the figure above it with its caption."""
    judged: dict[str, dict[str, list[Row]]] = {name: {} for name in LANGUAGES}
    for row in results.transfer:
        judged[row["judged"]].setdefault(row["learned_from"], []).append(row)
    panels = {
        LANGUAGES[code]: {LANGUAGES.get(name, name): _points(rows) for name, rows in found.items()}
        for code, found in judged.items()
    }
    return {
        "3": (
            figures.curves({LANGUAGES[code]: _points(rows) for code, rows in results.curves.items()}),
            "Figure 1: precision and recall at thresholds from 0 to 1, ten folds.",
        ),
        "transfer": (figures.transfers(panels), "Figure 2: models judged on languages that they were not made for."),
    }


def _ranked(results: Results) -> tuple[Markup, str]:
    merits = {name: {LANGUAGES[code]: 100 * found[name] for code, found in results.merits.items()} for name in FEATURES}
    return (
        figures.merits(merits),
        "Figure 3: points of correct blocks beyond the baseline, for a perceptron that sees this feature alone.",
    )


def _points(rows: list[Row]) -> list[tuple[float, float]]:
    return [(100 * float(row["recall"]), 100 * float(row["precision"])) for row in rows]
