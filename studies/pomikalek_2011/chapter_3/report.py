"""Writes all that the experiments on a corpus show: tables beside the published ones, figures and one page."""

from pathlib import Path

from corpusprep.io.readable import printable
from studies import page
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import of_package


def write(corpus_dir: Path, name: str, common: Path, judgements: Path | None, output: Path) -> None:
    """Writes the tables of chapter 3 and the page.

    Args:
        corpus_dir: the folder of the corpus's stage files.
        name: the corpus's name.
        common: the folder that the commands `set-memory` and `acceptance` wrote to.
        judgements: judgements_best.tsv; None without such data.
        output: the folder for table_*.tsv, figure_*.tsv and report.html.

    Raises:
        StageFileError: a measured file is missing, damaged or of another run.
    """
    results = Results(corpus_dir, common, judgements, name)
    about = (
        f"The experiments of chapter 3 of Pomikálek 2011, on the {results.tokens:,} tokens of this corpus "
        "before block de-duplication. The published numbers were measured on other corpora."
    )
    title = f"Duplicate n-grams and de-duplication: {printable(name, 200)}"
    studies = of_package("studies.pomikalek_2011.chapter_3")
    page.write_report(output, title, about, [(study, results) for study in studies])
