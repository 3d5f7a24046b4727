"""Runs steps on a corpus, one process a job, and adds up what they took."""

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from corpusprep.archive.batches import batch_names
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table


@dataclass(slots=True, frozen=True)
class Used:
    """What a step took in all batches: seconds of CPU time, and megabytes of its largest process."""

    step: str
    cpu_seconds: float
    wall_seconds: float
    peak_megabytes: float


def run(steps: Iterable[tuple[str, list[list[str]]]], folder: Path) -> list[Used]:
    """Runs the steps, each with the command lines of its jobs; `folder` takes their times."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    times, found = folder / "times.tsv", []
    for step, lines in steps:
        used = []
        for line in lines:
            command = [sys.executable, "-m", "corpusprep", "--times", str(times), *line]
            subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
            used.append([float(value) for value in times.read_text(encoding="utf-8").split()[-3:]])
        wall, cpu, peak = zip(*used, strict=True)
        found.append(Used(step, sum(cpu), sum(wall), max(peak)))
    times.unlink(missing_ok=True)
    return found


def tokens_of(folder: Path) -> int:
    """Tokens of a corpus's verticals."""
    return sum(
        read_table(folder / "tokens" / f"{name}.parquet", schemas.TOKENS, ["tokens"])["tokens"].sum()
        for name in batch_names(folder / "batches.tsv")
    )


def show(used: list[Used], tokens: int) -> None:
    """Prints what each step took, and all of them together."""
    for step in used:
        print(f"{step.step:<11} {step.cpu_seconds:9.2f} s CPU {step.wall_seconds:9.2f} s {step.peak_megabytes:8.0f} MB")
    cpu, wall = sum(step.cpu_seconds for step in used), sum(step.wall_seconds for step in used)
    print(f"{tokens:,} tokens in {cpu:.1f} s CPU, {wall:.1f} s: {tokens / cpu / 1e6:.1f} M tokens a CPU s")
