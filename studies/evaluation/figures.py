"""Draws the figures of chapter 2 (scores by threshold: 2.6 to 2.8; algorithms side by side: 2.9), and all cleaners."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from corpusprep.report.figures import COLOURS, SMALL, STYLE, WIDTH, svg

_CURVES = {"precision": "blocks", "recall": "documents", "F1": "boilerplate", "F0.5": "ink"}
_CURVE_COLOURS = ("encoding", "blocks", "documents", "boilerplate", "language", "kept", "ink")
_ROW = 1.75  # height of a row of panels, in inches
_SCATTER = 5.2  # height of the figure of all cleaners; a name's mean width per letter, and the height of its line
_LETTER, _LINE = 0.047, 0.105

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


@dataclass(slots=True, frozen=True)
class Dot:
    """A system: its title, pages per second of CPU time, F1 in percent, and its family, which gives its colour."""

    title: str
    speed: float
    f1: float
    family: str


def quality_against_speed(dots: Sequence[Dot], label: str) -> Markup:
    """Draws one named point per system: pages per second from left to right, `label` from bottom to top."""
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, _SCATTER))
        place = figure.add_axes((0.08, 0.1, 0.9, 0.84))
        colours = dict(zip(dict.fromkeys(dot.family for dot in dots), ("blocks", "kept", "boilerplate"), strict=False))
        for family, colour in colours.items():
            x, y = zip(*((dot.speed, dot.f1) for dot in dots if dot.family == family), strict=True)
            place.plot(x, y, "o", color=COLOURS[colour], label=family, markersize=5)
        place.set_xscale("log")
        speeds, scores = [dot.speed for dot in dots] or [1.0], [dot.f1 for dot in dots] or [50.0]
        place.set_xlim(min(speeds) / 1.6, max(speeds) * 2.2)
        place.set_ylim(math.floor(min(scores)) - 1, math.ceil(max(scores)) + 1)
        place.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        place.xaxis.set_minor_formatter(NullFormatter())
        place.tick_params(labelsize=7)
        place.set_xlabel("pages per second of CPU time", fontsize=SMALL)
        place.set_title(label, fontsize=SMALL, loc="left", color=COLOURS["muted"])
        _bare(place)
        _name(place, dots, colours)
        # Above the points, where no name can be under it.
        columns = max(1, len(colours))
        place.legend(fontsize=7, frameon=False, loc="lower right", bbox_to_anchor=(1, 1), borderpad=0, ncols=columns)
        return svg(figure, "cleaners", f"{label} of every cleaner against its pages per second")


def _name(place: Axes, dots: Sequence[Dot], colours: Mapping[str, str]) -> None:
    """Writes the name of each point beside it, where no other name or point is; a line leads to a name farther off."""
    to_inches = place.transData.transform
    points = [tuple(value / place.figure.dpi for value in to_inches((dot.speed, dot.f1))) for dot in dots]
    occupied = [(x - 0.04, y - 0.04, x + 0.04, y + 0.04) for x, y in points]
    rises = (0.0, *(sign * _LINE * step for step in range(1, 12) for sign in (1, -1)))
    left, bottom, right, top = (edge / place.figure.dpi for edge in place.bbox.extents)
    for dot, (x, y) in sorted(zip(dots, points, strict=True), key=lambda placed: (-placed[1][1], placed[1][0])):
        width = _LETTER * len(dot.title)
        for rise, side in itertools.product(rises, (1, -1)):
            start = x + 0.07 if side > 0 else x - 0.07 - width
            box = (start, y + rise - _LINE / 2, start + width, y + rise + _LINE / 2)
            inside = left <= box[0] and box[2] <= right and bottom <= box[1] and box[3] <= top
            if inside and not any(_overlap(box, other) for other in occupied):
                break
        occupied.append(box)
        place.annotate(
            dot.title,
            (dot.speed, dot.f1),
            ((box[0] - x) * 72, rise * 72),
            textcoords="offset points",
            va="center",
            fontsize=6.5,
            color=COLOURS[colours[dot.family]],
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": COLOURS["muted"]} if rise else None,
        )


def _overlap(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Returns whether two boxes (left, bottom, right, top) share a point."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def bars(name: str, title: str, systems: Mapping[str, tuple[float | None, float | None]]) -> Markup:
    """Draws a figure of appendix B: a bar per system for our F0.5, and a mark at the published one.

    The best system by ours comes first; one without ours is placed by the published number.

    Args:
        name: prefix of the identifiers in the figure.
        title: text alternative of the figure.
        systems: title -> our F0.5 and the published one; None for one that there is not.
    """
    ordered = sorted(systems, key=lambda system: -next((value for value in systems[system] if value is not None), 0.0))
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 0.5 + 0.21 * len(systems)))
        place = figure.subplots()
        ours = [systems[system][0] for system in ordered]
        place.barh(range(len(ordered)), [value or 0.0 for value in ours], color=COLOURS["boilerplate"], label="ours")
        marks = [(systems[system][1], row) for row, system in enumerate(ordered) if systems[system][1] is not None]
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
