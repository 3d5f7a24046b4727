"""Makes a table of the lecture's basic techniques: which answers are similar to their source."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.lecture_reuse.detection import SET
from studies.lecture_reuse.results import Results
from studies.study import Study

_TITLE = "Basic techniques for revealing similar documents"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    numbers = [
        Number(row["comparator"], name, "", row[column])
        for row in results.judgements
        if (row["set"], row["part"], row["chosen_on"]) == (SET, "heldout", "dev")
        for name, column in (("at", "threshold"), ("P", "precision"), ("R", "recall"), ("F1", "f1"))
    ]
    about = (
        "Each answer with the article of its task, called similar or not: sets of fingerprints, selected fingerprints "
        "(modular sampling, winnowing, the rarest ones), and methods of chapter 3. The threshold with the highest F1 "
        "on the part dev; scores in percent on the part heldout. The lecture has no numbers."
    )
    yield Table("lecture 5", _TITLE, about, numbers)


STUDY = Study("Section 5", _TITLE, "5", make, needs=(SET,))
