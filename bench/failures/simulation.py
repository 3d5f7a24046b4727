"""Shows that failures do not change a corpus: a run on SLURM that loses nodes and jobs, beside one left alone.

    python bench failures [--tokens 10M] [--batches 64] [--interval 20] [--together 1] [--seed 1]
                          [--data FOLDER] [--output FOLDER]

Makes a crawl of about `--tokens` tokens from texts of the crawl of documentation (text_crawl.py) and builds its corpus
twice: on this machine, undisturbed; and on a SLURM of two nodes that is started for it, where processes of jobs are
killed and nodes are lost at random moments, from a seed. If a job fails more often than the profile allows, or if
Snakemake itself is killed, the run is started again, as a user would. At the end all files of the corpus and all its
tables, but those of times, must have the same bytes. With `--output`, a run that was stopped goes on from there.

Only root can start a SLURM; it must not be installed with a configuration of its own.
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import running
from scale import made_crawl

from corpusprep.io.sizes import parse_size
from failures import text_crawl
from failures.cluster import LEAST_CORES, Cluster, job_processes, kill, obstacle, running_cluster

#: Of 100 failures: lost nodes, and kills of the Snakemake that started the jobs. The others kill a process of a job.
LOST_NODES, KILLED_RUNS = 15, 5
#: Seconds that a lost node stays away, after SLURM has noticed.
AWAY = 5.0
#: Runs that are started at most.
MOST_RUNS = 50
#: Files with the times of processes, which differ from run to run.
TIMES = ("processing_times.tsv", ".processing_times.tsv.checksum")
NAME = "made"


@dataclass
class Saboteur:
    """Kills processes of jobs, nodes and Snakemake at random.

    Attributes:
        cluster: the SLURM of the jobs.
        folder: where they run.
        random: decides when and what.
        interval: mean seconds from one failure to the next.
        done: how often each kind of failure was made.
    """

    cluster: Cluster
    folder: Path
    random: random.Random
    interval: float
    done: Counter[str] = field(default_factory=Counter)

    def wait(self, run: "subprocess.Popen[bytes]") -> int:
        """Lets failures happen until the run ends; returns its exit code."""
        while True:
            try:
                return run.wait(self.random.expovariate(1 / self.interval))
            except subprocess.TimeoutExpired:
                self._fail(run)

    def _fail(self, run: "subprocess.Popen[bytes]") -> None:
        """Makes one failure; none if no job runs."""
        processes = sorted(job_processes(self.folder), key=lambda process: process.number)
        if not processes:
            return
        chosen, dice = self.random.choice(processes), self.random.randrange(100)
        if dice < LOST_NODES:
            self.cluster.lose_node(chosen.node)
            time.sleep(AWAY + 10)  # SlurmdTimeout
            self.cluster.repair_node(chosen.node)
            self.done["nodes lost"] += 1
        elif dice < LOST_NODES + KILLED_RUNS:
            kill(run.pid)
            self.done["runs killed"] += 1
        else:
            kill(chosen.number)
            self.done["processes of jobs killed"] += 1


def main(prog: str, arguments: Sequence[str]) -> None:
    """Runs the comparison."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--tokens", type=parse_size, default=10_000_000, help="size of the crawl (10M)")
    parser.add_argument("--batches", type=int, default=64, help="batches (%(default)s)")
    parser.add_argument("--interval", type=float, default=20.0, help="mean seconds between failures (%(default)s)")
    parser.add_argument("--together", type=int, default=1, help="batches that share a job (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the failures (%(default)s)")
    parser.add_argument("--output", type=Path, help="folder that keeps everything; by default all is removed")
    options = parser.parse_args(arguments)
    if reason := obstacle():
        raise running.CommandError(reason)
    with tempfile.TemporaryDirectory(prefix="failures-") as temporary:
        folder = (options.output or Path(temporary)).resolve()
        crawl = _make(folder / "crawl", options.data, options.tokens, options.batches)
        alone, disturbed = folder / "alone", folder / "disturbed"
        for where in (alone, disturbed):
            where.mkdir(parents=True, exist_ok=True)
            (where / "my.json").write_text(json.dumps(_config(crawl)), encoding="utf-8")
        started = time.monotonic()
        running.run(_command("--cores", "all"), alone, _environment())
        print(f"undisturbed        {time.monotonic() - started:8.0f} s")
        started = time.monotonic()
        cores = max(LEAST_CORES, 2 * options.together)  # two jobs of batches fit on a node
        with running_cluster(folder / "slurm", cores) as cluster:
            saboteur = Saboteur(cluster, disturbed, random.Random(options.seed), options.interval)
            runs = _run(disturbed, saboteur, options.together)
            failed = cluster.jobs_ended()
        print(f"with failures      {time.monotonic() - started:8.0f} s, {runs} runs")
        for kind, number in sorted(saboteur.done.items()):
            print(f"{kind:<25}{number:>6}")
        states = Counter(re.findall(r"JobState=(\w+)", failed))
        print(", ".join(f"{number} jobs {state.lower()}" for state, number in sorted(states.items())))
        _compare(alone / "results" / NAME, disturbed / "results" / NAME)


