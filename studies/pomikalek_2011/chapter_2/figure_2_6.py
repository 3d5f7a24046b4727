"""Draws figure 2.6: scores of simple classifiers by threshold."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.evaluation import figures
from studies.evaluation.results import Results
from studies.evaluation.sweeps import FEATURES
from studies.pomikalek_2011.chapter_2.points import panels
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure, if Canola was measured."""
    if results.canola:
        drawn = figures.curves(
            "features",
            "Scores of simple classifiers against their thresholds",
            panels(results.canola["classifiers"], FEATURES, str),
            40,
        )
        yield Drawing(drawn, "Figure 2.6: simple classifiers on Canola’s development set, score against threshold.")


STUDY = Study("Figure 2.6", "Simple classifiers by threshold", "2.9.3", make, needs=("canola",))
