"""Compares a forecast with what a finished run took, step by step: the CPU seconds of all processes of a step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.forecast.costs import STEPS, StepForecast
from corpusprep.io.times import read_files

#: Steps that took less are not judged by themselves: start-up is most of their time.
LEAST_SECONDS = 0.5
#: How far a close forecast is from what a step took, at most.
CLOSE = 0.2
ROW = "{:<22} {:>10} {:>18} {:>10} {:>6}  {}"


@dataclass(slots=True, frozen=True)
class Compared:
    """A step's forecast, and what it took."""

    line: StepForecast
    seconds: float

    @property
    def ratio(self) -> float:
        """The forecast as a multiple of what the step took."""
        return self.line.core_seconds / self.seconds if self.seconds else 1.0

    @property
    def within(self) -> bool:
        """Whether what it took lies in the range of the forecast."""
        return self.line.least_seconds <= self.seconds <= self.line.most_seconds


def taken(folder: Path) -> Mapping[str, float]:
    """Returns the CPU seconds that each step of a finished corpus took, by the rows of costs.

    Raises:
        ConfigError: the folder has no times of a run.
    """
    seconds: dict[str, float] = {}
    for name, steps in STEPS.items():
        patterns = {step.times.glob for step in steps}
        if paths := {path for pattern in patterns for path in folder.glob(pattern)}:
            seconds[name] = read_files(sorted(paths)).cpu_seconds
    if not seconds:
        raise ConfigError(f"{folder}: no times of a finished run; build the corpus first, then compare")
    return seconds


def compare(lines: Iterable[StepForecast], seconds: Mapping[str, float]) -> list[Compared]:
    """Pairs the steps of a forecast with what they took; a step that did not run is left out."""
    return [Compared(line, seconds[line.step]) for line in lines if line.step in seconds]


def table(compared: Sequence[Compared]) -> list[str]:
    """Returns the comparison as lines, each at most 80 characters long."""
    rows = [ROW.format("step", "forecast", "range", "took", "ratio", "")]
    for step in compared:
        mark = "" if step.within or step.seconds < LEAST_SECONDS else "outside"
        rows.append(_row(step.line.step, step.line, step.seconds, mark))
    whole = StepForecast(
        "in all",
        sum(step.line.processes for step in compared),
        total := sum(step.line.core_seconds for step in compared),
        memory_mb=0,
        disk_bytes=0.0,
        wall_seconds=0.0,
        spread=(
            sum(step.line.least_seconds for step in compared) / total,
            sum(step.line.most_seconds for step in compared) / total,
        ),
    )
    rows.append(_row(whole.step, whole, sum(step.seconds for step in compared), ""))
    judged = [step for step in compared if step.seconds >= LEAST_SECONDS]
    good = sum(step.within for step in judged)
    close = sum(1 - CLOSE <= step.ratio <= 1 + CLOSE for step in judged)
    rows.append(
        f"Steps that took {LEAST_SECONDS} s or more: {len(judged)}. In the range: {good}. Within {CLOSE:.0%}: {close}."
    )
    return [row.rstrip() for row in rows]


def _row(name: str, line: StepForecast, seconds: float, mark: str) -> str:
    ratio = f"{line.core_seconds / seconds:.2f}" if seconds else ""
    between = f"{line.least_seconds:,.1f} to {line.most_seconds:,.1f} s"
    return ROW.format(name, f"{line.core_seconds:,.1f} s", between, f"{seconds:,.1f} s", ratio, mark)
