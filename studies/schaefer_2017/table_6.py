"""Makes table 6: processor time of the classifiers."""

from collections.abc import Iterator

from studies.comparison import Table
from studies.schaefer_2017 import compared
from studies.schaefer_2017.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = "Mean time to judge the blocks of a fold. The published times are of Weka on another machine."
    numbers = list(compared.numbers(results, "schaefer.6", "cpu_seconds"))
    yield Table("6", "Classifiers compared, processor seconds", about, numbers)


STUDY = Study("Table 6", "Classifiers compared, processor seconds", "3.4", make, ("schaefer.6",), ("texrex-blocks",))
