"""The workflow on a real SLURM of two nodes: the corpus is the same as without SLURM, also after failures.

There are two runs at the same time. `whole` builds corpora and loses a node during its first job. `killed` ends after
`documents`, whose first attempt has too little memory and whose second has too little time. A third run, without
failures, builds a crawl of languages to its end.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.built_corpora import sorted_corpus
from support.running import BIN, ENVIRONMENT, REPOSITORY, build, write_config

SCRIPTS = Path(__file__).parent
CONFIGURATION = Path("/etc/slurm/slurm.conf")
OPTIONS = ["--slurm-no-account", "--latency-wait", "20"]
#: For attempts 1, 2 and 3 of `documents`: megabytes (the first are too few for Snakemake itself), and minutes.
MEMORY, MINUTES = "documents:mem_mb=100*attempt**4", "documents:runtime=max(1,attempt-1)"
LONGEST = 400

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a running SLURM; skips if none can be started, which is an error in CI."""
    reason = None
    if not (shutil.which("slurmctld") and shutil.which("munged") and find_spec("snakemake_executor_plugin_slurm")):
        reason = "no SLURM (Debian: apt-get install slurm-wlm munge; pip install '.[slurm]')"
    elif os.geteuid() != 0:
        reason = "only root can start a SLURM"
    elif os.path.lexists(CONFIGURATION):
        reason = f"{CONFIGURATION} is there: this machine's own SLURM is left alone"
    if reason:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("slurm")
    try:
        subprocess.run([SCRIPTS / "up.sh", folder], check=True)
        yield folder
    finally:
        subprocess.run([SCRIPTS / "down.sh", folder], check=True)


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


def job_processes(folder: Path, words: set[str]) -> Iterator[tuple[int, str]]:
    """Yields number and node of the processes that jobs started in `folder` with all `words` in their command lines."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if words <= set((entry / "cmdline").read_text().split("\0")) and (entry / "cwd").readlink() == folder:
                variables = dict(pair.partition("=")[::2] for pair in (entry / "environ").read_text().split("\0"))
                yield int(entry.name), variables["SLURMD_NODENAME"]
        except (OSError, KeyError):  # it has ended, or is no job's
            continue


def wait_for(found: Callable[[], Any], run: Run) -> Any:
    """Waits until `found` returns something, and returns it; fails if the run ends before, or takes too long."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if result := found():
            return result
        assert run.process.poll() is None, run.output
        time.sleep(0.05)
    raise AssertionError(run.output)


def lose_node(node: str, cluster: Path) -> None:
    """Kills the daemon of a node and all processes on it, as a power cut would."""
    os.kill(int((cluster / f"slurmd-{node}.pid").read_text()), signal.SIGKILL)
    stewards, others = set(), set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"SLURMD_NODENAME={node}\0" in (entry / "environ").read_text(errors="replace"):
                others.add(int(entry.name))
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if (Path("/proc") / str(parent) / "comm").read_text().startswith("slurmstepd"):
                    stewards.add(parent)
        except OSError:  # it has ended by itself
            continue
    for process in (*stewards, *others):  # first those that would report the others' end
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def jobs_ended(cluster: Path) -> str:
    """SLURM's record of jobs: one line per finished job."""
    path = cluster / "log" / "jobs"
    return path.read_text() if path.exists() else ""


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
    cluster: Path, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
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
        _, node = wait_for(lambda: next(job_processes(whole.folder, {"boilerplate"}), None), whole)
        lose_node(node, cluster)
        wait_for(lambda: "JobState=NODE_FAIL" in jobs_ended(cluster), whole)
        subprocess.run(["slurmd", "-N", node], check=True)  # it is repaired
        runs += [
            killed := start(
                folders["killed"],
                {"memory": "1G", "corpora": {"sample": sample}},
                *("--until", "documents", "--set-resources", MEMORY, MINUTES),
            )
        ]
        wait_for(lambda: "tried again: Exact duplicates" in (killed.folder / "output").read_text(), killed)
        process, _ = wait_for(lambda: next(job_processes(killed.folder, {"documents"}), None), killed)
        os.kill(process, signal.SIGSTOP)  # until its time limit
        local = build(folders["local"], {"corpora": corpora}, "--until", "corpus", cores=1)
        for run in runs:
            run.finish()
    finally:
        for run in runs:
            run.process.kill()
            run.process.wait()
    log = cluster / "log"
    nodes = "".join(path.read_text(errors="replace") for path in log.glob("slurmd-*.log"))
    return Outcome(whole.folder / "results", killed.folder / "results", local, jobs_ended(cluster), nodes)


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


@pytest.fixture(scope="module")
def crawls(cluster: Path, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The results of a crawl of languages in two batches on SLURM and on this machine, and SLURM's jobs."""
    before = len(jobs_ended(cluster))
    archives = [str(path) for path in sorted(sample_crawl.glob("*.warc.gz"))[:2]]
    crawl = {"languages": ["en", "cs"], "others": ["sk"], "archives": archives, "batch_bytes": 1}
    config = {"corpora": {"crawl": crawl}}
    run = start(tmp_path_factory.mktemp("languages"), config)
    try:
        local = build(tmp_path_factory.mktemp("languages_local"), config, cores=1)
        run.finish(1.5 * LONGEST)  # some 40 jobs, one after another after the division
    finally:
        run.process.kill()
        run.process.wait()
    return run.folder / "results/crawl", local / "crawl", jobs_ended(cluster)[before:]


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
