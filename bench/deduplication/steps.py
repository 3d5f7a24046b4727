"""Runs steps on a corpus, one process per job, and adds up what they used."""

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import running

from corpusprep.archive.batches import batch_names
from corpusprep.io.times import read_times
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table


@dataclass(slots=True, frozen=True)
class StepTimes:
    """What a step used in all batches: seconds, and megabytes of its largest process."""

    step: str
    cpu_seconds: float
    wall_seconds: float
    peak_megabytes: float


def run(
    steps: Iterable[tuple[str, list[list[str]]]], programs: Mapping[str, Sequence[str]] | None = None
) -> list[StepTimes]:
    """Runs the steps, each with the command lines of its jobs.

    Args:
        steps: the steps by name.
        programs: what Python runs in place of corpusprep, by the name of the step.

    Raises:
        CommandError: a job failed.
    """
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    found = []
    for step, lines in steps:
        with tempfile.TemporaryDirectory() as times:
            for number, line in enumerate(lines):
                program = (programs or {}).get(step, ["-m", "corpusprep"])
                timed = [sys.executable, *program, "--times", f"{times}/{number}.tsv", *line]
                running.run(timed, environment=environment)
            total = read_times(Path(times))
        found.append(StepTimes(step, total.cpu_seconds, total.wall_seconds, total.peak_memory_mb))
    return found


def tokens_of(folder: Path) -> int:
    """Returns the number of tokens in a corpus's verticals."""
    tables = (folder / "tokens" / f"{name}.parquet" for name in batch_names(folder / "batches.tsv"))
    return sum(int(read_table(path, schemas.TOKENS, ["tokens"])["tokens"].sum()) for path in tables)


def show(times: list[StepTimes], tokens: int) -> None:
    """Prints what each step used, and the total."""
    for step in times:
        print(f"{step.step:<11} {step.cpu_seconds:9.2f} s CPU {step.wall_seconds:9.2f} s {step.peak_megabytes:8.0f} MB")
    cpu, wall = sum(step.cpu_seconds for step in times), sum(step.wall_seconds for step in times)
    print(f"{tokens:,} tokens in {cpu:.1f} s CPU, {wall:.1f} s: {tokens / cpu / 1e6:.1f} M tokens per CPU second")
