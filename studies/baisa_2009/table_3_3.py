"""Makes table 3.3: Baisa's cleaner on several pages of a site."""

from collections.abc import Iterator

from studies.baisa_2009.systems import beside_published
from studies.comparison import Table
from studies.evaluation import notes
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = (
        "Algorithms that compare the pages of one site. Baisa’s tables 3.2 and 3.3 use a silver standard of 100 pages, "
        "which is not public. Ours use other data: CleanPortalEval, several pages of each of four portals."
    )
    below = [
        *notes.of_sets(results, "cleanportaleval"),
        "Comparing the pages of a portal raises the mean F1 of density by 8.6 points here and by 3.6 points in Baisa’s "
        "thesis. Pages of a portal share a template more often than his pairs, which he chose from several kinds.",
    ]
    numbers = list(beside_published("baisa.3.3", results.measured["cleanportaleval"]))
    yield Table("Baisa 3.3", "Pages of one site", about, numbers, below)


STUDY = Study("Table 3.3", "Pages of one site", "3.4", make, ("baisa.3.3",), ("cleanportaleval",))
