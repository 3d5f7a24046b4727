"""After a run was killed at any moment, the next run finishes and gives the same corpus."""

import os
import random
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.built_corpora import check_ledger, sorted_corpus
from support.running import ENVIRONMENT, build, command, run, sample_config, write_config

from corpusprep.io import folder_locks, partials

pytestmark = pytest.mark.slow

#: Seconds after which a run that should end has not.
LONG = 120.0


def kill_tree_after(folder: Path, config: Path, seconds: float) -> None:
    """Starts the workflow in a new session and kills all its processes at once after some seconds."""
    process = subprocess.Popen(
        command(config), cwd=folder, env=ENVIRONMENT, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def end_after_two_jobs(
    folder: Path, config: Path, end: "Callable[[subprocess.Popen[str]], None]"
) -> tuple[int, list[str]]:
    """Ends a run when two of its jobs are finished; returns its exit code and its lines that show no finished job."""
    with subprocess.Popen(
        command(config), cwd=folder, env=ENVIRONMENT, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        while not process.stdout.readline().startswith("[2/"):
            assert process.poll() is None
        end(process)
        try:
            output, _ = process.communicate(timeout=LONG)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, [line for line in output.splitlines() if not line.startswith("[")]


def test_killed_three_times(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """SIGKILL to the whole process tree at three moments of the run."""
    settings = sample_config(sample_crawl)
    config = write_config(tmp_path, settings)
    moments = random.Random(4)
    for _ in range(3):
        kill_tree_after(tmp_path, config, moments.uniform(3, 12))
    results = build(tmp_path, settings)
    for name in settings["corpora"]:
        check_ledger(results / name)
        assert sorted_corpus(results / name) == sorted_corpus(sample / name)
    assert [*results.rglob("*.partial")] == []


def test_interrupted_by_the_user(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """Ctrl-C, as a terminal sends it to all processes, ends the run with one line; the next run finishes."""
    settings = sample_config(sample_crawl)
    config = write_config(tmp_path, settings)
    code, lines = end_after_two_jobs(tmp_path, config, lambda process: os.killpg(process.pid, signal.SIGINT))
    assert code == 1
    assert lines == [f"Interrupted. What is complete is kept. To go on: {shlex.join(command(config))}"]
    results = build(tmp_path, settings)
    assert sorted_corpus(results / "english") == sorted_corpus(sample / "english")


def test_a_termination_lets_the_jobs_end_that_run(sample_crawl: Path, tmp_path: Path) -> None:
    """SIGTERM to Snakemake alone: no further job starts, and one line says how to go on."""
    config = write_config(tmp_path, sample_config(sample_crawl))
    code, lines = end_after_two_jobs(tmp_path, config, lambda process: process.terminate())
    assert code == 1
    assert lines == [f"Interrupted. What is complete is kept. To go on: {shlex.join(command(config))}"]


def test_a_killed_job_runs_again(sample_crawl: Path, tmp_path: Path) -> None:
    """The first time that the command is called, it is killed, as the system does where memory is short.

    What it leaves is removed at the end of the run.
    """
    config = write_config(tmp_path, sample_config(sample_crawl))
    script = tmp_path / "bin" / "bash"
    script.parent.mkdir()
    done, left = tmp_path / "killed", tmp_path / "results" / "english"
    with partials.owned(left / "batches.tsv") as temporary:
        # No process has this number.
        name = temporary.name.replace(f"-{os.getpid()}-", "-999999999-")
    kill = f"mkdir {done} 2>/dev/null && mkdir -p {left} && touch {left}/{name} && exit 137"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *" step batches "*) {kill};; esac\nexec /bin/bash "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    environment = ENVIRONMENT | {"PATH": f"{script.parent}{os.pathsep}{os.defpath}"}
    targets = ["--", "results/english/batches.tsv"]
    run = subprocess.run(
        [*command(config), *targets], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.is_dir()
    assert run.returncode == 0, run.stderr
    assert "tried again: Batches of results/english" in run.stderr
    assert [*left.rglob("*.partial")] == []


def test_a_corpus_has_one_run_at_a_time(sample_crawl: Path, tmp_path: Path) -> None:
    """A second run ends before its first job, and names the process of the first; a dry run does not ask."""
    config = sample_config(sample_crawl)
    assert folder_locks.lock(tmp_path / "results" / "english")
    done = run(tmp_path, config)
    assert done.returncode == 1
    named = f" (process {os.getpid()})" if folder_locks.owner(tmp_path / "results" / "english") else ""
    assert f"error: another run{named} works on results/english; wait" in done.stderr
    assert "[1/" not in done.stderr
    assert list((tmp_path / "results" / "english").iterdir()) == []
    assert run(tmp_path, config, "--dry-run", "--quiet").returncode == 0
