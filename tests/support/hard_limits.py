"""Runs a command in a process that cannot hold more memory than it is given."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl


@contextlib.contextmanager
def hard_limit(size: int) -> Iterator[Path | None]:
    """A control group whose processes are killed where they hold more; None where none can be made."""
    group = Path("/sys/fs/cgroup/memory") / f"corpusprep-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        yield None
        return
    try:
        (group / "memory.limit_in_bytes").write_text(str(size), encoding="ascii")
        yield group
    finally:
        group.rmdir()


def least_memory(*arguments: object) -> int:
    """Bytes that a command asks for at least, and two million more: what a process holds differs a little."""
    line = [sys.executable, "-m", "corpusprep", *arguments, "--memory", 1]
    done = subprocess.run([*map(str, line)], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    needed = re.search(r"at least (\d+)M is needed", done.stderr)
    assert needed, done.stderr
    return (int(needed[1]) + 2) * 10**6


def run(memory: int, times: Path, *arguments: object) -> int:
    """Runs a command that may use `memory` bytes, in a process that cannot hold more; checks its peak and gives it.

    The peak is as the command gives it in `times`: what wait4 tells has this process's own in it, from before exec.
    """
    line = [sys.executable, "-m", "corpusprep", "--times", times, *arguments, "--memory", memory]
    with hard_limit(memory) as group:
        join = f"echo $$ > {group}/cgroup.procs; " if group else ""
        command = ["bash", "-c", join + 'exec "$@"', "-", *map(str, line)]
        done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    peak = pl.read_csv(times, separator="\t")["peak_memory_mb"].item() * 2**20
    assert 0 < peak <= memory, (arguments[:2], peak)
    return int(peak)
