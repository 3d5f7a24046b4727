"""The targets `evaluation` and `studies` as a workflow."""

from pathlib import Path

import pytest
from support.running import run


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the targets `evaluation` and `studies` without archives and without gold data."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "gold").mkdir()
    config = {"evaluation": {"data": "gold"}}
    result = run(folder, config, "--latency-wait", "5", "evaluation", "studies")
    assert result.returncode == 0, result.stderr
    return folder / "results"


@pytest.mark.slow
def test_evaluation_without_gold_data_is_a_page_that_says_so(results: Path) -> None:
    """Without archives and without gold data, every set is skipped and only the published values are shown."""
    page = (results / "evaluation" / "report.html").read_text(encoding="utf-8")
    assert "CleanEval: the data is missing" in page
    assert "94.81" in page


@pytest.mark.slow
def test_the_page_of_all_studies_names_what_is_missing(results: Path) -> None:
    """Gold sets, corpora and measurements; the published numbers are there all the same."""
    page = (results / "studies" / "index.html").read_text(encoding="utf-8")
    assert "the gold sets lack cleaneval" in page
    assert "No corpus of these results was measured" in page
    assert "Not measured: texrex/measured/sizes.tsv" in page
    assert "94.81" in page
    assert "jusText D" in page


@pytest.mark.slow
def test_tables_that_exist_are_not_taken_for_corpora(tmp_path: Path) -> None:
    """A page of tables has the name of a corpus's report; without corpora, no rule of a corpus may claim it."""
    page = tmp_path / "results" / "texrex" / "report.html"
    page.parent.mkdir(parents=True)
    page.write_text("made before")
    (tmp_path / "gold").mkdir()
    done = run(tmp_path, {"evaluation": {"data": "gold"}}, "--dry-run", "texrex")
    assert done.returncode == 0, done.stderr
    assert "Exception" not in done.stdout + done.stderr
