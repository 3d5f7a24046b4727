"""Draws figures 3.1 to 3.3: the probability that a method accepts two documents."""

from studies.comparison import Drawing
from studies.pomikalek_2011.chapter_3 import figures
from studies.pomikalek_2011.chapter_3.results import Results


def drawing(results: Results, name: str, legend: figures.Corner, caption: str) -> Drawing:
    """Returns a figure of acceptance curves.

    Args:
        results: the measurements.
        name: the number of the figure.
        legend: a corner without curves.
        caption: what it shows.
    """
    curves: dict[str, list[tuple[float, float, float | None]]] = {}
    axis = "resemblance"
    for row in results.acceptance(name):
        if "scheme" in row:
            point = (float(row["resemblance"]), float(row["probability"]), float(row["simulated"]))
            curves.setdefault(f"k = {row['k']}, s = {row['s']}, r = {row['r']}", []).append(point)
        else:
            axis = "words that differ"
            words = (float(row["k"]), float(row["probability"]), None)
            curves.setdefault(f"n = {row['n']}, p = {row['p']}", []).append(words)
    figure = figures.acceptance(f"acceptance-{name.replace('.', '-')}", axis, curves, legend)
    return Drawing(figure, f"Figure {name}: {caption}")
