"""Which failed jobs are tried again."""

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from corpusprep.jobs.retries import Retries

ERROR = "corpusprep: error: a.warc: damaged\n"
OUT_OF_MEMORY = "corpusprep: out of memory: the job was killed\n"


@dataclass(eq=False)
class Job:
    """A job of Snakemake's, as its scheduler has it."""

    jobid: int
    log: list[str]
    restart_times: int = 2
    _attempt: int = 1

    @property
    def attempt(self) -> int:
        """The number of the attempt."""
        return self._attempt

    def is_group(self) -> bool:
        """Returns whether it is a group."""
        return False


@dataclass(eq=False)
class Group(Job):
    """Jobs that are submitted as one."""

    jobs: list[Job] = field(default_factory=list)

    def is_group(self) -> bool:
        """Returns whether it is a group."""
        return True


class Snakemake:
    """Snakemake's logger and the jobs that its scheduler has started."""

    def __init__(self, running: list[Job]) -> None:
        self.logger = logging.Logger("snakemake")
        self.records: list[logging.LogRecord] = []
        handler = logging.Handler()
        handler.emit = self.records.append  # type: ignore[method-assign]
        self.logger.addHandler(handler)
        Retries(lambda: running).watch(self.logger)

    def start(self, job: Job) -> None:
        """Says that a job starts."""
        self.logger.info("", extra={"event": LogEvent.JOB_INFO, "jobid": job.jobid, "log": job.log})

    def fail(self, job: Job) -> dict[str, Any]:
        """Says that a job has failed; returns the fields of the record."""
        self.logger.error("", extra={"event": LogEvent.JOB_ERROR, "jobid": job.jobid, "log": job.log})
        return self.records[-1].__dict__


def made(folder: Path, number: int, text: str = "") -> Job:
    """A job, and its log if it has one."""
    path = folder / f"{number}.log"
    if text:
        path.write_text(text, encoding="utf-8")
    return Job(number, [str(path)])


def test_an_error_of_a_command_is_not_tried_again(tmp_path: Path) -> None:
    """Snakemake decides by the number of the attempt."""
    job = made(tmp_path, 1, ERROR)
    told = Snakemake([made(tmp_path, 2), job]).fail(job)
    assert job.attempt > job.restart_times
    assert told["tried_again"] is False
    assert told["lines"] == {job.log[0]: [ERROR.strip()]}


def test_a_killed_job_is_tried_again_until_the_last_attempt(tmp_path: Path) -> None:
    """With what its log says before it is removed for the next attempt."""
    job = made(tmp_path, 1, OUT_OF_MEMORY)
    snakemake = Snakemake([job])
    told = []
    for attempt in (1, 2, 3):
        job._attempt = attempt
        told.append(snakemake.fail(job))
    assert [fields["tried_again"] for fields in told] == [True, True, False]
    Path(job.log[0]).unlink()
    assert told[0]["lines"] == {job.log[0]: [OUT_OF_MEMORY.strip()]}


def test_a_log_that_was_there_before_the_job_is_not_its_own(tmp_path: Path) -> None:
    """A job of a cluster may end before it begins. A log that is written again is its own."""
    job = made(tmp_path, 1, ERROR)
    snakemake = Snakemake([job])
    snakemake.start(job)
    told = snakemake.fail(job)
    assert (told["tried_again"], told["lines"]) == (True, {job.log[0]: []})
    os.utime(job.log[0], ns=(1, 1))
    assert snakemake.fail(job)["tried_again"] is False


def test_the_jobs_of_a_group_have_the_same_attempts(tmp_path: Path) -> None:
    """An error in one of them ends all, but not if memory was short in another."""
    jobs = [made(tmp_path, 1), made(tmp_path, 2, ERROR), made(tmp_path, 3)]
    group = Group(0, [], jobs=jobs)
    snakemake = Snakemake([group])
    assert [snakemake.fail(job)["tried_again"] for job in jobs] == [False, False, False]
    group._attempt = 1
    made(tmp_path, 3, OUT_OF_MEMORY)
    assert [snakemake.fail(job)["tried_again"] for job in jobs] == [True, True, True]


def test_another_snakemake_tries_all_jobs_again(tmp_path: Path) -> None:
    """If its jobs are not made as expected, nothing fails."""
    job = made(tmp_path, 1, ERROR)
    told = Snakemake([object()]).fail(job)  # type: ignore[list-item]
    assert "tried_again" not in told
    assert told["lines"] == {job.log[0]: [ERROR.strip()]}
