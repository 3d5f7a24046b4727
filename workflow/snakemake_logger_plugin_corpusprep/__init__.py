"""Shows how a run of the workflow proceeds: a bar on a terminal, elsewhere one plain line per finished job.

A Snakemake logger plugin, installed as `snakemake_logger_plugin_corpusprep`. It selects Snakemake's records by their
event and level. Those without an event tell how a run was set up. They are in the complete log of every run, in
.snakemake/log. Two records are this workflow's own: what `all` is made of (`corpora`), and the jobs of the run (`run`).
"""

import logging
import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snakemake.logging import DefaultFilter, DefaultFormatter
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from corpusprep.io.console import Console
from corpusprep.jobs.retries import ERROR, is_out_of_memory, read_lines
from snakemake_logger_plugin_corpusprep import failures, mistakes
from snakemake_logger_plugin_corpusprep.command_line import (
    end_without_traceback,
    hide_profile_line,
    name_missing_executors,
    pass_over_full_disks,
)
from snakemake_logger_plugin_corpusprep.display import Bar, left_text

if TYPE_CHECKING:
    from corpusprep.forecast.run_progress import Run

LINES_OF_A_FAILED_LOG = 20
#: Seconds after which a failed job was not ended by Ctrl-C: a terminal sends it to all processes, in any order.
MOMENT = 0.2

hide_profile_line()
end_without_traceback()
name_missing_executors()
pass_over_full_disks()


@dataclass
class _Run:
    """What is known of a run."""

    before: list[str] = field(default_factory=list)  # Snakemake's messages before it
    started: bool = False
    has_jobs: bool = False
    has_problems: bool = False
    corpora: list[str] = field(default_factory=list)
    progress: "Run | None" = None
    failed: list[str] = field(default_factory=list)  # what the jobs that have failed for good do
    empty: list[str] = field(default_factory=list)  # what is said of corpora without documents
    disk_full: bool = False


