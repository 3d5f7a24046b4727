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
