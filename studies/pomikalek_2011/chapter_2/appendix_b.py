"""Draws the figures of appendix B: systems by F0.5 on Canola, CleanEval and L3S-GN1."""

from collections.abc import Iterator

from studies.comparison import Drawing
from studies.evaluation import figures
from studies.evaluation.results import Results
from studies.pomikalek_2011.chapter_2.scored import main_table
from studies.pomikalek_2011.chapter_2.table_2_6 import WORDS
from studies.pomikalek_2011.chapter_2.table_2_8 import CLEANEVAL
from studies.pomikalek_2011.chapter_2.table_2_9 import L3S_GN1
from studies.study import Study

#: The table that a figure shows, its column, and the set.
_SHOWN = ((WORDS, "without: F0.5", "Canola"), (CLEANEVAL, "F0.5", "CleanEval"), (L3S_GN1, "F0.5", "L3S-GN1"))


def make(results: Results) -> Iterator[Drawing]:
    """Yields a figure per set, also where only published numbers are known."""
    for scored, column, title in _SHOWN:
        table = main_table(scored, results)
        systems = {
            number.row: (_number(number.ours), _number(number.published))
            for number in table.numbers
            if number.score == column
        }
        name = f"bars-{scored.number.replace('.', '-')}"
        drawn = figures.bars(name, f"F0.5 of systems on {title}", systems)
        yield Drawing(drawn, f"Appendix B, {title}: systems ordered by F0.5.")


def _number(text: str) -> float | None:
    return float(text) if text else None


STUDY = Study("Appendix B", "Systems by F0.5", "B", make, ("2.6", "2.8", "2.9"), ("canola", "cleaneval", "l3s-gn1"))
