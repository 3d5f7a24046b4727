"""Makes table 3.4: block de-duplication at a threshold of 0.5; and tables 3.4 to 3.6 as a figure."""

from collections.abc import Iterator

from studies.comparison import Drawing, Table
from studies.pomikalek_2011.chapter_3 import deduplicated
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table | Drawing]:
    """Yields the figure and the table."""
    yield deduplicated.drawing(results)
    yield deduplicated.table(results, "3.4")


STUDY = Study("Table 3.4", "De-duplication at 0.5", "3.6.4", make, ("3.4",), ("a corpus",))
