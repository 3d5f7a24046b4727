"""A SLURM of two nodes on this machine, and what can happen to it: jobs that are killed, nodes that are lost."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from running import REPOSITORY

CONFIGURATION = Path("/etc/slurm/slurm.conf")
_SCRIPTS = REPOSITORY / "tests" / "slurm"
_PROCESSES = Path("/proc")
#: Cores that a node is said to have, at least.
LEAST_CORES = 3


def obstacle() -> str | None:
    """Returns why no SLURM can be started here, with the remedy; None if one can."""
    if not (shutil.which("slurmctld") and shutil.which("munged") and find_spec("snakemake_executor_plugin_slurm")):
        return "no SLURM (Debian: apt-get install slurm-wlm munge; pip install '.[slurm]')"
    if os.geteuid() != 0:
        return "only root can start a SLURM"
    if os.path.lexists(CONFIGURATION):
        return f"{CONFIGURATION} is there: this machine's own SLURM is left alone"
    return None


@contextlib.contextmanager
def running_cluster(folder: Path, cpus: int = LEAST_CORES) -> Iterator["Cluster"]:
    """Starts a SLURM of two nodes of `cpus` cores, whose files are in `folder`, and ends it when the block ends."""
    try:
        subprocess.run([_SCRIPTS / "up.sh", folder, str(cpus)], check=True)
        yield Cluster(folder)
    finally:
        subprocess.run([_SCRIPTS / "down.sh", folder], check=True)


@dataclass(frozen=True)
class JobProcess:
    """A process of a job.

    Attributes:
        number: its process number.
        node: the name of its node.
        words: its command line.
    """

    number: int
    node: str
    words: tuple[str, ...]


def job_processes(folder: Path) -> Iterator[JobProcess]:
    """Yields the processes of jobs that run in `folder`."""
    for entry in _PROCESSES.glob("[0-9]*"):
        with contextlib.suppress(OSError, KeyError):  # it has ended, or is no job's
            words = tuple((entry / "cmdline").read_text(errors="replace").split("\0"))
            if (entry / "cwd").readlink() == folder:
                yield JobProcess(int(entry.name), _variables(entry)["SLURMD_NODENAME"], words)


def kill(number: int) -> None:
    """Kills a process, if it has not ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


@dataclass(frozen=True)
class Cluster:
    """A running SLURM, whose files are in a folder."""

    folder: Path

    def jobs_ended(self) -> str:
        """Returns SLURM's record of jobs: one line per finished job."""
        path = self.folder / "log" / "jobs"
        return path.read_text() if path.exists() else ""

    def lose_node(self, node: str) -> None:
        """Kills the daemon of a node and all processes on it, as a power cut would."""
        kill(int((self.folder / f"slurmd-{node}.pid").read_text()))
        stewards, others = set(), set()
        for entry in _PROCESSES.glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended
                if _variables(entry).get("SLURMD_NODENAME") == node:
                    others.add(int(entry.name))
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    if (_PROCESSES / str(parent) / "comm").read_text().startswith("slurmstepd"):
                        stewards.add(parent)
        for number in (*stewards, *others):  # first those that would report the others' end
            kill(number)

    def cancel_jobs(self) -> None:
        """Cancels all jobs."""
        subprocess.run(["scancel", "--me"], check=True)

    def repair_node(self, node: str) -> None:
        """Starts the daemon of a lost node again."""
        subprocess.run(["slurmd", "-N", node], check=True)


def _variables(process: Path) -> dict[str, str]:
    """Returns the environment of a process, given by its folder."""
    pairs = (process / "environ").read_text(errors="replace").split("\0")
    return dict(pair.partition("=")[::2] for pair in pairs)
