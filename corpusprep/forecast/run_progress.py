"""How far a run of the workflow is: the jobs that it has, what each works on, and the time that is left.

The time of a job is first estimated at the measured rates (costs.tsv). On one machine, the times of finished jobs
correct it: first for all steps alike, then for each step by its own jobs. On a cluster, a job may wait in the queue for
any time before it starts. There, only the pace counts: the work of all finished jobs per second since the first one was
submitted.
"""

import logging
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from corpusprep import pipeline
from corpusprep.forecast import costs as forecast
from corpusprep.pipeline import Job, Settings

#: Bytes of archives, as stored, per token of the vertical (docs/measurements/scale.md).
BYTES_PER_TOKEN = 15
#: Seconds of a job that is no step of the pipeline, such as a language model.
OTHER_SECONDS = 3.0
#: The function of Snakemake that starts jobs. When it logs, it holds no lock.
SCHEDULER = "schedule"


@dataclass(frozen=True, slots=True)
class Work:
    """A job.

    Attributes:
        label: what it does; the same for all jobs of a rule on a corpus.
        folder: the folder of its corpus; empty if it belongs to none.
        stored: bytes of the archives that it works on.
        seconds: estimated time.
    """

    label: str
    folder: str
    stored: int
    seconds: float


@dataclass
class StepProgress:
    """The jobs of a step on a corpus: numbers of jobs, and bytes of the archives that they work on."""

    label: str
    running: int = 0
    finished_bytes: int = 0
    bytes: int = 0


