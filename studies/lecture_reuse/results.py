"""What was measured for the lecture: sources that were detected, and methods against human judgements."""

from functools import cached_property
from pathlib import Path

from corpusprep.io import tsv
from studies.lecture_reuse.detection import COLUMNS

Row = dict[str, str]
_JUDGEMENTS = ("set", "part", "comparator", "threshold", "precision", "recall", "f1", "chosen_on")


class Results:
    """All measurements. A missing or damaged file is a StageFileError when a table needs it."""

    def __init__(self, results: Path) -> None:
        """The measurements below the folder of results."""
        self._results = results

    @cached_property
    def detected(self) -> list[Row]:
        """Answers by setting, part and kind of reuse."""
        return tsv.read(self._results / "lecture_reuse" / "detected.tsv", COLUMNS)

    @cached_property
    def judgements(self) -> list[Row]:
        """Precision, recall and F1 of methods that find similar documents."""
        return tsv.read(self._results / "experiments" / "judgements_best.tsv", _JUDGEMENTS)


def of_folder(results: Path) -> dict[str, Results]:
    """Returns the measurements below the folder of results, under the name ""."""
    return {"": Results(results)}
