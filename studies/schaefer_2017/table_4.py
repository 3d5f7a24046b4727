"""Makes table 4: the multilayer perceptron with a threshold of 0.5."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.schaefer_2017.results import Results, Row
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study

_TITLE = "The multilayer perceptron with a threshold of 0.5"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    published_rows = {row["language"]: row for row in published.table("schaefer.4")}
    about = "Means over ten folds. PRE is the proportional reduction of error: (correct - baseline) / (1 - baseline)."
    note = (
        "The published column F1 repeats recall for all languages but one row of the text; the F1 of the "
        "published precision and recall is: "
        + ", ".join(f"{name} {_f1(row):.3f}" for name, row in published_rows.items())
        + "."
    )
    yield Table("4", _TITLE, about, list(_numbers(results, published_rows)), [note])


def _f1(row: Row) -> float:
    precision, recall = float(row["t05_precision"]), float(row["t05_recall"])
    return 2 * precision * recall / (precision + recall)


def _numbers(results: Results, published_rows: dict[str, Row]) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        row, known = results.at_half(code), published_rows[language]
        for score, column in (("P", "precision"), ("R", "recall"), ("F1", "f1"), ("correct", "correct")):
            yield Number(language, score, known[f"t05_{column}"], f"{float(row[column]):.3f}")
        baseline = results.baseline(code)
        reduction = (float(row["correct"]) - baseline) / (1 - baseline)
        yield Number(language, "PRE", known["t05_pre"], f"{reduction:.3f}")


STUDY = Study("Table 4", _TITLE, "3.1", make, ("schaefer.4",), ("texrex-blocks",))
