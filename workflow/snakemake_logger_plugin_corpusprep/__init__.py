"""Shows how a run of the workflow proceeds: a bar on a terminal, elsewhere one plain line per finished job.

A Snakemake logger plugin, installed as `snakemake_logger_plugin_corpusprep`. It selects Snakemake's records by their
event and level. Those without an event tell how a run was set up. They are in the complete log of every run, in
.snakemake/log.
"""

import logging
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from snakemake.logging import DefaultFilter, DefaultFormatter
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_corpusprep import mistakes

LINES_OF_A_FAILED_LOG = 20


@dataclass
class _Run:
    """What is known of a run before its first job."""

    before: list[str] = field(default_factory=list)  # Snakemake's messages before it
    started: bool = False
    has_jobs: bool = False
    has_problems: bool = False


class LogHandler(LogHandlerBase):
    """Shows jobs by their rules' messages, and errors in full."""

    def __post_init__(self) -> None:
        self._jobs: dict[int, tuple[str, float]] = {}
        self._tasks: dict[int, TaskID] = {}
        self._done = self._total = 0
        self._failed: set[int] = set()
        self._run = _Run()
        self._console = Console(stderr=not self.common_settings.stdout, highlight=False, soft_wrap=True)
        self._progress: Progress | None = None
        self._overall: TaskID | None = None
        settings = self.common_settings
        self._fallback = DefaultFormatter(settings.quiet, settings.show_failed_logs)
        self._usual = DefaultFilter(
            settings.quiet, settings.debug_dag, settings.verbose, settings.dryrun, settings.printshellcmds
        )

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = False
    needs_rulegraph = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether a record is used: as usual, but a quiet dry run shows only how many jobs there are."""
        event = record.__dict__.get("event")
        if self._quiet_dry_run():
            return event in (LogEvent.WORKFLOW_STARTED, LogEvent.RUN_INFO) or record.levelno >= logging.WARNING
        return event == LogEvent.WORKFLOW_STARTED or bool(self._usual.filter(record))

    def emit(self, record: logging.LogRecord) -> None:
        """Shows one of Snakemake's records."""
        try:
            self._emit(record)
        except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._console.file.fileno())
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Removes the bar from the screen, and says so if there was nothing to do."""
        self._stop_bar()
        run, self._run = self._run, _Run()
        if not run.has_jobs and not run.has_problems and Quietness.ALL not in (self.common_settings.quiet or ()):
            # Either everything was done before, or it was a command that runs nothing, such as --unlock.
            for message in ["Nothing to be done: all files are up to date."] if run.started else run.before:
                self._print(message)
        super().close()

    def _quiet_dry_run(self) -> bool:
        settings = self.common_settings
        return bool(settings.dryrun and {Quietness.PROGRESS, Quietness.RULES} <= set(settings.quiet or ()))

    def _emit(self, record: logging.LogRecord) -> None:
        fields = record.__dict__
        event = fields.get("event")
        if event in (LogEvent.RUN_INFO, LogEvent.JOB_INFO):
            self._run.has_jobs = True
        if event == LogEvent.ERROR or record.levelno >= logging.WARNING:
            self._run.has_problems = True
        if event == LogEvent.WORKFLOW_STARTED:
            self._run.started = True
            self._run.before.clear()
        elif event == LogEvent.JOB_ERROR:
            self._job_failed(fields)
        elif event == LogEvent.ERROR and not self._run.started and (line := mistakes.one_line(record.getMessage())):
            self._print(line)
        elif event == LogEvent.ERROR or record.levelno >= logging.WARNING:
            self._print(self._fallback.format(record))
        elif not self._run.started and event is None and record.levelno >= logging.INFO:
            self._run.before.append(str(record.msg or "").strip())
        elif self.common_settings.dryrun:
            self._print(self._fallback.format(record))
        elif event == LogEvent.RUN_INFO:
            self._total = fields["stats"]["total"]
            self._start_bar()
        elif event == LogEvent.JOB_INFO:
            self._job_started(fields)
        elif event == LogEvent.JOB_FINISHED:
            self._job_finished(fields["job_id"])
        elif event == LogEvent.PROGRESS:
            self._done, self._total = fields["done"], fields["total"]
            self._advance()

    def _start_bar(self) -> None:
        if not self._console.is_terminal or self._progress is not None or self.common_settings.quiet:
            return
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._progress.start()
        self._overall = self._progress.add_task("corpusprep: jobs", total=self._total)

    def _advance(self) -> None:
        if self._progress is not None and self._overall is not None:
            self._progress.update(self._overall, completed=self._done, total=self._total)
        if self._done == self._total:
            self._stop_bar()

    def _stop_bar(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _job_started(self, fields: dict[str, Any]) -> None:
        job = fields["jobid"]
        name = fields.get("rule_msg") or fields.get("rule_name") or f"job {job}"
        self._jobs[job] = (name, time.monotonic())
        if self._progress is not None and not fields.get("local", False):
            width = max(20, self._console.width - 45)
            short = name if len(name) <= width else name[: width - 1] + "…"
            self._tasks[job] = self._progress.add_task(short, total=None)

    def _job_finished(self, job: int) -> None:
        name, started = self._jobs.pop(job, ("", 0.0))
        self._remove_task(job)
        if name and self._progress is None and name != "all":
            self._print(f"[{self._done + 1}/{self._total}] {name} ({time.monotonic() - started:.1f} s)")

    def _job_failed(self, fields: dict[str, Any]) -> None:
        job = fields.get("jobid", -1)
        self._remove_task(job)
        if job in self._failed:
            return
        self._failed.add(job)
        name = self._jobs.pop(job, (fields.get("rule_name", "a job"), 0.0))[0]
        self._print(f"Failed: {name}")
        for path in fields.get("log") or ():
            self._print_log(str(path))

    def _print_log(self, path: str) -> None:
        self._print(f"  log: {path}")
        try:
            lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = ["(no log was written)"]
        for line in lines[-LINES_OF_A_FAILED_LOG:]:
            self._print(f"  | {line}")

    def _remove_task(self, job: int) -> None:
        if self._progress is not None and job in self._tasks:
            self._progress.remove_task(self._tasks.pop(job))

    def _print(self, text: str) -> None:
        if not text.strip():
            return
        if self._progress is not None:
            self._console.print(text, markup=False)
        else:  # a dry run prints tens of thousands of lines, and rich takes longer per line than Snakemake per job
            print(text, file=self._console.file, flush=True)
