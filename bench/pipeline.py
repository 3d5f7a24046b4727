"""Whole stages, archive to vertical, one process each: CPU seconds and peak memory, start-up included."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep import languages
from corpusprep.archive import batches
from corpusprep.pipeline import STEPS

STAGES = tuple(step.name for step in STEPS.values() if step.sampled)
LANGUAGE = "en"
PLAN = "batches.tsv"


@dataclass(slots=True, frozen=True)
class Used:
    """What one process took."""

    stage: str
    cpu_seconds: float
    peak_megabytes: float


def prepare(folder: Path, archives: Sequence[Path]) -> None:
    """What stands before the stages: the plan of one batch, and the models of the language and its rivals."""
    batches.write_batches(batches.plan(archives, 1 << 40), folder / PLAN)
    for code in (LANGUAGE, *languages.get(LANGUAGE).rivals):
        languages.save(languages.get(code), folder / f"{code}.model")


def run(folder: Path) -> Iterator[Used]:
    """Runs the stages on the batch that was prepared in `folder`."""
    (batch,) = batches.read_batches(folder / PLAN)
    told = {
        "archives": [word for path in batch.archives for word in ("--archive", str(path))],
        "model": ["--model", f"{LANGUAGE}.model"],
        "rivals": [word for code in languages.get(LANGUAGE).rivals for word in ("--rival", f"{code}.model")],
    }
    for stage in STAGES:
        options = [word for name in STEPS[stage].takes for word in told[name]]
        command = ["--times", f"{stage}.tsv", stage, "--corpus-dir", ".", "--batch", batch.name, *options]
        yield _used(stage, [sys.executable, "-m", "corpusprep", *command], folder)


def _used(stage: str, command: Sequence[str], folder: Path) -> Used:
    process = subprocess.Popen(command, cwd=folder, env=_environment(folder), stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with {process.returncode}")
    # Not ru_maxrss, which is this process's own at first.
    names, values = (line.split("\t") for line in (folder / f"{stage}.tsv").read_text(encoding="utf-8").splitlines())
    peak = float(dict(zip(names, values, strict=True))["peak_memory_mb"])
    return Used(stage, usage.ru_utime + usage.ru_stime, peak)


def start_up(folder: Path) -> float:
    """CPU seconds of one process for each stage that only loads Python and the libraries that the stage needs.

    Args:
        folder: where they run; not in a clone of the project, whose package has no kernels.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for stage in STAGES:
        command = [sys.executable, "-m", "corpusprep", stage, "--help"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=_environment(folder))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(folder: Path) -> dict[str, str]:
    """One thread; and Python code is compiled once, as it is for an installed package, whatever is set for this one."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "POLARS_MAX_THREADS": "1"}
