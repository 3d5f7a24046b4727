"""Makes table 3.2: Baisa's cleaner on single pages of portals."""

from collections.abc import Iterator

from studies.baisa_2009.systems import beside_published
from studies.comparison import Table
from studies.evaluation import notes
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = (
        "Each page on its own. The silver standard of Baisa’s table, 100 pages, is not public. Ours use other data: "
        "CleanPortalEval, several pages of each of four portals."
    )
    numbers = list(beside_published("baisa.3.2", results.measured["cleanportaleval"]))
    yield Table("Baisa 3.2", "Single pages", about, numbers, notes.of_sets(results, "cleanportaleval"))


STUDY = Study("Table 3.2", "Single pages", "3.3", make, ("baisa.3.2",), ("cleanportaleval",))
