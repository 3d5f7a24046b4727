"""Draws figure 1: precision by recall."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.schaefer_2017 import figures
from studies.schaefer_2017.results import Results, points
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure."""
    drawn = figures.curves({LANGUAGES[code]: points(rows) for code, rows in results.curves.items()})
    yield Drawing(drawn, "Figure 1: precision and recall at thresholds from 0 to 1, ten folds.")


STUDY = Study("Figure 1", "Precision by recall", "3.1", make, needs=("texrex-blocks",))
