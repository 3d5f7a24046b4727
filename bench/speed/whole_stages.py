"""Runs whole stages from archive to vertical, one process each: CPU seconds and peak memory, with start-up."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import running

from corpusprep import languages
from corpusprep.archive import batches
from corpusprep.forecast.sample_run import BEFORE
from corpusprep.io.times import read_times
from corpusprep.pipeline import STEPS

#: Not those that only some settings ask for.
STAGES = tuple(step.name for step in STEPS.values() if step.sampled and step not in BEFORE)
LANGUAGE = "en"
PLAN = "batches.tsv"


@dataclass(slots=True, frozen=True)
class Process:
    """What the process of one stage used."""

    stage: str
    cpu_seconds: float
    peak_megabytes: float


def prepare(folder: Path, archives: Sequence[Path]) -> None:
    """Writes what the stages need first: the plan of one batch, and the models of the language and its rivals."""
    batches.write_batches(batches.plan(archives, 1 << 40), folder / PLAN)
    for code in (LANGUAGE, *languages.get(LANGUAGE).rivals):
        languages.save(languages.get(code), folder / f"{code}.model")


def run(folder: Path) -> Iterator[Process]:
    """Runs the stages on the batch that `prepare` planned in `folder`."""
    (batch,) = batches.read_batches(folder / PLAN)
    inputs = {
        "archives": [word for path in batch.archives for word in ("--archive", str(path))],
        "model": ["--model", f"{LANGUAGE}.model"],
        "rivals": [word for code in languages.get(LANGUAGE).rivals for word in ("--rival", f"{code}.model")],
    }
    for stage in STAGES:
        (folder / "times" / stage).mkdir(parents=True, exist_ok=True)
        options = [word for name in STEPS[stage].takes for word in inputs[name]]
        command = ["--times", f"times/{stage}/job.tsv", "step", stage, ".", "--batch", batch.name, *options]
        usage = running.run_corpusprep(command, folder, _environment(folder))
        # The peak is the process's own account: ru_maxrss starts with the peak of the process that started it.
        yield Process(stage, usage.ru_utime + usage.ru_stime, read_times(folder / "times" / stage).peak_memory_mb)


def start_up(folder: Path) -> float:
    """Returns the CPU seconds of one process per stage that only loads Python and the stage's libraries."""
    started = [running.run_corpusprep(["step", stage, "--help"], folder, _environment(folder)) for stage in STAGES]
    return sum(usage.ru_utime + usage.ru_stime for usage in started)


def _environment(folder: Path) -> dict[str, str]:
    """Returns variables for one thread, and for Python code that is compiled once, as in an installed package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "POLARS_MAX_THREADS": "1"}
