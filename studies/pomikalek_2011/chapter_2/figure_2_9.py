"""Draws figure 2.9: selected algorithms by text nodes."""

from collections.abc import Iterator

from corpusprep.gold.scores import micro
from studies.comparison import Drawing
from studies.evaluation import figures
from studies.evaluation.results import Results
from studies.study import Study

_SELECTED = ("baseline", "tc20-sw0.30-filter", "BTE", "DefaultExtractor", "jusText A", "jusText B")


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure, if Canola was measured."""
    panels: dict[str, dict[str, list[float]]] = {}
    for measure, panel in (("nodes_100", "AR = 100"), ("nodes_0", "AR > 0")):
        for algorithm in _SELECTED:
            counts = results.measured["canola-test"].of(algorithm, measure)
            if counts:
                panels.setdefault(panel, {})[algorithm] = list(micro(counts))
    if panels:
        drawn = figures.sides("nodes", "Scores of selected algorithms by text nodes", panels)
        yield Drawing(drawn, "Figure 2.9: text nodes of Canola’s test set.")


STUDY = Study("Figure 2.9", "Selected algorithms by text nodes", "2.9.6", make, needs=("canola",))
