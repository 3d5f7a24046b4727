"""What a process plans that runs one job of a cluster."""

import re
from pathlib import Path

import pytest
from support.planned_jobs import planned
from support.running import run

#: As Snakemake's plugins for clusters start a job.
AS_A_JOB = ("--mode", "remote", "--force", "--nolock", "--ignore-incomplete", "--retries", "0", "--dry-run")
CONFIG = {"batch_bytes": 1, "corpora": {"small": {"language": "en", "archives": ["*.warc.gz"]}}}


@pytest.mark.parametrize("rule", ["tokens", "blocks_match", "corpus"])
def test_a_job_plans_itself_alone(tmp_path: Path, rule: str) -> None:
    """Not what makes its inputs, which is the whole corpus: for each of a thousand jobs, that took four seconds."""
    for name in "abc":
        (tmp_path / f"{name}.warc.gz").write_bytes(b"not read by a dry run")
    job = next(job for job in planned(tmp_path, CONFIG) if job.rule == rule)
    target = f"{rule}:" + ",".join(f"{name}={value}" for name, value in job.wildcards.items())
    done = run(tmp_path, CONFIG, *AS_A_JOB, "--target-jobs", target, "--allowed-rules", rule)
    assert done.returncode == 0, done.stdout + done.stderr
    assert dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE)) == {rule: "1", "total": "1"}
