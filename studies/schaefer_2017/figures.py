"""Draws figures 1 to 3 of Schäfer 2016."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from corpusprep.report.figures import COLOURS, SMALL, STYLE, WIDTH, svg

#: (recall, precision) in percent, in the order of the thresholds.
Curve = Sequence[tuple[float, float]]

_LINES = ("blocks", "documents", "boilerplate", "language", "kept", "ink")


def curves(curves: Mapping[str, Curve]) -> Markup:
    """Draws figure 1: precision by recall, one curve per language."""
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 2.9))
        axes = figure.subplots()
        _draw(axes, curves, lowest=85)
        axes.set_ylabel("precision, %", fontsize=SMALL)
        axes.legend(fontsize=7, frameon=False, loc="lower left")
        figure.tight_layout(pad=0.4)
        return svg(figure, "curves", "Precision by recall for the four languages")


def transfers(panels: Mapping[str, Mapping[str, Curve]]) -> Markup:
    """Draws figure 2: one panel per language judged, with one curve per language learned from."""
    with style.context(["default", STYLE]):
        rows = (len(panels) + 1) // 2
        figure = Figure(figsize=(WIDTH, 2.4 * rows))
        places = figure.subplots(rows, 2, squeeze=False, sharex=True, sharey=True)
        for axes, (title, curves) in zip(places.flat, panels.items(), strict=False):
            _draw(axes, curves, lowest=70)
            axes.set_title(f"judged: {title}", fontsize=SMALL, loc="left", color=COLOURS["muted"])
            axes.legend(fontsize=6.5, frameon=False, loc="lower left")
        for axes in places[:, 0]:
            axes.set_ylabel("precision, %", fontsize=SMALL)
        figure.tight_layout(pad=0.4)
        return svg(figure, "transfers", "Precision by recall of models that learned from other languages")


def merits(features: Mapping[str, Mapping[str, float]]) -> Markup:
    """Draws figure 3: the merit of each feature, as a line for the mean and a dot per language, the largest first.

    Args:
        features: feature -> language -> merit in points.
    """
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, 3.6))
        axes = figure.subplots()
        means = {name: sum(merits.values()) / len(merits) for name, merits in features.items()}
        names = sorted(means, key=lambda name: (-means[name], name))
        axes.plot(range(len(names)), [means[name] for name in names], color=COLOURS["muted"], linewidth=1.2)
        for language, colour in zip(next(iter(features.values())), _LINES, strict=False):
            points = [features[name][language] for name in names]
            axes.plot(range(len(names)), points, "o", color=COLOURS[colour], markersize=3, label=language)
        axes.set_xticks(range(len(names)), names, rotation=90, fontsize=6.5)
        axes.set_ylabel("merit, points", fontsize=SMALL)
        axes.legend(fontsize=7, frameon=False, loc="upper right")
        _bare(axes)
        figure.tight_layout(pad=0.4)
        return svg(figure, "merits", "Merit of each feature")


def _draw(axes: Axes, curves: Mapping[str, Curve], lowest: float) -> None:
    for (name, points), colour in zip(curves.items(), _LINES, strict=False):
        axes.plot(*zip(*points, strict=True), color=COLOURS[colour], label=name, linewidth=1.1)
    axes.set_xlim(lowest, 100.3)
    axes.set_ylim(lowest, 100.3)
    axes.set_xlabel("recall, %", fontsize=SMALL)
    _bare(axes)


def _bare(axes: Axes) -> None:
    axes.tick_params(length=0, labelsize=7)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
