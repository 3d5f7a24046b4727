"""Makes the tables of sets that no source has: CleanPortalEval, DAnIEL and Chinese pages."""

from collections.abc import Iterator

from studies.comparison import Table
from studies.evaluation import notes
from studies.evaluation.numbers import of_counts
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS
from studies.study import Study

_SETS = {
    "cleanportaleval": "Scored by words; several pages of each of four portals.",
    "daniel": "News in English, Chinese, Polish, Greek and Russian, scored by words (Chinese by characters).",
    "chinese": "Scored by characters.",
}


def make(results: Results) -> Iterator[Table]:
    """Yields a table per set."""
    for name, about in _SETS.items():
        measured = results.measured[name]
        numbers = [
            number
            for configuration in SYSTEMS
            for number in of_counts(configuration.title, "", {}, measured.of(configuration.title, "words"))
            if number.ours
        ]
        yield Table(name, results.facts[name].title, about, numbers, notes.of_sets(results, name))


STUDY = Study("", "Further gold sets", "", make, needs=tuple(_SETS))
