"""The target `evaluation` as a workflow."""

from pathlib import Path

import pytest
from support.running import run


@pytest.mark.slow
def test_evaluation_without_gold_data_is_a_page_that_says_so(tmp_path: Path) -> None:
    """Without archives and without gold data, every set is skipped and only the published values are shown."""
    (tmp_path / "gold").mkdir()
    config = {"evaluation": {"data": "gold"}}
    result = run(tmp_path, config, "--latency-wait", "5", "evaluation")
    assert result.returncode == 0, result.stderr
    page = next(tmp_path.rglob("evaluation/report.html")).read_text(encoding="utf-8")
    assert "CleanEval: the data is missing" in page
    assert "94.81" in page


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
