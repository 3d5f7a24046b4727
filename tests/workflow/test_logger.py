"""The output of the logger plugin: it depends on the events and levels of Snakemake's records, not on their texts."""

import logging
import re
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_corpusprep import LINES_OF_A_FAILED_LOG, LogHandler, failures
from snakemake_logger_plugin_corpusprep.display import Bar
from support.running import run as run_workflow

from corpusprep.forecast.run_progress import Run, Work
from corpusprep.jobs.retries import read_lines


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
    assert lines[:-1] == ["Failed: Encoding of english", f"  log: {log}", *expected]
    assert lines[-1].startswith("1 job failed. What is complete is kept. To go on when the cause is mended: ")


def test_of_an_error_of_a_command_only_its_line_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the lines of its log before it, nor what Snakemake says of the command and of the run."""
    log = tmp_path / "job.log"
    log.write_text("pages: 10 done\ncorpusprep: error: a.warc: Permission denied\n", encoding="utf-8")
    shown = handler()
    start(shown)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    failed = "RuleException:\nCalledProcessError in file a.smk, line 1:\nCommand 'a' returned non-zero exit status 1."
    show(shown, failed, LogEvent.ERROR, 40, exception="RuleException")
    show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, jobid=1, rule_name="a", log=[log])
    show(shown, "Exiting because a job execution failed. Look above for error messages", None, 40)
    show(shown, "WorkflowError:\nAt least one job did not complete successfully.", LogEvent.ERROR, 40)
    shown.close()
    first, second, third, last = capsys.readouterr().err.splitlines()
    assert (first, second) == ("Failed: Encoding of english", f"  log: {log}")
    assert third == "  | corpusprep: error: a.warc: Permission denied"
    assert last.startswith("1 job failed. What is complete is kept. To go on when the cause is mended: ")


def test_on_a_full_disk_each_failed_job_has_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that could not write its log, too, whether or not it is tried again."""
    (tmp_path / "1.log").write_text(
        "pages: 10 done\ncorpusprep: error: a.warc: No space left on device\n", encoding="utf-8"
    )
    (tmp_path / "2.log").touch()
    monkeypatch.setattr(failures, "is_full", lambda path: path.endswith("2.log"))
    shown = handler()
    start(shown)
    for job, tried_again in ((1, False), (2, True), (2, False)):
        name, logs = f"Encoding of {job}", {str(tmp_path / f"{job}.log"): read_lines(tmp_path / f"{job}.log")}
        show(shown, "rule a:", LogEvent.JOB_INFO, jobid=job, rule_name="a", rule_msg=name)
        show(
            shown, "Error in rule a", LogEvent.JOB_ERROR, 40,
            jobid=job, rule_name="a", lines=logs, tried_again=tried_again,
        )  # fmt: skip
    show(shown, "WorkflowError:\nError recording metadata ([Errno 28] No space left on device).", LogEvent.ERROR, 40)
    shown.close()
    first, second, last = capsys.readouterr().err.splitlines()
    assert first == "Failed: Encoding of 1: a.warc: No space left on device"
    assert second == "Failed: Encoding of 2"
    assert last.startswith("The disk is full. What is complete is kept. Make room; then, to go on: ")


def of_run(shown: LogHandler) -> Run:
    """Tells the handler of a run with two jobs."""
    run = Run({1: Work("Encoding", "r/a", 1000, 10.0), 2: Work("Report", "r/a", 0, 10.0)}, 1, 1000)
    show(shown, "2 jobs", run=run)
    return run


def fail_twice(text: str) -> None:
    """Tells the handler of a job that fails, is tried again, and fails again, with `text` in its log.

    The log itself is gone when it is shown: Snakemake has removed it for the next attempt.
    """
    shown = handler()
    start(shown)
    of_run(shown)
    told = {"jobid": 1, "rule_name": "a", "log": ["a.log"], "lines": {"a.log": text.splitlines()}}
    for tried_again in (True, False):
        show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
        show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, **told, tried_again=tried_again)
    shown.close()


def test_a_killed_job_is_shown_when_it_is_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line; in full only if it is killed again."""
    fail_twice("pages: 10 done\ncorpusprep: out of memory: the job was killed\n")
    again, failed, _, line, _ = capsys.readouterr().err.splitlines()
    assert again == "Out of memory, tried again: Encoding of english"
    assert failed == "Failed: Encoding of english"
    assert line == "  | corpusprep: out of memory: the job was killed"


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            "SLURM sbatch failed. The error message was 'sbatch: error: Invalid account'.\n"
            "    sbatch call:\n        sbatch --export 'ALL'\n",
            "  SLURM: sbatch: error: Invalid account",
        ),
        ("SLURM-job '7' failed, SLURM status is: 'TIMEOUT'. For further details …", "  SLURM: status is: 'TIMEOUT'"),
    ],
)
def test_why_slurm_refused_or_ended_a_job_is_shown(message: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line; such a job has no log of its own."""
    shown = handler()
    start(shown)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, jobid=1, rule_name="a", rule_msg=message, log=[])
    shown.close()
    assert capsys.readouterr().err.splitlines()[:2] == ["Failed: Encoding of english", line]


