"""Runs a command in a process that cannot hold more memory than it is given."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

CGROUPS = Path("/sys/fs/cgroup")


def parent_group(root: Path = CGROUPS, own: Path = Path("/proc/self/cgroup")) -> tuple[Path, str] | None:
    """Returns where a group with a limit of memory can be made, and the file that takes the limit.

    Version 1 of control groups mounts a hierarchy for memory. Version 2 has one hierarchy. A group there, except the
    root, has either processes or children with limits, so the new group is made beside this process's own.

    Returns:
        The folder and the name of the file; None where no such hierarchy is mounted.
    """
    if (root / "memory").is_dir():
        return root / "memory", "memory.limit_in_bytes"
    if not (root / "cgroup.controllers").is_file():
        return None
    (line,) = [line for line in own.read_text(encoding="ascii").splitlines() if line.startswith("0::")]
    group = root / line.removeprefix("0::").lstrip("/")
    return (group if group == root else group.parent), "memory.max"


@contextlib.contextmanager
def hard_limit(size: int) -> Iterator[Path]:
    """A control group whose processes are killed where they hold more; skips the test where none can be made."""
    parent, limit = parent_group() or pytest.skip("no control groups that limit memory are mounted")
    group = parent / f"corpusprep-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")
    try:
        try:
            (group / limit).write_text(str(size), encoding="ascii")
        except OSError as error:
            pytest.skip(f"no limit of memory can be set: {error}")
        swap = group / "memory.swap.max"
        if swap.exists():  # version 2 does not count swapped memory
            swap.write_text("0", encoding="ascii")
        yield group
    finally:
        group.rmdir()


def least_memory(*arguments: object) -> int:
    """Returns the bytes that a command asks for at least, and two million more: a process's size differs a little."""
    line = [sys.executable, "-m", "corpusprep", *arguments, "--memory", 1]
    done = subprocess.run([*map(str, line)], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    needed = re.search(r"at least (\d+)M is needed", done.stderr)
    assert needed, done.stderr
    return (int(needed[1]) + 2) * 10**6


def run(memory: int, times: Path, *arguments: object) -> int:
    """Runs a command that may use `memory` bytes, in a process that cannot hold more; checks its peak and returns it.

    The peak is the one that the command writes to `times`: that of wait4 includes this process's own, from before exec.
    """
    line = [sys.executable, "-m", "corpusprep", "--times", times, *arguments, "--memory", memory]
    with hard_limit(memory) as group:
        command = ["bash", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "-", *map(str, line)]
        done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    peak = pl.read_csv(times, separator="\t")["peak_memory_mb"].item() * 2**20
    assert 0 < peak <= memory, (arguments[:2], peak)
    return int(peak)
