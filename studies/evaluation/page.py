"""Renders the report of an evaluation: tables beside the published ones, and figures, in one HTML page."""

from typing import Any

from markupsafe import Markup

from corpusprep.gold.scores import micro
from corpusprep.report.rendering import environment
from studies.comparison import FAR, Table
from studies.evaluation import cleaners, figures
from studies.evaluation.sweeps import FEATURES, PARAMETERS
from studies.evaluation.tables import Results

#: Table -> its column in appendix B, and the set.
_APPENDIX = {"2.6": ("without: F0.5", "Canola"), "2.8": ("F0.5", "CleanEval"), "2.9": ("F0.5", "L3S-GN1")}
#: Algorithms of figure 2.9.
_SELECTED = ("baseline", "tc20-sw0.30-filter", "BTE", "DefaultExtractor", "jusText A", "jusText B")


def render(results: Results, made: list[Table]) -> str:
    """Returns the page for these results and tables."""
    return (
        environment("studies.evaluation", "studies")
        .get_template("evaluation.html.j2")
        .render(
            tables=made,
            figures=_figures(results) | _bars(made),
            facts=list(results.facts.values()),
            far=FAR,
        )
    )


def _figures(results: Results) -> dict[str, list[tuple[Markup, str]]]:
    """Returns, by table, the figures above it with their captions."""
    drawn: dict[str, list[tuple[Markup, str]]] = {}
    canola = results.canola
    if canola:
        names = {100: "AR = 100", 0: "AR > 0"}
        features = {
            f"{feature}, {names[least]}": _points(canola["classifiers"], feature, least)
            for feature in FEATURES
            for least in names
        }
        densities: dict[str, list[tuple[float, ...]]] = {}
        for _, threshold, least, *scores in (row for row in canola["classifiers"] if row[0] == "combined"):
            words, density = threshold.split("; ")
            if least == 100:
                densities.setdefault(density, []).append((float(words), *scores))
        influence = {
            f"{parameter.upper()}, {names[least]}": _points(canola["influence"], parameter, least)
            for parameter in PARAMETERS
            for least in names
        }
        drawn["2.3"] = [
            (
                figures.curves("features", "Scores of simple classifiers against their thresholds", features, 40),
                "Figure 2.6: simple classifiers on Canola’s development set, score against threshold.",
            ),
            (
                figures.combined(densities),  # type: ignore[arg-type]
                "Figure 2.7: the combined classifier, by least number of words (horizontal axis) and least stop-word "
                "density (curves); AR = 100.",
            ),
        ]
        drawn["2.4"] = [
            (
                figures.curves("influence", "Scores of jusText against each of its parameters", influence, 70),
                "Figure 2.8: jusText with one parameter varied; the other parameters are those of preset A.",
            )
        ]
    panels: dict[str, dict[str, list[float]]] = {}
    for measure, panel in (("nodes_100", "AR = 100"), ("nodes_0", "AR > 0")):
        for algorithm in _SELECTED:
            counts = results.measured["canola-test"].of(algorithm, measure)
            if counts:
                panels.setdefault(panel, {})[algorithm] = list(micro(counts))
    if panels:
        title = "Scores of selected algorithms by text nodes"
        drawn["2.5"] = [(figures.sides("nodes", title, panels), "Figure 2.9: text nodes of Canola’s test set.")]
    if dots := cleaners.dots(results.cleaners()):
        label = "Mean F1 over gold sets"
        drawn["cleaners"] = [
            (figures.quality_against_speed(dots, label), "All cleaners and public extractors: quality against speed.")
        ]
    return drawn


def _bars(made: list[Table]) -> dict[str, list[tuple[Markup, str]]]:
    """Returns the figures of appendix B by the table that they show: F0.5 of Canola, CleanEval and L3S-GN1."""
    drawn: dict[str, list[tuple[Markup, str]]] = {}
    for table in made:
        column, title = _APPENDIX.get(table.name, ("", ""))
        systems = {
            number.row: (_number(number.ours), _number(number.published))
            for number in table.numbers
            if number.score == column
        }
        if systems:
            caption = f"Appendix B, {title}: systems ordered by F0.5."
            name = f"bars-{table.name.replace('.', '-')}"
            drawn[table.name] = [(figures.bars(name, f"F0.5 of systems on {title}", systems), caption)]
    return drawn


def _number(text: str) -> float | None:
    return float(text) if text else None


def _points(rows: list[list[Any]], classifier: str, least: int) -> list[tuple[float, float, float, float, float]]:
    return [(float(row[1]), row[3], row[4], row[5], row[6]) for row in rows if row[0] == classifier and row[2] == least]
