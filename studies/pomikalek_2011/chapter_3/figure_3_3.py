"""Draws figure 3.3: acceptance by lists of words."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.pomikalek_2011.chapter_3.accepted import drawing
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Drawing]:
    """Yields the figure."""
    caption = "n lists, each with a word with probability p; one or more must agree. By number of different words."
    yield drawing(results, "3.3", "upper right", caption)


STUDY = Study("Figure 3.3", "Acceptance by lists of words", "3.2.3", make)
