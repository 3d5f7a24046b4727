"""The output of the logger plugin: it depends on the events and levels of Snakemake's records, not on their texts."""

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_corpusprep import LINES_OF_A_FAILED_LOG, LogHandler


def handler(**settings: object) -> LogHandler:
    """A handler with these settings, made in the same way as by Snakemake."""
    usual = {"stdout": False, "quiet": None, "show_failed_logs": True, "debug_dag": False, "verbose": False}
    usual |= {"dryrun": False, "printshellcmds": False, "nocolor": False}
    return LogHandler(SimpleNamespace(**usual | settings), None)  # type: ignore[arg-type]


def show(handler: LogHandler, message: str, event: LogEvent | None = None, level: int = 20, **fields: object) -> None:
    """Passes a record to the handler, like Python's logging."""
    record = logging.makeLogRecord({"msg": message, "levelno": level, "levelname": logging.getLevelName(level)})
    record.__dict__.update(fields | ({"event": event} if event else {}))
    if handler.filter(record):
        handler.emit(record)


def start(shown: LogHandler) -> None:
    """The records of a run up to its first job."""
    show(shown, "a remark before the run")
    show(shown, "started", LogEvent.WORKFLOW_STARTED, quietness=Quietness.HOST)
    show(shown, "a remark in the run")


def test_a_line_per_finished_job(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the number of the job, the message of the rule and the seconds; Snakemake's own lines are not shown."""
    shown = handler()
    start(shown)
    show(shown, "Job stats: …", LogEvent.RUN_INFO, stats={"total": 2})
    show(shown, "Provided cores: 2", LogEvent.RESOURCES_INFO, cores=2)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    show(shown, "Finished jobid: 1", LogEvent.JOB_FINISHED, job_id=1)
    show(shown, "1 of 2 steps", LogEvent.PROGRESS, done=1, total=2)
    shown.close()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("[1/2] Encoding of english (0.")


def test_a_failed_job_is_shown_once_with_the_end_of_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its name, the path of its log and the last lines of the log."""
    log = tmp_path / "job.log"
    log.write_text("".join(f"line {number}\n" for number in range(50)), encoding="utf-8")
    shown = handler()
    start(shown)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    for _ in range(2):
        show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, jobid=1, rule_name="a", log=[log])
    shown.close()
    lines = capsys.readouterr().err.splitlines()
    expected = [f"  | line {number}" for number in range(50 - LINES_OF_A_FAILED_LOG, 50)]
    assert lines == ["Failed: Encoding of english", f"  log: {log}", *expected]


def test_a_quiet_dry_run_shows_the_table_of_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else is shown."""
    shown = handler(dryrun=True, quiet={Quietness.PROGRESS, Quietness.RULES})
    start(shown)
    show(shown, "job  count\na  1", LogEvent.RUN_INFO, stats={"total": 1, "a": 1})
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    shown.close()
    output = capsys.readouterr().err
    assert "count" in output
    assert "remark" not in output
    assert "Encoding" not in output


@pytest.mark.parametrize(("level", "event"), [(30, None), (40, None), (40, LogEvent.ERROR)])
@pytest.mark.parametrize("dryrun", [False, True])
def test_warnings_and_errors_are_always_shown(
    capsys: pytest.CaptureFixture[str], level: int, event: LogEvent | None, dryrun: bool
) -> None:
    """Before and during a run; other lines before an error that prevents the run are not shown."""
    shown = handler(dryrun=dryrun, quiet={Quietness.PROGRESS, Quietness.RULES} if dryrun else None)
    show(shown, "a remark before the run")
    show(shown, "no such file", event, level)
    shown.close()
    assert capsys.readouterr().err == "no such file\n"


def test_a_run_without_jobs_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, which replaces Snakemake's own lines."""
    shown = handler()
    start(shown)
    shown.close()
    assert capsys.readouterr().err == "Nothing to be done: all files are up to date.\n"


def test_a_command_that_runs_nothing_is_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    """For example --unlock: only Snakemake's own lines say what it did."""
    shown = handler()
    show(shown, "Unlocked working directory.")
    shown.close()
    assert capsys.readouterr().err == "Unlocked working directory.\n"
