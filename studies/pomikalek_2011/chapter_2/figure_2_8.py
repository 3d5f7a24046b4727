"""Draws figure 2.8: what each parameter of jusText does."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.evaluation import figures
from studies.evaluation.results import Results
from studies.evaluation.sweeps import PARAMETERS
from studies.pomikalek_2011.chapter_2.points import panels
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure, if Canola was measured."""
    if results.canola:
        drawn = figures.curves(
            "influence",
            "Scores of jusText against each of its parameters",
            panels(results.canola["influence"], PARAMETERS, str.upper),
            70,
        )
        yield Drawing(drawn, "Figure 2.8: jusText with one parameter varied; the other parameters are as in preset A.")


STUDY = Study("Figure 2.8", "Influence of jusText’s parameters", "2.9.5", make, needs=("canola",))
