"""Draws figure 3: the merit of each feature."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.schaefer_2017 import figures
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure."""
    merits = {name: {LANGUAGES[code]: 100 * own[name] for code, own in results.merits.items()} for name in FEATURES}
    caption = (
        "Figure 3: points of correct blocks beyond the baseline, for a perceptron that sees this feature alone. "
        "Features that help only beside others show no merit."
    )
    yield Drawing(figures.merits(merits), caption)


STUDY = Study("Figure 3", "Merit of the features", "3.3", make, needs=("texrex-blocks",))
