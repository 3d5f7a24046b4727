"""Draws the figures of chapter 2: scores by threshold (2.6 to 2.8), algorithms side by side (2.9)."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from corpusprep.report.figures import COLOURS, SMALL, STYLE, WIDTH, svg

_CURVES = {"precision": "blocks", "recall": "documents", "F1": "boilerplate", "F0.5": "ink"}
_CURVE_COLOURS = ("encoding", "blocks", "documents", "boilerplate", "language", "kept", "ink")
_ROW = 1.75  # height of a row of panels, in inches

#: A curve's points: threshold, precision, recall, F1, F0.5.
Points = Sequence[tuple[float, float, float, float, float]]


def curves(name: str, title: str, panels: Mapping[str, Points], bottom: float) -> Markup:
    """Draws precision, recall, F1 and F0.5 by threshold, two panels per row.

    Args:
        name: prefix of the identifiers in the figure.
        title: text alternative of the figure.
        panels: a panel's title -> its points.
        bottom: the lowest score that is drawn.
    """
    rows = (len(panels) + 1) // 2
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, _ROW * rows + 0.3))
        axes = figure.subplots(rows, 2, squeeze=False, sharey=True)
        for place, (panel, points) in zip(axes.flat, panels.items(), strict=False):
            for number, (curve, colour) in enumerate(_CURVES.items(), start=1):
                _curve(place, points, number, colour, curve)
            _frame(place, panel, bottom)
        for place in axes.flat[len(panels) :]:
            place.set_visible(False)
        axes.flat[0].legend(fontsize=7, frameon=False, loc="lower right", ncols=2)
        figure.tight_layout(pad=0.4)
        return svg(figure, name, title)


def combined(points: Mapping[str, Points]) -> Markup:
    """Draws figure 2.7: four panels, one per score, with one curve per stop-word density by word count."""
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 2 * _ROW + 0.3))
        axes = figure.subplots(2, 2, sharex=True)
        for number, (place, score) in enumerate(zip(axes.flat, _CURVES, strict=True), start=1):
            for (density, curve), colour in zip(points.items(), _CURVE_COLOURS, strict=False):
                _curve(place, curve, number, colour, density)
            _frame(place, score, 60)
        axes.flat[1].legend(fontsize=7, frameon=False, loc="lower left", ncols=2)
        figure.tight_layout(pad=0.4)
        return svg(figure, "combined", "Scores of the combined classifier by word count, a curve per stop-word density")


def sides(name: str, title: str, panels: Mapping[str, Mapping[str, Sequence[float]]]) -> Markup:
    """Draws figure 2.9: precision, recall, F1 and F0.5 of algorithms, one panel per annotation reliability."""
    with style.context(["default", STYLE]):
        rows = max((len(panel) for panel in panels.values()), default=1)
        figure = Figure(figsize=(WIDTH, 0.6 + 0.3 * rows))
        axes = figure.subplots(1, max(1, len(panels)), sharey=True, squeeze=False)
        for place, (panel, algorithms) in zip(axes.flat, panels.items(), strict=True):
            for number, (score, colour) in enumerate(_CURVES.items()):
                values = [numbers[number] for numbers in algorithms.values()]
                place.plot(values, range(len(values)), "o", color=COLOURS[colour], label=score, markersize=4)
            place.set_yticks(range(len(algorithms)), list(algorithms))
            place.invert_yaxis()
            place.set_title(panel, fontsize=SMALL, loc="left", color=COLOURS["muted"])
            place.grid(axis="y", linewidth=0.3, color=COLOURS["muted"])
            _bare(place)
        entries = axes.flat[0].get_legend_handles_labels()
        figure.legend(*entries, fontsize=7, frameon=False, loc="lower center", ncols=len(_CURVES))
        figure.tight_layout(pad=0.4, rect=(0, 0.08, 1, 1))
        return svg(figure, name, title)


def bars(name: str, title: str, systems: Mapping[str, tuple[float | None, float | None]]) -> Markup:
    """Draws a figure of appendix B: a bar per system for our F0.5, and a mark at the published one.

    The best system by ours comes first; one without ours is placed by the published number.

    Args:
        name: prefix of the identifiers in the figure.
        title: text alternative of the figure.
        systems: title -> our F0.5 and the published one; None for one that there is not.
    """
    ordered = sorted(systems, key=lambda one: -next((value for value in systems[one] if value is not None), 0.0))
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 0.5 + 0.21 * len(systems)))
        place = figure.subplots()
        ours = [systems[one][0] for one in ordered]
        place.barh(range(len(ordered)), [value or 0.0 for value in ours], color=COLOURS["boilerplate"], label="ours")
        marks = [(systems[one][1], row) for row, one in enumerate(ordered) if systems[one][1] is not None]
        if marks:
            place.plot(*zip(*marks, strict=True), "|", color=COLOURS["ink"], label="published", markersize=9)
        place.set_yticks(range(len(ordered)), ordered)
        place.invert_yaxis()
        place.set_xlim(min([value for pair in systems.values() for value in pair if value] or [0.0]) - 3, 100)
        figure.legend(*place.get_legend_handles_labels(), fontsize=7, frameon=False, loc="lower center", ncols=2)
        _bare(place)
        figure.tight_layout(pad=0.4, rect=(0, 0.05, 1, 1))
        return svg(figure, name, title)


def _curve(place: Axes, points: Points, number: int, colour: str, label: str) -> None:
    """Draws one number of each point by its threshold."""
    x, y = [point[0] for point in points], [point[number] for point in points]
    place.plot(x, y, color=COLOURS[colour], label=label, linewidth=1.1)


def _frame(place: Axes, title: str, bottom: float) -> None:
    place.set_title(title, fontsize=SMALL, loc="left", color=COLOURS["muted"])
    place.set_ylim(bottom, 100.5)
    place.tick_params(labelsize=7)
    _bare(place)


def _bare(place: Axes) -> None:
    place.tick_params(length=0)
    sides: Any = place.spines
    for side in ("top", "right"):
        sides[side].set_visible(False)
