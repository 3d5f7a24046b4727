"""The workflow on a real SLURM of two nodes: the corpus is the same as without SLURM, also after failures.

There are two runs at the same time. `whole` builds corpora and loses a node during its first job. `killed` ends after
`documents`, whose first attempt has too little memory and whose second has too little time. A third run, without
failures, builds a crawl of languages to its end.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from failures.cluster import Cluster, JobProcess, job_processes, obstacle, running_cluster
from support.built_corpora import flip_bit, sorted_corpus
from support.running import BIN, ENVIRONMENT, REPOSITORY, build, write_config

OPTIONS = ["--slurm-no-account", "--latency-wait", "20"]
#: For attempts 1, 2 and 3 of `documents`: megabytes (the first are too few for Snakemake itself), and minutes.
MEMORY, MINUTES = "documents:mem_mb=100*attempt**4", "documents:runtime=max(1,attempt-1)"
LONGEST = 400

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A running SLURM; skips if none can be started, which is an error in CI."""
    if reason := obstacle():
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with running_cluster(tmp_path_factory.mktemp("slurm")) as running:
        yield running


def find_job(folder: Path, name: str) -> JobProcess | None:
    """Returns a process of a job of `folder` that has the word `name` in its command line; None if there is none."""
    return next((process for process in job_processes(folder) if name in process.words), None)


@dataclass
class Run:
    """A run of the workflow with the SLURM profile."""

    folder: Path
    process: "subprocess.Popen[bytes]"

    @property
    def output(self) -> str:
        """The output of the run and the logs of its jobs."""
        logs = [self.folder / "output", *self.folder.glob(".snakemake/slurm_logs/**/*.log")]
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in logs)

    def finish(self, longest: float = LONGEST) -> None:
        """Waits for the end of the run, which must succeed, for so many seconds."""
        assert self.process.wait(timeout=longest) == 0, self.output


def start(folder: Path, config: dict[str, Any], *options: str) -> Run:
    """Starts the workflow in `folder`."""
    command = [BIN / "snakemake", "-s", REPOSITORY / "Snakefile"]
    command += ["--workflow-profile", REPOSITORY / "workflow/profiles/slurm", *OPTIONS]
    command += ["--configfile", write_config(folder, config), *options]
    with (folder / "output").open("wb") as output:
        return Run(folder, subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=output, stderr=output))


def wait_for(found: Callable[[], Any], run: Run, *, ended: bool = False) -> Any:
    """Waits until `found` returns something, and returns it; fails if it takes too long, or the run ends before.

    `ended`: the run has ended.
    """
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if result := found():
            return result
        assert ended or run.process.poll() is None, run.output
        time.sleep(0.05)
    raise AssertionError(run.output)


@dataclass
class Outcome:
    """The results of the runs, those of the first without SLURM, and SLURM's records of jobs and nodes."""

    whole: Path
    killed: Path
    local: Path
    jobs: str
    nodes: str


