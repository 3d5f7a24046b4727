"""Which failed jobs are tried again: those that were killed. An error that a command has reported would come again.

Snakemake tries any failed job again, and removes its log before. What shows the run works in a thread of its own: it
would look for a log that is gone. So logs are read at the moment at which Snakemake says that a job has failed, before
it decides what to do.
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

#: What the errors of the command line begin with.
ERROR = "corpusprep: error: "
#: What they begin with where memory is short (jobs.resources, commands.application).
OUT_OF_MEMORY = "corpusprep: out of memory"


class Retries:
    """Ends the retries of jobs that have reported an error, and passes on what the logs of failed jobs say.

    The record of a failed job gets two fields: `lines`, the lines of each log by its path, and `tried_again`, whether
    the job has another attempt.
    """

    def __init__(self, running: Callable[[], Iterable[Any]]) -> None:
        """Retries of the jobs and groups that `running` returns: those that Snakemake's scheduler has started."""
        self._running = running
        self._before: dict[tuple[int, str], tuple[int, int]] = {}

    def watch(self, logger: logging.Logger) -> None:
        """Looks at the records of Snakemake's logger, in the threads that they come from."""
        logger.addFilter(self._see)

    def _see(self, record: logging.LogRecord) -> bool:
        fields = record.__dict__
        event = getattr(fields.get("event"), "name", "")
        if event == "JOB_INFO":
            # A job of a cluster that ends before it begins leaves the log of an earlier attempt or run.
            for path in map(str, fields.get("log") or ()):
                if version := _version(path):
                    self._before[fields["jobid"], path] = version
        elif event == "JOB_ERROR":
            number = fields.get("jobid", -1)
            fields["lines"] = {path: self._lines(number, path) for path in map(str, fields.get("log") or ())}
            with contextlib.suppress(AttributeError):  # not the Snakemake that is known: it tries all jobs again
                fields["tried_again"] = self._decide(number)
        return True

    def _decide(self, number: int) -> bool:
        """Returns whether a job has another attempt, after it was decided; the jobs of a group share theirs.

        A group in which another job was short of memory has one.
        """
        for job in tuple(self._running()):
            jobs = list(job.jobs) if job.is_group() else [job]
            if number not in [running.jobid for running in jobs]:
                continue
            lines = [line for running in jobs for path in running.log for line in self._lines(running.jobid, str(path))]
            if is_final(lines) and not is_out_of_memory(lines):
                # Not by the property: it would forget the resources that the job still has to give back.
                job._attempt = job.restart_times + 1
            return bool(job.attempt <= job.restart_times)
        return False

    def _lines(self, number: int, path: str) -> list[str]:
        """Returns the lines that this attempt of a job has written into a log."""
        old = self._before.get((number, path))
        return [] if old is not None and old == _version(path) else read_lines(Path(path))


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a log; none if it was not written."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def is_final(lines: Sequence[str]) -> bool:
    """Returns whether a log has an error that the next attempt would have, too."""
    return any(line.startswith(ERROR) for line in lines)


def is_out_of_memory(lines: Sequence[str]) -> bool:
    """Returns whether a log says that memory was short."""
    return any(line.startswith(OUT_OF_MEMORY) for line in lines)


def _version(path: str) -> tuple[int, int] | None:
    """Returns what tells a file from a later one of the same name; None if there is none."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
