"""F1 by thresholds of jusText, as in the reports of corpora."""

from pathlib import Path

import pytest

from corpusprep.statistics.thresholds import gold_f1
from studies.evaluation import canola


@pytest.mark.data
@pytest.mark.slow
def test_the_stored_table_is_that_of_the_gold_data(evaluation_data: Path) -> None:
    """corpusprep/statistics/gold_f1.tsv is up to date with the algorithm."""
    measured = canola.measure(evaluation_data)
    if measured is None:
        pytest.skip("no gold set Canola")
    fresh = {(preset, parameter, value): f"{f1:.2f}" for preset, parameter, value, f1 in measured["gold_f1"]}
    assert gold_f1() == fresh
