"""Floors: the least F1 and F0.5 of every algorithm on gold data.

A floor can be raised, not lowered: a change that makes an algorithm worse on gold data does not pass.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import CorpusprepError
from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.pages import GoldSet
from corpusprep.gold.scores import micro
from corpusprep.io.files import replacing
from studies.evaluation import extractors, measuring
from studies.evaluation.cleaners import measure_of as words_of_set
from studies.evaluation.measuring import Measured
from studies.evaluation.results import Results
from studies.evaluation.trained import TRAINED


class FloorError(CorpusprepError):
    """A score is below its floor, or floors belong to other data."""


@dataclass(slots=True, frozen=True)
class Floors:
    """The floors of a gold set.

    Attributes:
        data: SHA-256 of the files of the set, and of the pages and text nodes that count.
        scores: algorithm -> {"f1": …, "f05": …}, in percent.
    """

    data: str
    scores: dict[str, dict[str, float]]


def measure_of(gold_set: str) -> str:
    """Returns the measure that a set's floors use: words, or what the set has instead."""
    if gold_set.startswith("canola"):
        return "nodes_0"
    return {"dragnet": "words_main", "trafilatura": "snippets"}.get(gold_set, "words")


def _counted(gold_set: str, algorithm: str) -> str:
    """Returns the measure that the floors of an algorithm use: models of `content` have no scores of text nodes."""
    return words_of_set(gold_set) if algorithm.partition(",")[0] in TRAINED_ON else measure_of(gold_set)


def of(gold_set: str, data: str, measured: Measured) -> Floors:
    """Returns the measured scores as floors, rounded down to hundredths of a point."""
    scores = {}
    for (algorithm, measure), counts in measured.counts.items():
        if measure == _counted(gold_set, algorithm) and algorithm not in {
            trained_system.title for trained_system in TRAINED
        }:
            means = micro(counts)
            scores[algorithm] = {
                name: math.floor(value * 100) / 100 for name, value in (("f1", means.f1), ("f05", means.f05))
            }
    return Floors(data, scores)


def below(gold_set: str, floors: Floors, measured: Floors) -> list[str]:
    """Returns one message per score in `found` that is missing or below its floor.

    Raises:
        FloorError: the floors belong to other data.
    """
    if floors.data != measured.data:
        raise FloorError(
            f"{gold_set}: the floors belong to other files, pages or text nodes (SHA-256 {floors.data[:12]}, not "
            f"{measured.data[:12]}); `corpusprep studies evaluation raise-floors --replace {gold_set}` sets new ones"
        )
    lines = []
    for algorithm, scores in floors.scores.items():
        for name, floor in scores.items():
            value = measured.scores.get(algorithm, {}).get(name)
            if value is None:
                lines.append(f"{gold_set}: {algorithm} was not measured")
            elif value < floor:
                lines.append(f"{gold_set}: {algorithm} has {name} {value:.2f}, below its floor of {floor:.2f}")
    return lines


def load(path: Path) -> dict[str, Floors]:
    """Returns gold set -> floors; empty if the file does not exist.

    Raises:
        FloorError: the file does not hold floors.
    """
    try:
        return {name: Floors(**entry) for name, entry in json.loads(path.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise FloorError(f"{path}: not a file of floors: {error}") from None


def measure(gold_set: GoldSet) -> Measured:
    """Measures what the floors of a set count, and no more."""
    own = measuring.measure(gold_set, {measure_of(gold_set.name)})
    return with_models(own, extractors.of_models(gold_set, {words_of_set(gold_set.name)}))


def with_models(measured: Measured, extractors: Measured) -> Measured:
    """Returns the counts of our algorithms, and of the models of `content` among the extractors."""
    models = {key: rows for key, rows in extractors.counts.items() if key[0].partition(",")[0] in TRAINED_ON}
    return Measured({**measured.counts, **models})


def raise_to_measured(measured: Path, path: Path, replace: Collection[str] = ()) -> int:
    """Raises the floors in a file to the measured scores; returns how many rose.

    Args:
        measured: the folder that the commands `measure` and `canola` wrote to.
        path: the file of floors; it is created if it does not exist.
        replace: gold sets whose floors are replaced if they belong to other files, pages or text nodes.

    Raises:
        StageFileError: a measured file is missing or damaged.
        FloorError: a floor would fall, or belongs to other data; then nothing is written.
    """
    results = Results.read(measured)
    measured_floors = {
        name: of(name, facts.data, with_models(results.measured[name], results.extractors[name]))
        for name, facts in results.facts.items()
        if facts.present
    }
    return raise_floors(path, measured_floors, replace)


def raise_floors(path: Path, measured: Mapping[str, Floors], replace: Collection[str] = ()) -> int:
    """Raises the floors in a file to the scores found; returns how many rose. Other sets keep their floors.

    The floors of a set in `replace` are dropped first, if they belong to other files, pages or text nodes.

    Raises:
        FloorError: a floor would fall, or belongs to other data; then nothing is written.
    """
    floors = load(path)
    for name in replace:
        if name in floors and name in measured and floors[name].data != measured[name].data:
            del floors[name]
    lines = [line for name, new in measured.items() if name in floors for line in below(name, floors[name], new)]
    if lines:
        raise FloorError("floors are not lowered: " + "; ".join(lines))
    before = {(n, a, s): v for n, e in floors.items() for a, entry in e.scores.items() for s, v in entry.items()}
    floors.update(measured)
    plain = {name: {"data": entry.data, "scores": entry.scores} for name, entry in sorted(floors.items())}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    after = {(n, a, s): v for n, e in floors.items() for a, entry in e.scores.items() for s, v in entry.items()}
    return sum(value > before.get(key, -1.0) for key, value in after.items())
