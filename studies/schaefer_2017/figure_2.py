"""Draws figure 2, models judged on other languages, and makes a table of it."""

from collections.abc import Iterator

from studies.comparison import Drawing, Number, Table
from studies.schaefer_2017 import figures
from studies.schaefer_2017.results import Results, Row, points
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study


def make(results: Results) -> Iterator[Table | Drawing]:
    """Yields the figure and the table."""
    judged: dict[str, dict[str, list[Row]]] = {name: {} for name in LANGUAGES}
    for row in results.transfer:
        judged[row["judged"]].setdefault(row["learned_from"], []).append(row)
    panels = {
        LANGUAGES[code]: {LANGUAGES.get(name, name): points(rows) for name, rows in models.items()}
        for code, models in judged.items()
    }
    yield Drawing(figures.transfers(panels), "Figure 2: models judged on languages that they were not made for.")
    about = (
        "Rows: the language that a model has learned from. The models of several languages are cross-validated "
        "where they have learned from the language judged; germanic learns from English, German and Swedish."
    )
    yield Table("transfer", "Models judged on other languages, F1 at 0.5", about, list(_numbers(results)))


def _numbers(results: Results) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        yield Number("the same language", language, "", f"{float(results.at_half(code)['f1']):.3f}")
    for row in results.transfer:
        if row["threshold"] == "0.50":
            learned = LANGUAGES.get(row["learned_from"], row["learned_from"])
            yield Number(learned, LANGUAGES[row["judged"]], "", f"{float(row['f1']):.3f}")


STUDY = Study("Figure 2", "Models judged on other languages", "3.2", make, needs=("texrex-blocks",))
