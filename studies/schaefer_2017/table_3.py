"""Makes table 3: thresholds at which precision and recall are equal."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.schaefer_2017.results import Results, Row
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study

_TITLE = "Thresholds at which precision and recall are equal"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = "The multilayer perceptron, means over ten folds. The threshold depends on how the network was trained."
    yield Table("3", _TITLE, about, list(_numbers(results)))


def _numbers(results: Results) -> Iterator[Number]:
    published_rows = {row["language"]: row for row in published.table("schaefer.4")}
    for code, language in LANGUAGES.items():
        row, known = balanced(results.curves[code]), published_rows[language]
        yield Number(language, "threshold", known["balanced_threshold"], row["threshold"])
        yield Number(language, "F1", known["balanced_f1"], f"{float(row['f1']):.3f}")
        yield Number(language, "correct", known["balanced_correct"], f"{float(row['correct']):.3f}")


def balanced(curve: list[Row]) -> Row:
    """Returns the row of a curve in which precision and recall are closest."""
    return min(curve, key=lambda row: (abs(float(row["precision"]) - float(row["recall"])), float(row["threshold"])))


STUDY = Study("Table 3", _TITLE, "3.1", make, ("schaefer.4",), ("texrex-blocks",))