@dataclass
class Run:
    """The jobs of a run.

    Attributes:
        works: by the number of the job.
        cores: jobs at the same time.
        stored: bytes of the archives of all corpora.
        queued: whether jobs are submitted to the queue of a cluster. They count as running from then on.
        stopped: the signal that ended the run, if one did.
        running: seconds of time.monotonic() at which a job has started, by its number.
        finished: seconds that a job took, by its number.
        began: seconds of time.monotonic() at which the first job has started.
        planned: returns the jobs that are known now: more, once the pages of a crawl are divided by language.
    """

    works: Mapping[int, Work]
    cores: int
    stored: int
    queued: bool = False
    stopped: int | None = None
    running: dict[int, float] = field(default_factory=dict)
    finished: dict[int, float] = field(default_factory=dict)
    began: float | None = None
    planned: Callable[[], Mapping[int, Work]] | None = None

    def plan_again(self) -> None:
        """Takes the jobs that have become known; those that have finished stay."""
        if self.planned is not None:
            self.works = {**self.works, **self.planned()}

    def start(self, job: int) -> None:
        """Notes that a job has started."""
        self.running[job] = time.monotonic()
        if self.began is None:
            self.began = self.running[job]

    def end(self, job: int, *, failed: bool = False) -> None:
        """Notes that a job has ended."""
        started = self.running.pop(job, None)
        if started is not None and not failed:
            self.finished[job] = time.monotonic() - started

    def left(self) -> bool:
        """Returns whether there is more to do than to say that all is done."""
        return any(work.seconds and number not in self.finished for number, work in self.works.items())

    def share(self) -> float:
        """Returns the share of the work that is done, 0 to 1."""
        factors = self._factors()
        done, all_work = 0.0, 0.0
        for number, work in self.works.items():
            seconds = work.seconds * factors[work.label]
            all_work += seconds
            done += seconds if number in self.finished else min(self._elapsed(number), 0.9 * seconds)
        return done / all_work if all_work else 1.0

    def seconds_left(self) -> float:
        """Returns the time that is left: the steps follow each other, and the jobs of a step share the cores."""
        factors = self._factors()
        left: dict[str, list[float]] = defaultdict(list)
        for number, work in self.works.items():
            if number not in self.finished:
                seconds = work.seconds * factors[work.label]
                left[work.label].append(max(0.1 * seconds, seconds - self._elapsed(number)))
        pace, alone = self._pace() if self.queued else (self.cores, 1.0)
        return sum(max(sum(jobs) / pace, alone * max(jobs)) for jobs in left.values())

    def steps(self) -> list[StepProgress]:
        """Returns the steps with running jobs, in the order in which their first running jobs have started."""
        running = tuple(self.running)  # another thread may change it
        steps = {
            title: StepProgress(title)
            for number in running
            if number in self.works
            for title in [_title(self.works[number])]
        }
        for number, work in self.works.items():
            step = steps.get(_title(work))
            if step:
                step.bytes += work.stored
                step.running += number in self.running
                step.finished_bytes += work.stored * (number in self.finished)
        return [*steps.values()]

    def complete(self, folder: str) -> bool:
        """Returns whether all jobs of a corpus have finished; its summary is no part of it."""
        works = [number for number, work in self.works.items() if work.folder == folder and work.seconds]
        return all(number in self.finished for number in works)

    def watch_signals(self, logger: logging.Logger) -> None:
        """Notes signals that end the run, for what is shown of it. Call it in the main thread.

        SIGTERM keeps Snakemake's meaning: no job starts any more, and the run ends when those that run have finished.
        Ctrl-C does the same and then ends Snakemake with SystemExit, for which it has jobs of a cluster cancelled; jobs
        on this machine have had the signal from the terminal.

        The exception is raised where the scheduler logs something. Elsewhere, it could leave a lock locked for ever, or
        an event loop that waits for ever: about one run in 70 did not end when its scheduler was busy at the moment of
        the signal.

        Args:
            logger: Snakemake's.
        """
        finish: Any = signal.getsignal(signal.SIGTERM)

        def end(number: int, frame: object) -> None:
            self.stopped = number
            if not callable(finish):
                raise SystemExit(128 + number)
            # Snakemake's takes a lock that the main thread may hold at this moment: here it would wait for ever.
            threading.Thread(target=finish, args=(number, frame)).start()

        def interrupt(record: logging.LogRecord) -> bool:
            in_main = threading.current_thread() is threading.main_thread()
            if self.stopped == signal.SIGINT and in_main and record.funcName == SCHEDULER:
                logger.removeFilter(interrupt)
                raise SystemExit(128 + signal.SIGINT)
            return True

        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in the background of a script
            signal.signal(signal.SIGINT, end)
            logger.addFilter(interrupt)
        signal.signal(signal.SIGTERM, end)

    def _pace(self) -> tuple[float, float]:
        """Returns the estimated seconds done per second, and the least seconds that a job took per estimated one."""
        paces = [
            (work.seconds, seconds)
            for number, seconds in tuple(self.finished.items())  # another thread may add to it
            if (work := self.works.get(number)) and work.seconds
        ]
        if not paces or self.began is None:
            return self.cores, 1.0
        done, elapsed = sum(estimated for estimated, _ in paces), time.monotonic() - self.began
        return done / max(elapsed, 0.1), min(seconds / estimated for estimated, seconds in paces)

    def _elapsed(self, number: int) -> float:
        """Returns for how long a job has worked; 0 on a cluster, where it may still wait."""
        started = None if self.queued else self.running.get(number)
        return time.monotonic() - started if started is not None else 0.0

    def _factors(self) -> dict[str, float]:
        """Returns measured over estimated time, by label; 1 on a cluster."""
        labels = {work.label for work in self.works.values()}
        if self.queued:
            return dict.fromkeys(labels, 1.0)
        estimated: dict[str, float] = defaultdict(float)
        measured: dict[str, float] = defaultdict(float)
        for number, seconds in tuple(self.finished.items()):  # another thread may add to it
            work = self.works.get(number)
            if work:
                for label in (work.label, ""):
                    estimated[label] += work.seconds
                    measured[label] += seconds
        known = {label: measured[label] / estimated[label] for label in estimated if estimated[label]}
        return {label: known.get(label, known.get("", 1.0)) for label in labels}


def job_seconds(job: Job, stored: int, batches: int) -> float:
    """Returns the estimated seconds of a job on archives of `stored` bytes in that many batches."""
    costs = _costs()
    tokens = stored / BYTES_PER_TOKEN
    return sum(
        cost.start_seconds * (batches if step.process_per_batch else 1) + cost.seconds * tokens / 1e6
        for step in job.steps
        if (cost := costs.get(step.cost))
    )


def work(rule: str, folder: str, batch_bytes: list[int], corpus: Settings | None = None) -> Work:
    """Returns what a job works on.

    Args:
        rule: its rule.
        folder: of its corpus, if it has one.
        batch_bytes: bytes of the archives of each of its batches.
        corpus: the settings of the corpus; None: all steps of the job count.
    """
    job = pipeline.JOBS.get(rule)
    if job is None:
        seconds = 0.0 if rule in ("all", "summary") else OTHER_SECONDS
        return Work(rule.replace("_", " ").capitalize(), folder, 0, seconds)
    job = job.of_corpora([corpus]) if corpus else job
    stored = sum(batch_bytes)
    return Work(job.label, folder, stored, max(0.1, job_seconds(job, stored, len(batch_bytes))))


_costs = cache(forecast.load_costs)


def _title(work: Work) -> str:
    return f"{work.label} of {work.folder}" if work.folder else work.label
