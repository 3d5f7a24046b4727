"""Estimates what building a corpus takes: core hours, memory, disk and wall-clock time, per step.

The CPU time of a step is a start-up time per process and a rate per token. Both were measured on corpora of four sizes
(docs/measurements/scale.md) and stand in costs.tsv.
"""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from corpusprep import pipeline
from corpusprep.errors import StageFileError
from corpusprep.pipeline import Scope, Step
from corpusprep.planning import jobs

#: What `make scale` measured: one row per step, in the order of the work.
COSTS = Path(__file__).with_name("costs.tsv")
#: The steps of each row of costs.
STEPS: Mapping[str, tuple[Step, ...]] = {
    name: tuple(step for step in pipeline.STEPS.values() if step.cost == name)
    for name in dict.fromkeys(step.cost for step in pipeline.STEPS.values())
}


@dataclass(slots=True, frozen=True)
class Cost:
    """What a step costs: CPU seconds and peak megabytes as lines in the tokens, and bytes that it writes per token."""

    step: str
    start_seconds: float  # per process
    seconds: float  # per million tokens
    start_megabytes: float
    megabytes: float  # per million tokens of the process
    bytes_per_token: float


@dataclass(slots=True, frozen=True)
class Line:
    """The estimate for one step."""

    step: str
    processes: int
    core_seconds: float
    memory_mb: int  # of its job
    disk_bytes: float
    wall_seconds: float

    @property
    def temporary(self) -> bool:
        """Whether its files are removed when they have been read."""
        return all(step.temporary for step in STEPS[self.step])


def load_costs(path: Path = COSTS) -> dict[str, Cost]:
    """Reads the costs by step.

    Raises:
        StageFileError: the table is damaged.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [
                Cost(row["step"], *(float(row[field.name]) for field in fields(Cost)[1:]))
                for row in csv.DictReader(file, delimiter="\t")
            ]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise StageFileError(f"{path}: not a table of costs: {error}") from None
    if unknown := [row.step for row in rows if row.step not in STEPS]:
        raise StageFileError(f"{path}: {unknown[0]}: no such step")
    return {row.step: row for row in rows}


def forecast(
    costs: Iterable[Cost],
    tokens: float,
    batches: int,
    bundles: int,
    cores: int,
    memory_mb: Mapping[str, int],
    start_wall: float = 0.0,
) -> list[Line]:
    """Estimates what a corpus takes.

    Args:
        costs: of the steps.
        tokens: in the vertical, before de-duplication.
        batches: number of batches, assumed to be equal.
        bundles: number of bundles, assumed to be equal.
        cores: number of processes at the same time; each uses one core.
        memory_mb: megabytes that a job asks for, by step.
        start_wall: seconds from the submission of a job to its start, on idle nodes of a cluster.
    """
    lines = []
    for cost in costs:
        steps = STEPS[cost.step]
        units = {Scope.BATCH: batches, Scope.BUNDLE: bundles, Scope.CORPUS: 1}
        work = sum(units[step.scope] for step in steps)  # jobs, or processes that follow each other in one
        processes = sum(batches if step.process_per_batch else units[step.scope] for step in steps)
        seconds = cost.start_seconds * processes + cost.seconds * tokens / 1e6
        wall = (start_wall + seconds / work) * math.ceil(work / cores)
        lines.append(Line(cost.step, processes, seconds, memory_mb[cost.step], cost.bytes_per_token * tokens, wall))
    return lines


def memory_by_step(batch_bytes: int, memory: str | int) -> dict[str, int]:
    """Returns the megabytes that the job of each step asks for.

    Args:
        batch_bytes: archives of the largest batch.
        memory: the setting.
    """
    return {name: jobs.job_memory_mb(pipeline.JOBS[steps[0].job], batch_bytes, memory) for name, steps in STEPS.items()}


def total_wall(lines: Sequence[Line]) -> float:
    """Returns the seconds from start to end; the steps follow each other."""
    return sum(line.wall_seconds for line in lines)


def peak_disk(lines: Sequence[Line]) -> float:
    """Returns the most bytes on disk, if temporary files are removed only at the end."""
    return sum(line.disk_bytes for line in lines)


def bottleneck(lines: Sequence[Line]) -> Line:
    """Returns the step that takes longest."""
    return max(lines, key=lambda line: line.wall_seconds)
