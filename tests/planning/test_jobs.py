"""What jobs ask for."""

import re
import subprocess
from pathlib import Path

import pytest

from corpusprep.errors import OUT_OF_MEMORY
from corpusprep.pipeline import JOBS
from corpusprep.planning import jobs
from corpusprep.planning.forecast import load_costs

#: Of docs/measurements/scale.md.
ARCHIVE_BYTES_PER_TOKEN = 14.22


def test_memory_follows_the_batch() -> None:
    """The tables of a batch are held as a whole, in whatever archives its pages are."""
    asked = [jobs.batch_memory_mb(size) for size in (1, 10**8, 10**9)]
    assert asked[0] == jobs.LEAST_MEMORY_MB
    assert asked[0] < asked[1] < asked[2]


@pytest.mark.parametrize("step", ["encoding", "boilerplate", "language", "tokens", "blocks apply", "corpus"])
def test_a_batch_asks_for_twice_what_was_measured(step: str) -> None:
    """For a gigabyte of archives with as many tokens per byte as the measured crawl."""
    cost = load_costs()[step]
    measured = cost.start_megabytes + cost.megabytes * 10**9 / ARCHIVE_BYTES_PER_TOKEN / 1e6
    assert jobs.batch_memory_mb(10**9) > 2 * measured


def test_minutes_follow_all_archives() -> None:
    """Of the batch, or of the corpus."""
    assert jobs.batch_minutes(1) == jobs.global_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.batch_minutes(2 * 10**9) > jobs.LEAST_MINUTES
    assert jobs.global_minutes(10**12) > jobs.LEAST_MINUTES


def test_a_global_job_gets_its_memory_and_room_for_snakemake() -> None:
    """The setting says what the stage itself may use."""
    assert jobs.global_memory_mb("4G") == 4000 + jobs.SNAKEMAKE_MB
    assert jobs.global_memory_mb("100M") == jobs.LEAST_MEMORY_MB


def test_tables_of_the_corpus_take_memory_by_its_size() -> None:
    """Reference pages are chosen from the tables of all batches."""
    assert jobs.corpus_memory_mb(10**12) > jobs.corpus_memory_mb(10**9) > jobs.LEAST_MEMORY_MB


def test_options_of_a_language_made_from_samples() -> None:
    """Lists repeat their option; encodings are given one by one."""
    made = {"text": ["a b.txt", "c.txt"], "name": "Sorbian", "encodings": ["iso-8859-2"]}
    expected = "--text 'a b.txt' --text c.txt --name Sorbian --encoding iso-8859-2"
    assert jobs.sample_options(made) == expected


def test_experiments_ask_by_the_size_of_what_they_measure() -> None:
    """Of the corpus; of the largest set of n-grams."""
    assert jobs.experiment_minutes(10**10) > jobs.experiment_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.set_memory_mb(10**8) > jobs.set_memory_mb(1) == jobs.LEAST_MEMORY_MB
    assert jobs.set_memory_minutes(10**8) > jobs.set_memory_minutes(1) == jobs.LEAST_MINUTES


class Attempt:
    """The shell line of a job, with a command in the place of `corpusprep`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "a log"

    def run(self, number: int, command: str) -> int:
        """Runs an attempt and returns its exit code."""
        line = jobs.shell_line(JOBS["documents"]).replace("{log:q}", f"'{self.log}'")
        line = line.replace("{resources.attempt}", str(number)).replace("{resources.mem_mb}", "2400")
        line = re.sub(r"corpusprep --times .*? 2>", "corpusprep 2>", line).replace("{{", "{").replace("}}", "}")
        script = f"set -euo pipefail; corpusprep() {{ ( {command} ); }}; {line}"
        return subprocess.run(["bash", "-c", script], cwd=self.folder, check=False).returncode


def test_a_killed_job_says_what_to_do(tmp_path: Path) -> None:
    """Its log ends with a line that names the memory that was planned, and the setting."""
    attempt = Attempt(tmp_path)
    assert attempt.run(1, "echo working >&2; kill -9 $BASHPID") == OUT_OF_MEMORY
    first, *_, last = attempt.log.read_text(encoding="utf-8").splitlines()
    assert first == "working"
    assert last.startswith("corpusprep: out of memory: the job was killed (planned for it: 2400 MB); run fewer jobs")
    assert "make memory smaller" in last


def test_a_killed_job_runs_again(tmp_path: Path) -> None:
    """In a second attempt, which starts a log of its own."""
    attempt = Attempt(tmp_path)
    assert attempt.run(1, "kill -9 $BASHPID") == OUT_OF_MEMORY
    assert attempt.run(2, "touch done") == 0
    assert (tmp_path / "done").exists()
    assert attempt.log.read_text(encoding="utf-8") == ""


def test_an_error_is_not_tried_again(tmp_path: Path) -> None:
    """The second attempt ends at once, and the log of the first stays."""
    attempt = Attempt(tmp_path)
    assert attempt.run(1, "echo 'corpusprep: error: no such file' >&2; exit 1") == 1
    assert attempt.run(2, "touch done") == 1
    assert not (tmp_path / "done").exists()
    assert "no such file" in attempt.log.read_text(encoding="utf-8")


def test_a_batch_is_what_makes_its_jobs_large() -> None:
    """The advice names the setting that the memory of the job depends on."""
    assert "make batch_bytes smaller" in jobs.shell_line(JOBS["boilerplate"])
    assert "make memory smaller" in jobs.shell_line(JOBS["ngrams_runs"])