def test_an_empty_corpus_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Its job is no failed one."""
    shown = handler()
    start(shown)
    of_run(shown)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="summary", rule_msg="Summary of r/a")
    lines = {"a.log": ["corpusprep: error: r/a: the corpus is empty: it has no page"]}
    show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, jobid=1, rule_name="summary", log=["a.log"], lines=lines)
    shown.close()
    assert capsys.readouterr().err.splitlines() == ["Error: r/a: the corpus is empty: it has no page"]


def test_after_an_interruption_one_line_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The jobs that it has ended are no failures."""
    monkeypatch.setattr("sys.argv", ["/none/snakemake", "--cores", "all", "--configfile", "my corpus.yaml"])
    shown = handler()
    start(shown)
    run = of_run(shown)
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    run.stopped = 2
    show(shown, "CalledProcessError", LogEvent.ERROR, 40, exception="RuleException")
    show(shown, "Error in rule a", LogEvent.JOB_ERROR, 40, jobid=1, rule_name="a", log=[])
    show(shown, "WorkflowError:\nAt least one job did not complete successfully.", LogEvent.ERROR, 40)
    shown.close()
    expected = (
        "Interrupted. What is complete is kept. To go on: /none/snakemake --cores all --configfile 'my corpus.yaml'"
    )
    assert capsys.readouterr().err.splitlines() == [expected]


def test_an_interruption_after_the_last_job_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """All is there: nothing is left to go on with."""
    shown = handler()
    start(shown)
    run = of_run(shown)
    for job in run.works:
        show(shown, "rule a:", LogEvent.JOB_INFO, jobid=job, rule_name="a", rule_msg="Encoding of english")
        show(shown, f"Finished jobid: {job}", LogEvent.JOB_FINISHED, job_id=job)
    run.stopped = 2
    shown.close()
    assert "Interrupted" not in capsys.readouterr().err


def test_plain_lines_say_how_far_the_run_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The share of the work, and the time that is left."""
    shown = handler()
    start(shown)
    of_run(shown)
    show(shown, "Job stats: …", LogEvent.RUN_INFO, stats={"total": 2})
    show(shown, "rule a:", LogEvent.JOB_INFO, jobid=1, rule_name="a", rule_msg="Encoding of english")
    show(shown, "Finished jobid: 1", LogEvent.JOB_FINISHED, job_id=1)
    shown.close()
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "[1/2] Encoding of english (0.0 s); 50 %, a few seconds left"


def test_the_bar_fits_a_terminal_of_80_columns() -> None:
    """It has the share of the archives, the jobs, the time left, and each step that runs, however long its name."""
    run = Run(
        {
            number: Work("Encoding" if number else "A step with " + 80 * "x", "r/a", 5 * 10**8, 10.0)
            for number in range(4)
        },
        2,
        2 * 10**9,
    )
    for number in range(3):
        run.start(number)
    run.end(2)
    console = Console(width=80, file=StringIO(), force_terminal=True, color_system=None)
    console.print(Bar(console, lambda: (1, 5), lambda: run).lines())
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= 80
    head, long, encoding = lines
    assert re.search(r"\d+ % of 2.00 GB, 1/5 jobs, 0 s, a few seconds left", head)
    assert long.startswith("  A step with xxx")
    assert encoding.strip() == "Encoding of r/a: 500 MB of 1.50 GB done"


def test_a_workflow_of_others_has_a_bar_of_jobs() -> None:
    """Nothing is known of the time that is left."""
    console = Console(width=80, file=StringIO(), force_terminal=True, color_system=None)
    console.print(Bar(console, lambda: (1, 4), lambda: None).lines())
    assert "25 %, 1/4 jobs, 0 s" in console.file.getvalue()  # type: ignore[attr-defined]


def test_snakemake_says_nothing_of_profiles(tmp_path: Path) -> None:
    """Its line on the default profile is not for users; a dry run of a config with a mistake prints one line."""
    done = run_workflow(tmp_path, {"corpora": {}}, "--dry-run")
    assert done.returncode == 1
    assert "profile" not in done.stdout + done.stderr
    assert len((done.stdout + done.stderr).splitlines()) == 1


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
