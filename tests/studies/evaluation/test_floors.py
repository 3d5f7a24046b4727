"""The gate: no algorithm scores less than its stored floor."""

from collections.abc import Callable
from pathlib import Path

import pytest

from corpusprep.gold import sets
from corpusprep.gold.data import SETS, STORED, TRAINED_ON, stored_files
from corpusprep.gold.scores import Counts
from studies.evaluation import floors
from studies.evaluation.floors import FloorError, Floors
from studies.evaluation.measuring import Measured

FLOORS = Path(__file__).with_name("floors.json")
QUICK = {"cleaneval-dev"}


def measured(f1: float, data: str = "a") -> dict[str, Floors]:
    """The scores of one algorithm on one set."""
    return {"set": Floors(data, {"BTE": {"f1": f1, "f05": 50.0}})}


def test_floors_rise_with_scores(tmp_path: Path) -> None:
    """A better score becomes the floor."""
    path = tmp_path / "floors.json"
    assert floors.raise_floors(path, measured(90.0)) == 2
    assert floors.raise_floors(path, measured(91.0)) == 1
    assert floors.load(path) == measured(91.0)


def test_a_floor_is_not_lowered(tmp_path: Path) -> None:
    """A worse score is refused by name, and the file stays as it was."""
    path = tmp_path / "floors.json"
    floors.raise_floors(path, measured(90.0))
    with pytest.raises(FloorError, match=r"set: BTE has f1 89\.99, below its floor of 90\.00"):
        floors.raise_floors(path, measured(89.99))
    assert floors.load(path) == measured(90.0)


def test_floors_of_other_data_do_not_count(tmp_path: Path) -> None:
    """Scores on changed data are not compared."""
    path = tmp_path / "floors.json"
    floors.raise_floors(path, measured(90.0))
    with pytest.raises(FloorError, match="other files"):
        floors.raise_floors(path, measured(95.0, data="b"))


def test_floors_of_other_data_are_replaced_by_name(tmp_path: Path) -> None:
    """If the data or what counts in it has changed, --replace takes the new scores; on the same data it lowers none."""
    path = tmp_path / "floors.json"
    floors.raise_floors(path, measured(90.0))
    floors.raise_floors(path, measured(85.0, data="b"), replace=["set"])
    assert floors.load(path) == measured(85.0, data="b")
    with pytest.raises(FloorError, match="not lowered"):
        floors.raise_floors(path, measured(84.0, data="b"), replace=["set"])


def test_an_algorithm_that_is_gone_is_below_its_floor() -> None:
    """An algorithm without scores does not pass the gate."""
    assert floors.below("set", measured(90.0)["set"], Floors("a", {})) == ["set: BTE was not measured"] * 2


def test_models_have_floors_on_every_set() -> None:
    """By words where the floors of other algorithms count text nodes."""
    rows = {("BTE", "nodes_0"): [Counts(1, 1, 0)], ("content, cross-validated", "words_with"): [Counts(1, 0, 0)]}
    found = floors.of("canola-dev", "a", Measured(rows))
    assert {name: scores["f1"] for name, scores in found.scores.items()} == {
        "BTE": 66.66,
        "content, cross-validated": 100.0,
    }
    stored = floors.load(FLOORS)
    for name in SETS:
        assert {one.partition(",")[0] for one in stored[name].scores} >= TRAINED_ON.keys(), name


@pytest.mark.data
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SETS]
)
def test_no_algorithm_is_below_its_floor(evaluation_data: Path, unpacked: Callable[[str], Path], name: str) -> None:
    """F1 and F0.5 of every algorithm reach the floors in floors.json, on the data that the floors were measured on."""
    if not stored_files(evaluation_data, [name]):
        pytest.skip(f"no gold set {name}")
    gold_set = sets.read(name, unpacked(STORED[name]).parent)
    assert gold_set is not None
    found = floors.of(name, gold_set.data, floors.measure(gold_set))
    assert floors.below(name, floors.load(FLOORS)[name], found) == []
