"""Draws the report's figures as static SVG; the same numbers give the same bytes.

The colours of a figure are variables of the page's style sheet, so that it follows the light or dark colour scheme. Its
text is stored as text.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

#: Variable of the style sheet -> the colour that replaces it while matplotlib draws.
COLOURS = {
    "ink": "#010101",
    "muted": "#010102",
    "kept": "#010103",
    "encoding": "#010104",
    "boilerplate": "#010105",
    "language": "#010106",
    "documents": "#010107",
    "blocks": "#010108",
}


def colour(stage: str) -> str:
    """Returns the name of the colour of a stage."""
    return stage if stage in COLOURS else "muted"


STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "corpusprep",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": COLOURS["ink"],
    "axes.edgecolor": COLOURS["muted"],
    "axes.labelcolor": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["ink"],
}

WIDTH = 6.4
_BAR = 0.27
SMALL = 8
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))


@dataclass(frozen=True)
class Bar:
    """A bar: its name, its length, the text at its end, the name of its colour."""

    name: str
    value: int
    text: str
    colour: str


@dataclass(frozen=True)
class Curve:
    """The curves of a parameter.

    Attributes:
        values: the parameter's values.
        kept: words kept at each value, in percent.
        gold: (value, F1 on gold data).
        used: the value in use.
    """

    values: Sequence[float]
    kept: Sequence[float]
    gold: Sequence[tuple[float, float]]
    used: float | None


def shares(bars: Sequence[Bar], name: str, title: str) -> Markup:
    """Draws shares of a whole, one bar per item; `name` is the figure's name on its page."""
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 0.3 + _BAR * len(bars)))
        axes = figure.subplots()
        _draw(axes, bars, room=0.8, thick=0.66)
        figure.subplots_adjust(left=0.26, right=1, top=0.98, bottom=0.02)
        return svg(figure, name, title)


def thresholds(curves: Mapping[str, Curve]) -> list[Markup]:
    """Draws words kept and F1 on gold data as functions of each threshold, one figure per threshold."""
    return [_threshold(parameter, curve) for parameter, curve in curves.items()]


def _threshold(parameter: str, curve: Curve) -> Markup:
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH / 2, 1.5))
        axes = figure.subplots()
        axes.plot(curve.values, curve.kept, color=COLOURS["kept"], marker="o", markersize=2.5, linewidth=1.2)
        if curve.gold:
            axes.plot(*zip(*curve.gold, strict=True), color=COLOURS["boilerplate"], linewidth=1.2)
        if curve.used is not None:
            axes.axvline(curve.used, color=COLOURS["muted"], linewidth=0.8, linestyle=":")
        axes.set_title(parameter, fontsize=SMALL, loc="left", color=COLOURS["muted"])
        axes.set_ylim(0, 103)
        axes.set_yticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
        axes.tick_params(length=0, labelsize=7)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        figure.tight_layout(pad=0.4)
        return svg(figure, parameter.lower(), f"Words kept and F1 on gold data by {parameter}")


def _draw(axes: Axes, bars: Sequence[Bar], room: float, thick: float) -> None:
    """Draws bars of thickness `thick`, from top to bottom; `room` for their texts is a share of the longest bar."""
    places = range(len(bars))
    largest = max(1, *(bar.value for bar in bars))
    axes.barh(places, [bar.value for bar in bars], height=thick, color=[COLOURS[bar.colour] for bar in bars])
    axes.set_yticks(places, [bar.name for bar in bars])
    axes.set_xlim(0, largest * (1 + room))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    for place, bar in enumerate(bars):
        axes.text(bar.value + 0.02 * largest, place, bar.text, va="center", fontsize=SMALL)
    axes.xaxis.set_visible(False)
    axes.tick_params(length=0)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)


def svg(figure: Figure, name: str, title: str) -> Markup:
    """Returns the figure as an `svg` element that adapts to the available width."""
    out = io.StringIO()
    figure.set_canvas(FigureCanvasSVG(figure))
    figure.savefig(out, format="svg", transparent=True, metadata=_NO_METADATA)
    drawn = out.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', drawn)
    assert box is not None
    label = escape(title)
    drawn = f'<svg {box[0]} role="img" aria-label="{label}" class="figure">' + drawn[drawn.index(">") + 1 :]
    drawn = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", drawn)
    for colour, stand_in in COLOURS.items():
        drawn = drawn.replace(stand_in, f"var(--{colour})")
    return Markup(drawn)
