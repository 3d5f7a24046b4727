"""Writes all that an evaluation shows: tables beside the published ones, gold_sets.tsv, gold_f1.tsv and one page."""

from pathlib import Path

from corpusprep.io import tsv
from studies import comparison
from studies.evaluation import page
from studies.evaluation.tables import Results, tables


def write(measured: Path, output: Path) -> None:
    """Writes the tables of chapter 2 and the page.

    Args:
        measured: the folder that the commands `measure` and `canola` wrote to.
        output: the folder for table_*.tsv, gold_sets.tsv, gold_f1.tsv (with Canola's data) and report.html.

    Raises:
        StageFileError: a measured file is missing or damaged.
    """
    results = Results.read(measured)
    made = tables(results)
    facts = results.facts.values()
    cases = [(set_.name, case, count) for set_ in facts for case, count in [("pages", set_.pages), *set_.cases.items()]]
    tsv.write(output / "gold_sets.tsv", ("set", "case", "count"), cases)
    if results.canola:
        gold = ((*row[:3], f"{row[3]:.2f}") for row in results.canola["gold_f1"])
        tsv.write(output / "gold_f1.tsv", ("preset", "parameter", "value", "f1"), gold)
    comparison.write_report(output, made, page.render(results, made))
