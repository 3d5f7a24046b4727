"""Estimates what building a corpus takes: core hours, memory, disk and wall-clock time, per step.

The CPU time of a step is a start-up time per process and a rate per token, and a rate per token of chosen pages. They
were measured on corpora of four sizes (docs/measurements/scale.md) and stand in costs.tsv.
"""

import csv
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path

from corpusprep import pipeline
from corpusprep.errors import StageFileError
from corpusprep.jobs import resources as jobs
from corpusprep.pipeline import Scope, Settings, Step

#: What `make scale` measured: one row per step, in the order of the work.
COSTS = Path(__file__).with_name("costs.tsv")
#: Ends the name of a second row of a step: what is left of it where other steps share its work (Step.divides).
JOINED = " joined"
#: The steps of each row of costs.
STEPS: Mapping[str, tuple[Step, ...]] = {
    name: tuple(step for step in pipeline.STEPS.values() if step.cost == name)
    for name in dict.fromkeys(step.cost for step in pipeline.STEPS.values())
}


def _aside() -> frozenset[str]:
    names: set[str] = set()
    for name in reversed(tuple(STEPS)):
        written = {file for step in STEPS[name] for file in step.writes}
        readers = [
            step.cost
            for step in pipeline.STEPS.values()
            if step.cost != name and written.intersection(step.reads + step.implied)
        ]
        if name != "report" and names.issuperset(readers):
            names.add(name)
    return frozenset(names)


#: Rows of steps that no step waits for, but for steps that are such ones themselves; without the last step.
ASIDE = _aside()


@dataclass(slots=True, frozen=True)
class Cost:
    """What a step costs: CPU seconds and peak megabytes as lines in the tokens, and bytes that it writes per token."""

    step: str
    start_seconds: float  # per process
    seconds: float  # per million tokens
    start_megabytes: float
    megabytes: float  # per million tokens of the process
    bytes_per_token: float
    chosen_seconds: float = 0.0  # per million tokens of the pages that statistics choose (statistics/chosen_pages.py)


@dataclass(slots=True, frozen=True)
class StepForecast:
    """The estimate for one step."""

    step: str
    processes: int
    core_seconds: float
    memory_mb: int  # of its job
    disk_bytes: float
    wall_seconds: float
    spread: tuple[float, float] = (1.0, 1.0)  # the least and the most core time, in multiples of core_seconds

    @property
    def least_seconds(self) -> float:
        """The lower end of the range of core time."""
        return self.core_seconds * self.spread[0]

    @property
    def most_seconds(self) -> float:
        """The upper end of the range of core time."""
        return self.core_seconds * self.spread[1]

    @property
    def temporary(self) -> bool:
        """Whether its files are removed when they have been read."""
        return all(pipeline.is_temporary(step) for step in STEPS[self.step])

    @property
    def aside(self) -> bool:
        """Whether no other step waits for it, but for such steps; the last step is not such a one."""
        return self.step in ASIDE


def runs(row: str, corpus: Settings) -> bool:
    """Returns whether a corpus with these settings has a step of a row."""
    return any(step.runs(corpus) for step in STEPS[row.removesuffix(JOINED)])


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
    if unknown := [row.step for row in rows if row.step.removesuffix(JOINED) not in STEPS]:
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
    spreads: Mapping[str, tuple[float, float]] | None = None,
    parts: int = 1,
    pages: float | None = None,
) -> list[StepForecast]:
    """Estimates what a corpus takes.

    Args:
        costs: of the steps.
        tokens: in the vertical, before de-duplication.
        batches: number of batches, assumed to be equal.
        bundles: number of bundles, assumed to be equal.
        cores: number of processes at the same time; each uses one core.
        memory_mb: megabytes that a job asks for, by step.
        start_wall: seconds from the submission of a job to its start, on idle nodes of a cluster.
        spreads: the range of core time of steps, in multiples of the estimate.
        parts: number of parts of the corpus.
        pages: number of pages; None: no more than are chosen for statistics.
    """
    from corpusprep.statistics.chosen_pages import PAGES  # needs polars, which Snakemake's process does without

    chosen = tokens * min(1.0, PAGES / max(1.0, pages or 0.0))
    lines = []
    units = {Scope.BATCH: batches, Scope.BUNDLE: bundles, Scope.PART: parts, Scope.CORPUS: 1}
    rows = list(costs)
    joined = {row.step.removesuffix(JOINED) for row in rows if row.step.endswith(JOINED)}
    for cost in rows:
        name = cost.step.removesuffix(JOINED)
        steps = STEPS[name]
        # One of the two rows of a step whose work is shared; and no row of those that share it, if none does.
        if cost.step != name if parts == 1 else cost.step in joined:
            continue
        if parts == 1 and steps[0].divides:
            continue
        work = sum(units[step.scope] for step in steps)  # jobs, or processes that follow each other in one
        processes = sum(batches if step.process_per_batch else units[step.scope] for step in steps)
        seconds = cost.start_seconds * processes + (cost.seconds * tokens + cost.chosen_seconds * chosen) / 1e6
        wall = (start_wall + seconds / work) * math.ceil(work / cores)
        spread = (spreads or {}).get(cost.step, (1.0, 1.0))
        disk = cost.bytes_per_token * tokens
        lines.append(StepForecast(name, processes, seconds, memory_mb[name], disk, wall, spread))
    return lines


def together(parts: Sequence[Sequence[StepForecast]], cores: int) -> list[StepForecast]:
    """Returns the estimate for corpora that are made at the same time, from those for each of them.

    Args:
        parts: of each corpus, the steps in the same order; a corpus need not have all that the others have.
        cores: number of processes at the same time.
    """
    most = max(map(len, parts))
    by_step: dict[str, list[StepForecast]] = {line.step: [] for lines in parts if len(lines) == most for line in lines}
    for line in chain.from_iterable(parts):
        by_step.setdefault(line.step, []).append(line)
    return [
        StepForecast(
            step,
            sum(line.processes for line in lines),
            sum(line.core_seconds for line in lines),
            max(line.memory_mb for line in lines),
            sum(line.disk_bytes for line in lines),
            # All cores work, or all wait for the largest corpus.
            max(sum(line.core_seconds for line in lines) / cores, *(line.wall_seconds for line in lines)),
            lines[0].spread,
        )
        for step, lines in by_step.items()
    ]


def memory_by_step(
    batch_bytes: int, stored: int, memory: str | int, corpora: Collection[Settings] = ()
) -> dict[str, int]:
    """Returns the megabytes that the job of each step asks for.

    Args:
        batch_bytes: archives of the largest batch.
        stored: all archives.
        memory: the setting.
        corpora: the settings of the corpora of the run: their jobs have the steps that any of them has.
    """
    by_step = {}
    for name, steps in STEPS.items():
        job = pipeline.JOBS[steps[0].job].of_corpora(corpora)
        by_step[name] = jobs.job_memory_mb(job, stored if job.scope is Scope.CORPUS else batch_bytes, memory)
    return by_step


def total_wall(lines: Sequence[StepForecast]) -> float:
    """Returns the seconds from start to end.

    The steps follow each other. Those that no step waits for follow each other beside the later ones.
    """
    end = aside = 0.0
    for line in lines:
        if line.aside:
            aside = max(aside, end) + line.wall_seconds
        else:
            end += line.wall_seconds
    return max(end, aside)


def bottleneck(lines: Sequence[StepForecast]) -> StepForecast:
    """Returns the step that takes longest."""
    return max(lines, key=lambda line: line.wall_seconds)
