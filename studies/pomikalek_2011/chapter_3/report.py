"""Writes all that the experiments on a corpus show: tables beside the published ones, figures and one page."""

from pathlib import Path

from studies import comparison
from studies.pomikalek_2011.chapter_3 import page
from studies.pomikalek_2011.chapter_3.tables import Results, tables


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
    results = Results.read(corpus_dir, common, judgements)
    made = tables(results)
    results.write_figures(output)
    comparison.write_report(output, made, page.render(results, made, name))
