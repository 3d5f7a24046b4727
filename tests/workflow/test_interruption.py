"""After a run was killed at any moment, the next run finishes and gives the same corpus."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support.built_corpora import check_ledger, sorted_corpus
from support.running import ENVIRONMENT, build, command, sample_config, write_config

pytestmark = pytest.mark.slow


def kill_tree_after(folder: Path, config: Path, seconds: float) -> None:
    """Starts the workflow in a new session and kills all its processes at once after some seconds."""
    process = subprocess.Popen(
        command(config), cwd=folder, env=ENVIRONMENT, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


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


def test_interrupted_by_the_user(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """Ctrl-C ends the run without a traceback, and the next run finishes.

    Only job logs (lines after a bar) may have one: Python writes it if Ctrl-C comes while a job loads its libraries.
    """
    settings = sample_config(sample_crawl)
    config = write_config(tmp_path, settings)
    process = subprocess.Popen(
        command(config), cwd=tmp_path, env=ENVIRONMENT, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    time.sleep(6)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert not [line for line in output.splitlines() if "Traceback" in line and not line.startswith("  | ")]
    assert process.returncode != 0
    results = build(tmp_path, settings)
    assert sorted_corpus(results / "english") == sorted_corpus(sample / "english")
