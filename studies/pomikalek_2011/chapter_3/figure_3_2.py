"""Draws figure 3.2: acceptance by super-shingles."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.pomikalek_2011.chapter_3.accepted import drawing
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure."""
    caption = "super-shingles: k groups of s minima, of which r must agree."
    yield drawing(results, "3.2", "upper left", caption)


STUDY = Study("Figure 3.2", "Acceptance by super-shingles", "3.2.1", make)
