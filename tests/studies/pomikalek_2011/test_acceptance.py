"""Acceptance curves: the closed forms of 3.2, compared with the comparators."""

import math
from pathlib import Path

import pytest

from corpusprep.commands.application import main
from corpusprep.io import tsv
from studies.pomikalek_2011.chapter_3 import acceptance
from studies.pomikalek_2011.chapter_3.acceptance import Scheme, lists_probability, probability, simulated


@pytest.mark.parametrize("scheme", [Scheme(10, 1, 5), Scheme(6, 14, 2), Scheme(20, 5, 2)])
@pytest.mark.parametrize("resemblance", [0.0, 0.3, 0.5, 0.8, 0.95, 1.0])
def test_sketches_are_accepted_as_often_as_computed(scheme: Scheme, resemblance: float) -> None:
    """400 simulated pairs, within four standard deviations."""
    computed = probability(resemblance, scheme)
    deviation = math.sqrt(computed * (1 - computed) / 400)
    assert simulated(resemblance, scheme, trials=400) == pytest.approx(computed, abs=4 * deviation + 1e-9)


def test_curves_agree_with_the_thesis() -> None:
    """Figure 3.1: with t = 100 hardly any error below 0.4 and above 0.6, with t = 10 many; 3.2: none at 0 and 1."""
    hundred, ten = Scheme(100, 1, 50), Scheme(10, 1, 5)
    assert probability(0.4, hundred) < 0.03 < 0.15 < probability(0.4, ten)
    assert probability(0.6, hundred) > 0.97
    assert probability(0.6, ten) < 0.85
    assert probability(0.0, Scheme(6, 14, 2)) == 0
    assert probability(1.0, Scheme(6, 14, 2)) == 1


def test_lists_in_common() -> None:
    """3.2.3: a list of half the words is the same after three changed words in one case of eight."""
    assert lists_probability(3, 1, 0.5) == pytest.approx(1 / 8)
    assert lists_probability(0, 4, 0.25) == 1
    assert lists_probability(5, 64, 0.02) > lists_probability(5, 4, 0.02)


def test_the_command_writes_three_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have every scheme at every resemblance."""
    monkeypatch.setattr(acceptance, "RESEMBLANCES", (0.5, 1.0))
    with pytest.raises(SystemExit) as end:
        main(["studies", "experiments", "acceptance", "--trials", "2", "--output", str(tmp_path)])
    assert not end.value.code
    assert len(tsv.read(tmp_path / "figure_3_1.tsv", ["resemblance", "simulated"])) == 4 * 2
    assert len(tsv.read(tmp_path / "figure_3_2.tsv", ["resemblance", "simulated"])) == 5 * 2
    assert tsv.read(tmp_path / "figure_3_3.tsv")[0] == {"n": "4", "p": "0.25", "k": "0", "probability": "1.0000"}
