"""Draws figure 2.7: the combined classifier."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.evaluation import figures
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure, if Canola was measured."""
    if not results.canola:
        return
    densities: dict[str, list[tuple[float, ...]]] = {}
    for _, threshold, least, *scores in (row for row in results.canola["classifiers"] if row[0] == "combined"):
        words, density = threshold.split("; ")
        if least == 100:
            densities.setdefault(density, []).append((float(words), *scores))
    yield Drawing(
        figures.combined(densities),  # type: ignore[arg-type]
        "Figure 2.7: the combined classifier, by least number of words (horizontal axis) and least stop-word density "
        "(curves); AR = 100.",
    )


STUDY = Study("Figure 2.7", "Token count and stop-word density", "2.9.3", make, needs=("canola",))