@pytest.fixture(scope="module")
def outcome(
    cluster: Cluster, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Outcome:
    """Does both runs, with their failures."""
    sample = {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}
    corpora: dict[str, Any] = {"sample": sample}
    try:
        crawl = Path(request.getfixturevalue("evaluation_data")) / "crawl"
        names = [str(crawl / f"en-{name}.warc.gz") for name in ("cleaneval", "l3s-gn1")]
        corpora["crawl"] = {"language": "en", "archives": names, "batch_bytes": 1}
    except pytest.skip.Exception:
        pass
    folders = {name: tmp_path_factory.mktemp(name) for name in ("whole", "killed", "local")}
    runs = [whole := start(folders["whole"], {"corpora": corpora}, "--until", "corpus")]
    try:
        node = wait_for(lambda: find_job(whole.folder, "boilerplate"), whole).node
        cluster.lose_node(node)
        wait_for(lambda: "JobState=NODE_FAIL" in cluster.jobs_ended(), whole)
        cluster.repair_node(node)
        runs += [
            killed := start(
                folders["killed"],
                {"memory": "1G", "corpora": {"sample": sample}},
                *("--until", "documents", "--set-resources", MEMORY, MINUTES),
            )
        ]
        wait_for(lambda: "tried again: Exact duplicates" in (killed.folder / "output").read_text(), killed)
        process = wait_for(lambda: find_job(killed.folder, "documents"), killed)
        os.kill(process.number, signal.SIGSTOP)  # until its time limit
        local = build(folders["local"], {"corpora": corpora}, "--until", "corpus", cores=1)
        for run in runs:
            run.finish()
    finally:
        for run in runs:
            run.process.kill()
            run.process.wait()
    log = cluster.folder / "log"
    nodes = "".join(path.read_text(errors="replace") for path in log.glob("slurmd-*.log"))
    return Outcome(whole.folder / "results", killed.folder / "results", local, cluster.jobs_ended(), nodes)


@pytest.mark.parametrize("name", ["sample", "crawl"])
def test_same_bytes_as_locally_though_a_node_was_lost(outcome: Outcome, name: str) -> None:
    """For all formats of the corpus: the sample, and 1,361 English pages in two batches that share a bundle."""
    if not (outcome.local / name).exists():
        pytest.skip("no evaluation data (set CORPUSPREP_DATA)")
    assert "JobState=NODE_FAIL" in outcome.jobs
    assert sorted_corpus(outcome.whole / name) == sorted_corpus(outcome.local / name)


def test_killed_for_memory_and_then_for_time(outcome: Outcome) -> None:
    """SLURM killed two attempts of `documents`; the tables of the last one are those of a run without failures."""
    assert "exceeded memory limit" in outcome.nodes
    assert "JobState=TIMEOUT" in outcome.jobs
    tables = [
        pl.concat([pl.read_parquet(path) for path in sorted((results / "sample/documents").glob("*.parquet"))])
        for results in (outcome.killed, outcome.local)
    ]
    assert tables[0].equals(tables[1])


def test_a_job_is_one_snakemake(outcome: Outcome) -> None:
    """It runs the rules of its group itself: SLURM starts no steps, each of which would start another Snakemake."""
    assert "Launching batch job" in outcome.nodes
    assert "launch task" not in outcome.nodes


def test_what_slurm_refuses_is_said(cluster: Cluster, sample_crawl: Path, tmp_path: Path) -> None:
    """In one line for each job, of a group as well; no node has so much memory."""
    config = {"corpora": {"sample": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}}
    run = start(tmp_path, config, "--retries", "0", "--set-resources", "encoding:mem_mb=99000000")
    assert run.process.wait(timeout=LONGEST) != 0
    output = (tmp_path / "output").read_text()
    for name in ("Encoding", "Boilerplate"):
        refused = rf"^Failed: {name} of results/sample, .*\n  SLURM: sbatch: error: .* not available$"
        assert len(re.findall(refused, output, re.MULTILINE)) == 1, output
    assert "Error in group" not in output


def test_an_error_of_a_command_is_not_tried_again(cluster: Cluster, sample_crawl: Path, tmp_path: Path) -> None:
    """The profile has two retries for jobs that are killed. Here the last job of a group finds a damaged table."""
    config = {"corpora": {"sample": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}}
    results = build(tmp_path, config, "--until", "boilerplate") / "sample"
    (table,) = (results / "boilerplate").glob("*.parquet")
    flip_bit(table)
    before = cluster.jobs_ended().count("\n")
    run = start(tmp_path, config, "--until", "tokens")
    assert run.process.wait(timeout=LONGEST) == 1
    output = (tmp_path / "output").read_text()
    assert "tried again" not in output
    assert f"corpusprep: error: {table.relative_to(tmp_path)}: damaged" in output
    wait_for(lambda: cluster.jobs_ended().count("\n") > before, run, ended=True)
    assert cluster.jobs_ended().count("\n") == before + 1


def test_ctrl_c_cancels_the_jobs(cluster: Cluster, sample_crawl: Path, tmp_path: Path) -> None:
    """Those that run, too: nothing of a run is left in the queue when it has ended, and one line says how to go on."""
    config = {"corpora": {"sample": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}}
    run = start(tmp_path, config)
    wait_for(lambda: find_job(tmp_path, "encoding"), run)
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(timeout=LONGEST) == 1
    assert (tmp_path / "output").read_text().splitlines()[-1].startswith("Interrupted. What is complete is kept.")
    wait_for(lambda: "JobState=CANCELLED" in cluster.jobs_ended(), run, ended=True)
    wait_for(lambda: not list(job_processes(tmp_path)), run, ended=True)


@pytest.fixture(scope="module")
def crawls(cluster: Cluster, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The results of a crawl of languages in two batches on SLURM and on this machine, and SLURM's jobs."""
    before = len(cluster.jobs_ended())
    archives = [str(path) for path in sorted(sample_crawl.glob("*.warc.gz"))[:2]]
    crawl = {"languages": ["en", "cs"], "others": ["sk"], "archives": archives, "batch_bytes": 1}
    config = {"corpora": {"crawl": crawl}}
    run = start(tmp_path_factory.mktemp("languages"), config)
    try:
        local = build(tmp_path_factory.mktemp("languages_local"), config, cores=1)
        run.finish(2 * LONGEST)  # some 40 jobs, one after another after the division
    finally:
        run.process.kill()
        run.process.wait()
    return run.folder / "results/crawl", local / "crawl", cluster.jobs_ended()[before:]


def _results(crawl: Path) -> dict[str, bytes]:
    """The files of a crawl and its corpora by name, without the seconds and memory that jobs used."""
    kept = ["*.tsv", "found/*.parquet", "*/batches.tsv", "*/corpus/*", "*/statistics/*.tsv"]
    files = {str(path.relative_to(crawl)): path.read_bytes() for name in kept for path in crawl.glob(name)}
    return {name: content for name, content in files.items() if not name.endswith("processing_times.tsv")}


def test_crawl_of_languages_has_the_same_bytes_as_locally(crawls: tuple[Path, Path, str]) -> None:
    """Jobs of the languages are planned after the checkpoint; no job failed."""
    remote, local, jobs = crawls
    assert set(re.findall(r"JobState=(\w+)", jobs)) == {"COMPLETED"}
    found = _results(remote)
    assert {name.partition("/")[0] for name in found if "/corpus/" in name} == {"cs", "en"}
    assert len(list((remote / "found").glob("*.parquet"))) > 1
    assert found == _results(local)
