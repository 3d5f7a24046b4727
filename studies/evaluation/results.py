"""Everything that `snakemake evaluation` measured, each file read when a table needs it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpusprep.gold import json_files
from corpusprep.gold.data import CAUSE_SETS, SETS
from studies.evaluation import cleaners, measuring, speed
from studies.evaluation.measuring import Measured, SetFacts
from studies.evaluation.speed import Timed
from studies.on_demand import Contents, Files


@dataclass(slots=True, frozen=True, eq=False)
class Results:
    """All measurements.

    Attributes:
        facts: by gold set.
        measured: by gold set.
        canola: what canola.measure returned; empty without Canola.
        causes: by gold set, the rows of causes.measure.
        extractors: of the models of `content` and of public extractors, by gold set.
        versions: of the public extractors; None for one that is not installed.
        speed: the time of each system, by gold set.
        times: what times.write wrote.
    """

    facts: Mapping[str, SetFacts]
    measured: Mapping[str, Measured]
    canola: Mapping[str, Any] | None
    causes: Mapping[str, list[list[Any]]]
    extractors: Mapping[str, Measured] = field(default_factory=dict)
    versions: Mapping[str, str | None] = field(default_factory=dict)
    speed: Mapping[str, Mapping[str, Timed]] = field(default_factory=dict)
    times: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """Reads the folder of measured files. A missing or damaged file is a StageFileError when a table needs it."""

        def counts(name: str) -> Measured:
            own = measuring.read(folder / f"{name}.tsv")
            own.counts.update(measuring.read(folder / "trained" / f"{name}.tsv").counts)
            return own

        def versions() -> dict[str, str | None]:
            stored = (json_files.read(folder / "extractors" / f"{name}.json") for name in SETS)
            return {title: version for versions in stored for title, version in versions.items()}

        return cls(
            facts=Files(SETS, lambda name: SetFacts(**json_files.read(folder / f"{name}.json"))),
            measured=Files(SETS, counts),
            canola=Contents(lambda: json_files.read(folder / "canola.json")),
            causes=Files(CAUSE_SETS, lambda name: json_files.read(folder / f"causes_{name}.json")),
            extractors=Files(SETS, lambda name: measuring.read(folder / "extractors" / f"{name}.tsv")),
            versions=Contents(versions),
            speed=Files(SETS, lambda name: speed.read(folder / "speed" / f"{name}.tsv")),
            times=Contents(lambda: json_files.read(folder / "times.json")),
        )

    def cleaners(self) -> list[cleaners.CleanerRow]:
        """Returns all cleaners and public extractors, with what was measured of them."""
        return cleaners.rows(self.measured, self.extractors, self.speed)

    def changed(self, gold_set: str, change: str, system: str, measure: str, code: str = "en") -> list[Any] | None:
        """Returns the scores of a system with a change (causes.CHANGES), and their means over pages; or None."""
        key = [change, code, system, measure]
        return next((row[4:] for row in self.causes.get(gold_set, ()) if row[:4] == key), None)


def of_folder(results: Path) -> dict[str, Results]:
    """Returns the measurements below the folder of results, under the name ""."""
    return {"": Results.read(results / "evaluation" / "measured")}
