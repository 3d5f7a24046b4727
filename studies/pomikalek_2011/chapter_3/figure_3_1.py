"""Draws figure 3.1: acceptance by sketches."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.pomikalek_2011.chapter_3.accepted import drawing
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure."""
    caption = "sketches of k minima, of which r must agree (lines: equation 3.1, dots: simulated pairs)."
    yield drawing(results, "3.1", "lower right", caption)


STUDY = Study("Figure 3.1", "Acceptance by sketches", "3.2.1", make)
