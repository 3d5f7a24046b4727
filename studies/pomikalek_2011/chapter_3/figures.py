"""Draws the figures of chapter 3: acceptance (3.1 to 3.3), memory (3.4), resemblance (3.6) and tables 3.4 to 3.6."""

from collections.abc import Mapping, Sequence
from typing import Literal

from markupsafe import Markup
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from corpusprep.report.figures import COLOURS, SMALL, STYLE, WIDTH, svg

#: Points of a curve.
Points = Sequence[tuple[float, float]]
Corner = Literal["best", "upper left", "lower right", "upper right"]
_CURVES = ("blocks", "documents", "boilerplate", "language", "encoding", "kept", "ink")
_MARKS = {3: "v", 5: "s", 7: "D", 10: "o"}


def memory(structures: Mapping[str, Points]) -> Markup:
    """Draws figure 3.4: bytes per stored n-gram by the number of n-grams, one curve per structure."""
    with style.context(["default", STYLE]):
        figure, axes = _panel(2.9)
        for (name, points), colour in zip(structures.items(), _CURVES, strict=False):
            axes.plot(*zip(*points, strict=True), color=COLOURS[colour], label=name, linewidth=1.3)
        axes.set_xscale("log")
        axes.set_ylim(0, 22)
        axes.set_xlabel("n-grams stored", fontsize=SMALL)
        axes.set_ylabel("bytes per n-gram", fontsize=SMALL)
        return _drawn(figure, axes, "memory", "Bytes per stored n-gram, by the number of n-grams")


def resemblance(texts: Mapping[str, Points]) -> Markup:
    """Draws figure 3.6: pairs of documents above each resemblance, on a logarithmic scale."""
    with style.context(["default", STYLE]):
        figure, axes = _panel(2.9)
        for (name, points), colour in zip(texts.items(), _CURVES, strict=False):
            seen = [(step, pairs) for step, pairs in points if pairs]
            if seen:
                axes.plot(*zip(*seen, strict=True), color=COLOURS[colour], label=name, linewidth=1.3)
        axes.set_yscale("log")
        axes.set_xlim(0, 1)
        axes.set_ylim(bottom=0.8)
        axes.set_xlabel("resemblance", fontsize=SMALL)
        axes.set_ylabel("pairs above it", fontsize=SMALL)
        return _drawn(figure, axes, "resemblance", "Pairs of documents above each resemblance")


def left(panels: Mapping[str, Mapping[float, Sequence[tuple[int, float, float]]]]) -> Markup:
    """Draws tables 3.4 to 3.6: tokens and duplicate 10-grams left, one panel per corpus, one colour per threshold.

    Args:
        panels: title -> threshold -> (n, tokens left, duplicate 10-grams left), both in percent.
    """
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 3.1))
        places = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for place, (title, thresholds) in zip(places, panels.items(), strict=True):
            for (threshold, points), colour in zip(thresholds.items(), _CURVES, strict=False):
                for n, mark in _MARKS.items():
                    own = [(tokens, duplicates) for of, tokens, duplicates in points if of == n]
                    if own:
                        x, y = zip(*own, strict=True)
                        place.plot(x, y, mark, color=COLOURS[colour], markersize=4.5, markeredgewidth=0)
                place.plot([], [], "o", color=COLOURS[colour], markersize=4.5, label=f"threshold {threshold:g}")
            _bare(place)
            place.set_title(title, fontsize=SMALL, loc="left", color=COLOURS["muted"])
            place.set_xlim(0, 102)
            place.set_yscale("symlog", linthresh=0.1, linscale=0.5)
            place.set_ylim(-0.01, 30)
            place.set_yticks([0, 0.1, 1, 10], ["0", "0.1", "1", "10"])
            place.set_xlabel("tokens left, %", fontsize=SMALL)
        places[0].set_ylabel("duplicate 10-grams left, %", fontsize=SMALL)
        for n, mark in _MARKS.items():
            places[-1].plot([], [], mark, color=COLOURS["muted"], markersize=4.5, label=f"n = {n}")
        places[-1].legend(fontsize=7, frameon=False, loc="upper left")
        figure.tight_layout(pad=0.4)
        return svg(figure, "left", "Tokens against duplicate 10-grams left, by kind of n-gram and threshold")


def acceptance(
    name: str, title: str, curves: Mapping[str, Sequence[tuple[float, float, float | None]]], legend: Corner
) -> Markup:
    """Draws figures 3.1 to 3.3: the probability that a method accepts two documents, one curve per setting.

    Args:
        name: prefix of the identifiers in the figure.
        title: label of the horizontal axis.
        curves: setting -> (position, computed probability, share of simulated pairs or None).
        legend: a corner without curves.
    """
    with style.context(["default", STYLE]):
        figure, axes = _panel(2.6)
        for (label, points), colour in zip(curves.items(), _CURVES, strict=False):
            axes.plot(
                [x for x, _, _ in points], [y for _, y, _ in points], color=COLOURS[colour], label=label, linewidth=1.1
            )
            seen = [(x, y) for x, _, y in points if y is not None]
            if seen:
                axes.plot(*zip(*seen, strict=True), "o", color=COLOURS[colour], markersize=3)
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel(title, fontsize=SMALL)
        axes.set_ylabel("probability of acceptance", fontsize=SMALL)
        return _drawn(figure, axes, name, f"Probability of acceptance by {title}", legend)


def _panel(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.subplots()
    _bare(axes)
    return figure, axes


def _drawn(figure: Figure, axes: Axes, name: str, title: str, legend: Corner = "best") -> Markup:
    if axes.lines:
        axes.legend(fontsize=7, frameon=False, loc=legend)
    figure.tight_layout(pad=0.4)
    return svg(figure, name, title)


def _bare(axes: Axes) -> None:
    axes.tick_params(length=0, labelsize=7)
    axes.minorticks_off()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