class LogHandler(LogHandlerBase):
    """Shows jobs by their rules' messages, and errors in full."""

    def __post_init__(self) -> None:
        failures.pass_on_reasons()
        self._jobs: dict[int, tuple[str, float]] = {}
        self._attempts: dict[int, int] = {}
        self._done = self._total = 0
        self._failed: set[tuple[int, int]] = set()
        self._run = _Run()
        self._console = Console(stderr=not self.common_settings.stdout, highlight=False, soft_wrap=True)
        self._bar: Bar | None = None
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
        """Removes the bar from the screen, and says how the run ended: what there is now, and what goes on with it."""
        self._stop_bar()
        run, self._run = self._run, _Run()
        try:
            if Quietness.ALL not in (self.common_settings.quiet or ()):
                self._conclude(run)
        except BrokenPipeError:
            pass
        super().close()

    def _conclude(self, run: _Run) -> None:
        stopped = isinstance(sys.exc_info()[1], (SystemExit, KeyboardInterrupt)) or bool(_signal(run))
        if self.common_settings.dryrun or (not run.started and not stopped):
            if not run.has_jobs and not run.has_problems:  # such as --unlock, or a dry run without jobs
                for message in [_UP_TO_DATE] if run.started else run.before:
                    self._print(message)
            return
        if stopped and not run.has_jobs:
            return  # it was said (command_line)
        if not run.has_jobs and not run.has_problems:
            self._print(_UP_TO_DATE)
        progress = run.progress
        self._show_corpora([name for name in run.corpora if progress is None or progress.complete(name)])
        for line in run.empty:
            self._print(f"Error: {line}")
        if stopped and (progress is None or progress.left()):  # not while it only says that all is done
            self._print(f"Interrupted. What is complete is kept. To go on: {_command()}")
        elif run.disk_full:
            self._print(f"The disk is full. What is complete is kept. Make room; then, to go on: {_command()}")
        elif run.failed:
            number = f"{len(run.failed)} job{'s' * (len(run.failed) != 1)} failed"
            self._print(f"{number}. What is complete is kept. To go on when the cause is mended: {_command()}")

    def _show_corpora(self, folders: list[str]) -> None:
        if not folders:
            return
        from corpusprep.errors import CorpusprepError
        from corpusprep.report import summary

        for folder in map(Path, folders):
            try:
                stored = folder / "summary.txt"
                if stored.is_file():
                    self._print(stored.read_text(encoding="utf-8").rstrip() + "\n")
                elif (folder / "statistics" / "corpus_size.tsv").is_file():
                    summary.show(folder, self._console)
            except (CorpusprepError, OSError) as error:
                self._print(f"{folder}: no summary: {error}")

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
        elif event == LogEvent.ERROR or record.levelno >= logging.WARNING:
            if failures.is_disk_full([record.getMessage()]):  # Snakemake's own files; the end of the run says so
                self._run.disk_full = True
            elif not failures.said_otherwise(record, bool(self._failed), _signal(self._run)):
                unread = mistakes.of_config_files() if event == LogEvent.ERROR and not self._run.started else None
                self._print(failures.own_line(record.getMessage()) or unread or self._fallback.format(record))
        elif "corpora" in fields:
            self._run.corpora = fields["corpora"]
        elif "run" in fields:
            self._run.progress = fields["run"]
        elif not self._run.started and event is None and record.levelno >= logging.INFO:
            self._run.before.append(str(record.msg or "").strip())
        elif self.common_settings.dryrun:
            self._print(self._fallback.format(record))
        elif event == LogEvent.RUN_INFO:
            self._total = fields["stats"]["total"]
            if self._run.progress:
                self._run.progress.plan_again()
            self._start_bar()
        elif event == LogEvent.JOB_INFO:
            self._job_started(fields)
        elif event == LogEvent.JOB_FINISHED:
            self._job_finished(fields["job_id"])
        elif event == LogEvent.PROGRESS:
            self._done, self._total = fields["done"], fields["total"]
            if self._done == self._total:
                self._stop_bar()

    def _start_bar(self) -> None:
        if not self._console.is_terminal or self._bar is not None or self.common_settings.quiet:
            return
        self._bar = Bar(self._console, lambda: (self._done, self._total), lambda: self._run.progress)
        self._bar.start()

    def _stop_bar(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _job_started(self, fields: dict[str, Any]) -> None:
        job = fields["jobid"]
        name = fields.get("rule_msg") or fields.get("rule_name") or f"job {job}"
        self._jobs[job] = (name, time.monotonic())
        self._attempts[job] = self._attempts.get(job, 0) + 1
        if self._run.progress:
            self._run.progress.start(job)

    def _job_finished(self, job: int) -> None:
        name, started = self._jobs.pop(job, ("", 0.0))
        progress = self._run.progress
        if progress:
            progress.end(job)
        if name and self._bar is None and name != "all":
            how_far = f"; {100 * progress.share():.0f} %, {left_text(progress)}" if progress and progress.left() else ""
            self._print(f"[{self._done + 1}/{self._total}] {name} ({time.monotonic() - started:.1f} s){how_far}")

    def _job_failed(self, fields: dict[str, Any]) -> None:
        job, progress = fields.get("jobid", -1), self._run.progress
        attempt = self._attempts.get(job, 1)
        if (job, attempt) in self._failed:
            return
        self._failed.add((job, attempt))
        name = self._jobs.pop(job, (fields.get("rule_name", "a job"), 0.0))[0]
        if progress:
            progress.end(job, failed=True)
        if not _signal(self._run):
            time.sleep(MOMENT)
        if _signal(self._run):
            return
        logs: dict[str, list[str]] | None = fields.get("lines")
        if logs is None:  # a workflow of others
            logs = {str(path): read_lines(Path(path)) for path in fields.get("log") or ()}
        lines = [line for log in logs.values() for line in log]
        if full := failures.is_disk_full(lines) or (not lines and any(map(failures.is_full, logs))):
            self._run.disk_full = True
        elif fields.get("tried_again"):
            self._print(f"{'Out of memory' if is_out_of_memory(lines) else 'Crashed'}, tried again: {name}")
            return
        if name in self._run.failed:  # tried again, to the same end
            return
        if fields.get("rule_name") == "summary" and (empty := failures.empty_corpora(lines)):
            self._run.empty += [line for line in empty if line not in self._run.empty]
            return
        self._run.failed.append(name)
        if full:  # many jobs fail for the same reason
            self._print(": ".join([f"Failed: {name}", *failures.shortened(lines, 1)]).replace(ERROR, ""))
            return
        self._print(f"Failed: {name}")
        if of_queue := failures.reason(fields.get("rule_msg")):
            self._print(f"  SLURM: {of_queue}")
        for path, log in logs.items():
            self._print(f"  log: {path}")
            for line in failures.shortened(log or ["(no log was written)"], LINES_OF_A_FAILED_LOG):
                self._print(f"  | {line}")

    def _print(self, text: str) -> None:
        if not text.strip():
            return
        if self._bar is not None:
            self._console.print(text, markup=False)
        else:  # a dry run prints tens of thousands of lines, and rich takes longer per line than Snakemake per job
            print(text, file=self._console.file, flush=True)


_UP_TO_DATE = "Nothing to be done: all files are up to date."


def _signal(run: _Run) -> int | None:
    """The signal that has ended a run, if one has."""
    return run.progress.stopped if run.progress else None


def _command() -> str:
    """The command that this run was started with: `corpusprep build`, or Snakemake's own."""
    if typed := os.environ.get("CORPUSPREP_COMMAND"):
        return typed
    program, *arguments = sys.argv
    name = Path(program).name
    # The workflow puts the folder of this Python before the user's (startup.prepare_planning).
    users = os.environ.get("PATH", "").removeprefix(f"{Path(sys.executable).parent}{os.pathsep}")
    found = shutil.which(name, path=users)
    same = found is not None and Path(found).resolve() == Path(program).resolve()
    return shlex.join([name if same else program, *arguments])
