"""What is shown of failed jobs: the lines of their logs that a user needs, in place of Snakemake's own messages."""

import errno
import logging
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from corpusprep.jobs.retries import ERROR, OUT_OF_MEMORY

FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
#: In the error of a step that knows before it works that the disk will not do (dedup.resource_plans).
LITTLE_ROOM = "; free some space"
#: Bytes; a disk with fewer is full. Python writes 8 kB at once.
LEAST_ROOM = 64 << 10
#: In the error of `corpusprep show`.
EMPTY = ": the corpus is empty: "
#: Where a message of SLURM's executor says why a job was refused, or how it ended.
_REASONS = (
    re.compile(r"The error message was '(.+?)'\.?$", re.DOTALL | re.MULTILINE),
    re.compile(r"(status is: '\w+')"),
)
#: What Snakemake says at the end of a run with failed jobs; the failed jobs were shown before.
_GENERAL = ("Exiting because a job execution failed", "At least one job did not complete successfully")


def pass_on_reasons() -> None:
    """Lets the errors of the jobs of a group say why the group failed: Snakemake itself leaves that out.

    Without it, a group that SLURM refuses fails without a reason.
    """
    module = sys.modules.get("snakemake.jobs")
    if module is None:  # nothing is run
        return

    def log_error(group: Any, msg: str | None = None, aux_logs: list[str] | None = None, **options: Any) -> None:
        for job in sorted(group.jobs, key=lambda job: str(job.rule.name)):
            job.log_error(msg, indent=True, aux_logs=aux_logs, **options)

    module.GroupJob.log_error = log_error


def reason(message: str | None) -> str | None:
    """Returns in one line why SLURM refused a job, or how it ended; None if the message does not say."""
    found = next((match for pattern in _REASONS if (match := pattern.search(message or ""))), None)
    return None if found is None else " ".join(found[1].split())


def said_otherwise(record: logging.LogRecord, jobs_failed: bool, stopped: int | None) -> bool:
    """Returns whether an error of Snakemake's is shown in another way: a failed command, or the end of a run."""
    message = record.getMessage()
    if stopped and (record.levelno >= logging.ERROR or record.__dict__.get("event") == LogEvent.ERROR):
        return True
    if record.__dict__.get("exception") == "RuleException" and "CalledProcessError" in message:
        return True
    return jobs_failed and any(text in message for text in _GENERAL)


def own_line(message: str) -> str | None:
    """Returns the line of a message that is an error of this project's own; None if there is none."""
    own = [line.strip() for line in message.splitlines() if line.strip().startswith(ERROR)]
    return "\n".join(dict.fromkeys(own)) or None


def empty_corpora(lines: Sequence[str]) -> list[str]:
    """Returns what a log says of corpora without documents."""
    return [line.removeprefix(ERROR) for line in lines if line.startswith(ERROR) and EMPTY in line]


def is_disk_full(lines: Sequence[str]) -> bool:
    """Returns whether a log says that a disk, a quota or a limit of file sizes was reached."""
    return any(text in line for line in lines for text in (*FULL, LITTLE_ROOM))


def is_full(path: str) -> bool:
    """Returns whether the disk of a log is full: then a job cannot say why it failed."""
    try:
        disk = os.statvfs(Path(path).parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LEAST_ROOM


def shortened(lines: Sequence[str], most: int) -> list[str]:
    """Returns what a user needs of a log: the error of a command, or else the last lines."""
    own = [line for line in lines if line.startswith((ERROR, OUT_OF_MEMORY))]
    return own[-1:] or list(lines[-most:])