def _make(folder: Path, data: Path, tokens: int, batches: int) -> Path:
    """Makes the crawl, one archive per batch, if it is not there, and returns its folder."""
    if len(list(folder.glob("*.warc.gz"))) == batches:
        return folder
    source = made_crawl.pages(running.crawl_archives(data, ("docs-0", "docs-1")))
    pages = max(1, tokens // text_crawl.PAGE_WORDS // batches)
    text_crawl.make(text_crawl.texts(source), batches, pages, folder)
    return folder


def _config(crawl: Path) -> dict[str, object]:
    """Returns a config with one archive per batch."""
    return {"batch_bytes": 1, "corpora": {NAME: {"language": "en", "archives": [f"{crawl}/*.warc.gz"]}}}


def _command(*options: str | Path) -> list[str | Path]:
    snakefile = running.REPOSITORY / "Snakefile"
    snakemake: list[str | Path] = [sys.executable, "-m", "snakemake", "-s", snakefile, "--configfile", "my.json"]
    return [*snakemake, *options]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONSAFEPATH": "1"}


def _run(folder: Path, saboteur: Saboteur, together: int) -> int:
    """Starts the workflow on SLURM until it ends well; returns how often it was started."""
    profile = running.REPOSITORY / "workflow" / "profiles" / "slurm"
    options = ("--slurm-no-account", "--latency-wait", "20", "--group-components")
    groups = (f"{name}={together}" for name in ("read", "write"))
    command = _command("--workflow-profile", profile, *options, *groups)
    for number in range(1, MOST_RUNS + 1):
        with (folder / f"run-{number}.log").open("wb") as log:
            run = subprocess.Popen(command, cwd=folder, env=_environment(), stdout=log, stderr=log)
            if saboteur.wait(run) == 0:
                return number
        saboteur.cluster.cancel_jobs()  # of a run that was killed
    raise running.CommandError(f"not complete after {MOST_RUNS} runs: see {folder}")


def _compare(alone: Path, disturbed: Path) -> None:
    """Compares all files of the corpus and all tables.

    Raises:
        CommandError: some differ, or are missing.
    """
    found = [_digests(folder) for folder in (alone, disturbed)]
    differing = sorted(name for name in found[0].keys() | found[1].keys() if found[0].get(name) != found[1].get(name))
    if differing:
        raise running.CommandError(f"{len(differing)} of {len(found[0])} files differ: {', '.join(differing[:10])}")
    print(f"{len(found[0])} files of the corpus and its tables have the same bytes")


def _digests(folder: Path) -> dict[str, str]:
    """Returns the SHA-256 of each file of the corpus and of its tables."""
    paths = [path for part in ("corpus", "statistics") for path in sorted((folder / part).rglob("*"))]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.is_file() and path.name not in TIMES
    }
