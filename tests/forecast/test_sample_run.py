"""Costs per token, from what steps used on a sample and on a part of it."""

from collections import defaultdict
from types import SimpleNamespace

import pytest

from corpusprep.forecast.costs import load_costs
from corpusprep.forecast.sample_run import AFTER, ANNOTATE, BEFORE, FASTEST, SAMPLED, _measured, _Run, _Used

#: The settings of a corpus with all steps, and of one with those that every corpus has.
ALL = SimpleNamespace(sections=defaultdict(lambda: defaultdict(lambda: "x")))
ALL.sections["filter"]["signals"] = "x"
NONE = SimpleNamespace(sections=defaultdict(lambda: defaultdict(str)))
EVERY = tuple(step for step in SAMPLED if step not in BEFORE)
STEPS = (*EVERY, *AFTER)


def run(tokens: int, before: float, seconds: float) -> _Run:
    """A run in which each step took some seconds before its first token, and then as many per million tokens."""
    used = {step.name: _Used(before + seconds * tokens / 1e6, 3 * tokens) for step in STEPS}
    return _Run(10, tokens, used)


def test_what_a_process_does_once_is_no_rate() -> None:
    """Two runs of different lengths tell it from what a token costs."""
    found = _measured(run(1_000_000, 0.3, 2.0), run(100_000, 0.3, 2.0), 1.0, ALL)
    costs = {cost.step: cost for cost in found.costs}
    assert costs["boilerplate"].seconds == pytest.approx(2.0)
    assert costs["statistics runs"].seconds == pytest.approx(2.0)
    assert costs["boilerplate"].bytes_per_token == pytest.approx(3.0)


def test_steps_of_one_process_are_as_fast_as_the_others() -> None:
    """They are in the table only; start-up is that of this machine."""
    table = load_costs()
    slow = {cost.step: cost for cost in _measured(run(1_000_000, 0.0, 0.1), run(100_000, 0.0, 0.1), 2.0, ALL).costs}
    fast = {cost.step: cost for cost in _measured(run(1_000_000, 0.0, 1e-9), run(100_000, 0.0, 1e-9), 2.0, ALL).costs}
    assert slow["ngrams merge"].seconds > fast["ngrams merge"].seconds == table["ngrams merge"].seconds * FASTEST
    assert slow["report"].start_seconds == 2 * table["report"].start_seconds
    assert list(slow) == list(table)
    usual = _measured(run(1_000_000, 0.0, 0.1), None, 1.0, NONE)
    assert [cost.step for cost in usual.costs] == [
        name for name in table if name not in ("blocks clusters", "quality", "personal", "subwords", "wordlists")
    ]


def test_without_a_worker_the_table_has_the_start_up() -> None:
    """And only the steps on pages were run."""
    start = load_costs()["encoding"].start_seconds
    used = {step.name: _Used(start + 1.0, 10) for step in EVERY}
    found = _measured(_Run(10, 1_000_000, used), None, 1.0, ALL)
    costs = {cost.step: cost for cost in found.costs}
    assert costs["encoding"].seconds == pytest.approx(1.0)
    assert costs["corpus"] == load_costs()["corpus"]
    assert found.steps == {"encoding", "boilerplate", "language", "tokens"}


def test_an_annotator_is_measured() -> None:
    """The table of costs does not have it: its row stands after that of the tokens, and its speed says nothing."""
    steps = (*EVERY, ANNOTATE, *AFTER)
    used = {step.name: _Used(6.0 if step is ANNOTATE else 2.0, 2_000_000) for step in steps}
    little = {step.name: _Used(1.5, 200_000) for step in steps}
    found = _measured(_Run(10, 1_000_000, used), _Run(1, 100_000, little), 1.0, ALL)
    costs = {cost.step: cost for cost in found.costs}
    names = list(load_costs())
    assert list(costs) == [*names[: names.index("tokens") + 1], "annotate", *names[names.index("tokens") + 1 :]]
    assert costs["annotate"].seconds == pytest.approx(5.0)
    assert costs["annotate"].bytes_per_token == pytest.approx(2.0)
    assert costs["annotate"].start_seconds == pytest.approx(costs["tokens"].start_seconds + 1.0)  # its tagger's own
    assert "annotate" in found.steps
    del used["annotate"]
    again = _measured(_Run(10, 1_000_000, used), _Run(1, 100_000, little), 1.0, ALL)
    without = {cost.step: cost for cost in again.costs}
    assert without == {name: cost for name, cost in costs.items() if name != "annotate"}


def test_steps_of_some_settings_are_measured() -> None:
    """They stand in the order of the work, also those of one process for the corpus, which the table cannot know."""
    used = {step.name: _Used(2.0, 2_000_000) for step in (*BEFORE, *STEPS)}
    little = {step.name: _Used(0.2, 200_000) for step in (*BEFORE, *STEPS)}
    found = _measured(_Run(10, 1_000_000, used), _Run(1, 100_000, little), 1.0, ALL)
    names = [cost.step for cost in found.costs]
    assert names[: len(BEFORE) + 2] == ["encoding", *(step.name for step in BEFORE), "boilerplate"]
    assert [cost.seconds for cost in found.costs if cost.step in names[: len(BEFORE) + 2]] == pytest.approx(
        [2.0] * (len(BEFORE) + 2)
    )
    assert {"templates choose", "templates merge"} <= found.steps
