"""Writes what the measurements on texrex's vectors show: tables beside the published ones, figures, and one page."""

from pathlib import Path

from studies import page
from studies.schaefer_2017.results import Results
from studies.study import of_package


def write(measured: Path, output: Path) -> None:
    """Writes table_*.tsv and report.html.

    Args:
        measured: the folder of measurements.
        output: the folder for the tables and the page.

    Raises:
        StageFileError: a measured file is missing or damaged.
    """
    results = Results(measured)
    about = (
        "The tables and figures of Schäfer 2016 on the paper’s own feature vectors. Boilerplate is the class that "
        "precision and recall are about."
    )
    studies = of_package("studies.schaefer_2017")
    page.write_report(output, "Block classifiers of texrex", about, [(study, results) for study in studies])
