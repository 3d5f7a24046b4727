"""Makes table 3.5: block de-duplication at a threshold of 0.25."""

from collections.abc import Iterator

from studies.comparison import Table
from studies.pomikalek_2011.chapter_3 import deduplicated
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    yield deduplicated.table(results, "3.5")


STUDY = Study("Table 3.5", "De-duplication at 0.25", "3.6.4", make, ("3.5",), ("a corpus",))
