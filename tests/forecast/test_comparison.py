"""A forecast beside what a finished run took."""

from pathlib import Path

import pytest

from corpusprep.errors import ConfigError
from corpusprep.forecast.comparison import compare, table, taken
from corpusprep.forecast.costs import StepForecast
from corpusprep.io.times import write_times
from corpusprep.pipeline import STEPS


def line(step: str, seconds: float) -> StepForecast:
    """A forecast with a range of 20 % to both sides."""
    return StepForecast(step, 1, seconds, 1000, 0.0, seconds, (0.8, 1.2))


def test_steps_are_judged_by_their_ranges() -> None:
    """Those that take under half a second are shown only; a step that did not run is left out."""
    lines = [line("encoding", 1.0), line("boilerplate", 2.0), line("ngrams merge", 0.4), line("ngrams candidates", 0.1)]
    compared = compare(lines, {"encoding": 1.1, "boilerplate": 3.0, "ngrams merge": 0.1})
    assert [one.within for one in compared] == [True, False, False]
    shown = table(compared)
    assert max(map(len, shown)) <= 80
    assert [row.endswith("outside") for row in shown] == [False, False, True, False, False, False]
    assert shown[-2].split() == "in all 3.4 s 2.7 to 4.1 s 4.2 s 0.81".split()
    assert shown[-1] == "Steps that took 0.5 s or more: 2. In the range: 1. Within 20%: 1."


def test_what_steps_took_is_in_the_folder_of_the_corpus(tmp_path: Path) -> None:
    """All processes of a step together; two steps may share a row of costs."""
    for name in ("encoding", "statistics merge before", "statistics merge after", "blocks match", "subwords"):
        for number in (1, 2):
            path = tmp_path / STEPS[name].times.pattern.format(batch=f"b{number}", bundle=f"b{number}")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_times(path)
    assert set(taken(tmp_path)) == {"encoding", "statistics merge", "blocks match", "subwords"}  # and not `corpus`
    assert min(taken(tmp_path).values()) > 0


def test_a_corpus_must_be_built_before(tmp_path: Path) -> None:
    """One line says so."""
    with pytest.raises(ConfigError, match="build the corpus first"):
        taken(tmp_path)
