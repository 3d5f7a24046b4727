"""What a terminal shows while a run works: a bar, the time that is left, and the steps that run now."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from corpusprep.forecast.run_progress import Run, StepProgress

BAR_WIDTH = 18
#: The most steps that are shown.
MOST_STEPS = 8
#: Each refresh looks at all jobs of the run.
REFRESHES_PER_SECOND = 2


def bytes_text(number: float) -> str:
    """Returns a size with its unit, in powers of 1000."""
    units = ["B", "kB", "MB", "GB", "TB"]
    while number >= 999.5 and units[1:]:
        number /= 1000
        del units[0]
    return (
        f"{number:.0f} {units[0]}"
        if units[0] == "B"
        else f"{number:.{2 - (number >= 10) - (number >= 100)}f} {units[0]}"
    )


def duration_text(seconds: float) -> str:
    """Returns a time with its unit, as exact as a glance needs it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def left_text(run: "Run") -> str:
    """Returns the time that is left; tens of seconds are the most exact that it is known."""
    seconds = run.seconds_left()
    if seconds < 10:
        return "a few seconds left"
    return f"about {duration_text(seconds if seconds >= 90 else round(seconds, -1))} left"


class Bar:
    """The lines at the bottom of a terminal.

    Args:
        console: the terminal.
        done: gives the numbers of jobs that have finished, and of all jobs.
        run: gives what is known of the jobs of this workflow; None for another workflow.
    """

    def __init__(self, console: Console, done: Callable[[], tuple[int, int]], run: "Callable[[], Run | None]") -> None:
        self._console, self._done, self._run = console, done, run
        self._started = time.monotonic()
        self._live = Live(
            get_renderable=self.lines, console=console, transient=True, refresh_per_second=REFRESHES_PER_SECOND
        )

    def start(self) -> None:
        """Shows the lines."""
        self._live.start()

    def stop(self) -> None:
        """Removes the lines."""
        self._live.stop()

    def lines(self) -> Group:
        """Returns the lines."""
        done, total = self._done()
        run = self._run()
        share = run.share() if run else done / max(total, 1)
        parts = [f"{100 * share:.0f} %", f"{done}/{total} jobs", duration_text(time.monotonic() - self._started)]
        if run and run.stored:
            parts[0] += f" of {bytes_text(run.stored)}"
        if run and run.stopped:
            parts.append("stopping")
        elif run and done:
            parts.append(left_text(run))
        head = Table.grid(padding=(0, 1))
        head.add_row(ProgressBar(total=1.0, completed=share, width=BAR_WIDTH), _one_line(", ".join(parts)))
        steps = run.steps() if run else []
        shown = [_one_line(f"  {text}") for text in map(self._step_text, steps[:MOST_STEPS])]
        if len(steps) > MOST_STEPS:
            shown.append(_one_line(f"  … and {len(steps) - MOST_STEPS} more steps"))
        return Group(head, *shown)

    @staticmethod
    def _step_text(step: "StepProgress") -> str:
        amount = f" {bytes_text(step.finished_bytes)} of {bytes_text(step.bytes)} done" if step.bytes else ""
        jobs = f" {step.running} jobs," if step.running > 1 else ""
        return f"{step.label}{':' if amount or jobs else ''}{jobs}{amount}".rstrip(",")


def _one_line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")
