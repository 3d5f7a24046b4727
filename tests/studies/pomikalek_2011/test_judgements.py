"""Comparators on human judgements: how pairs are counted, and floors for the best F1."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from support.token_documents import documents_of

from corpusprep.commands.application import main
from corpusprep.gold.scores import Counts, scores
from corpusprep.io import tsv
from studies.evaluation import floors
from studies.pomikalek_2011.chapter_3 import judgements
from studies.pomikalek_2011.chapter_3.comparators.registry import comparators
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Resemblance
from studies.pomikalek_2011.chapter_3.judgements import ALL, JudgedSet, Measured

FLOORS = Path(__file__).with_name("floors.json")
TEXTS = [list("abcd"), list("abcd"), list("abce"), list("vwxyz")]


def test_pairs_that_are_not_found_are_no_duplicates() -> None:
    """Right, wrong and missed pairs at each threshold, for all pairs and for a part."""
    first, second = np.array(list(combinations(range(4), 2))).T
    duplicate = np.array([True, False, True, False, False, False])
    parts = {ALL: np.ones(6, np.bool_), "end": np.arange(6) >= 2}
    judged = JudgedSet("set", documents_of(TEXTS), first, second, duplicate, parts, "")
    comparator = Resemblance(n=2)
    comparator.thresholds = (0.5, 0.8)
    # Resemblances: 1 for documents 0 and 1, 2/4 for each of these and 2, 0 for 3 and any other.
    assert list(judgements.measure(judged, comparator)) == [
        Measured(ALL, "resemblance n=2", 0.5, Counts(1, 2, 1)),
        Measured(ALL, "resemblance n=2", 0.8, Counts(1, 0, 1)),
        Measured("end", "resemblance n=2", 0.5, Counts(0, 1, 1)),
        Measured("end", "resemblance n=2", 0.8, Counts(0, 0, 1)),
    ]


def test_of_equal_thresholds_the_highest_is_best() -> None:
    """F1 decides before the threshold."""
    rows = [Measured(ALL, "x", 0.1, Counts(1, 1, 0)), Measured(ALL, "x", 0.2, Counts(2, 1, 0)),
            Measured(ALL, "x", 0.3, Counts(2, 1, 0)), Measured(ALL, "x", 0.4, Counts(1, 0, 1))]  # fmt: skip
    assert judgements.best(rows, ALL) == {"x": rows[2]}


def test_names_of_comparators_differ() -> None:
    """Otherwise rows of the tables could not be told apart."""
    names = [comparator.name for comparator in comparators()]
    assert len(set(names)) == len(names)
    assert all(list(c.thresholds) == sorted(c.thresholds) for c in comparators())


def found_floors(judged: JudgedSet) -> floors.Floors:
    """The highest F1 of each comparator, rounded down to hundredths of a point."""
    measured = [one for comparator in comparators() for one in judgements.measure(judged, comparator)]
    best = judgements.best(measured, ALL)
    scored = {name: {"f1": int(scores(one.counts).f1 * 100) / 100} for name, one in best.items()}
    return floors.Floors(judged.data, scored)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "pairs"), [("clough-stevenson", (95, 57)), pytest.param("neardup-dev", (116, 64), marks=pytest.mark.slow)]
)
def test_no_comparator_is_below_its_floor(evaluation_data: Path, name: str, pairs: Sequence[int]) -> None:
    """The best F1 over thresholds, on the data that the floors were measured on."""
    if not (evaluation_data / f"{name}.tar.xz").exists():
        pytest.skip(f"no set {name}")
    (judged,) = judgements.read_sets(evaluation_data, [name])
    assert (len(judged.duplicate), judged.duplicate.sum()) == tuple(pairs)
    assert floors.below(name, floors.load(FLOORS)[name], found_floors(judged)) == []


@pytest.mark.data
@pytest.mark.slow
def test_the_command_writes_both_tables(evaluation_data: Path, tmp_path: Path) -> None:
    """One row per set, part, comparator and threshold; the best thresholds come from other pairs if there are any."""
    with pytest.raises(SystemExit) as end:
        main(["studies", "experiments", "judgements", "--data", str(evaluation_data), "--output", str(tmp_path)])
    assert not end.value.code
    rows = tsv.read(tmp_path / "judgements.tsv", judgements.COLUMNS)
    parts = {(row["set"], row["part"]) for row in rows}
    assert len(rows) == len(parts) / 2 * sum(len(c.thresholds) for c in comparators()) * 2
    best = tsv.read(tmp_path / "judgements_best.tsv", judgements.BEST_COLUMNS)
    assert {(row["part"], row["chosen_on"]) for row in best if row["set"] == "clough-stevenson"} >= {("heldout", "dev")}


def test_a_folder_without_sets_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line that says which sets are missing."""
    with pytest.raises(SystemExit):
        main(["studies", "experiments", "judgements", "--data", str(tmp_path), "--output", str(tmp_path / "out")])
    assert "neardup-dev.tar.xz" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
