"""Writes all that an evaluation shows: tables beside the published ones, gold_sets.tsv, gold_f1.tsv and one page."""

from pathlib import Path

from corpusprep.io import tsv
from studies import page
from studies.evaluation.results import Results
from studies.study import of_package

#: Packages whose studies are made from what an evaluation measures, in the order of the page.
_PACKAGES = ("studies.pomikalek_2011.chapter_2", "studies.baisa_2009", "studies.evaluation")


def write(measured: Path, output: Path) -> None:
    """Writes the tables of chapter 2, of Baisa's thesis and of further sets, and the page.

    Args:
        measured: the folder that the commands `measure` and `canola` wrote to.
        output: the folder for table_*.tsv, gold_sets.tsv, gold_f1.tsv (with Canola's data) and report.html.

    Raises:
        StageFileError: a measured file is missing or damaged.
    """
    results = Results.read(measured)
    facts = results.facts.values()
    cases = [(set_.name, case, count) for set_ in facts for case, count in [("pages", set_.pages), *set_.cases.items()]]
    tsv.write(output / "gold_sets.tsv", ("set", "case", "count"), cases)
    if results.canola:
        gold = ((*row[:3], f"{row[3]:.2f}") for row in results.canola["gold_f1"])
        tsv.write(output / "gold_f1.tsv", ("preset", "parameter", "value", "f1"), gold)
    about = "The tables and figures of chapter 2 of Pomikálek 2011 and of Baisa 2009, and of further gold sets."
    studies = [study for package in _PACKAGES for study in of_package(package)]
    page.write_report(output, "Boilerplate removal on gold data", about, [(study, results) for study in studies])
