"""What this machine has, and what a process may use of it: cores, memory, features of the processor, room on disks."""

import contextlib
import os
import platform
import shutil
import sys
from pathlib import Path

#: Limits of the memory of a group of processes (containers, clusters), by the mount of cgroups version 2 and version 1.
_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
#: A limit above it is none: version 1 writes the largest number of pages.
_NO_LIMIT = 1 << 60


def cores() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def installed_memory() -> int:
    """Returns the bytes of the machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def group_memory() -> int | None:
    """Returns the bytes that the process's group may use (a container, a job of a cluster); None without a limit."""
    limits = [limit for path in _group_files() if (limit := _number(path)) is not None and limit < _NO_LIMIT]
    return min(limits, default=None)


def memory() -> int:
    """Returns the bytes of memory that the processes of a run may use together."""
    return min(installed_memory(), group_memory() or _NO_LIMIT)


def _group_files() -> list[Path]:
    """Returns the files with the limit of the process's group and of those that it is in."""
    found = [Path(path) for path in _GROUP_LIMITS]
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, kinds, group = line.split(":", 2)
            name = "memory.max" if not kinds else "memory.limit_in_bytes"
            if not kinds or "memory" in kinds.split(","):
                mount = Path("/sys/fs/cgroup" if not kinds else "/sys/fs/cgroup/memory")
                here = mount / group.lstrip("/")
                found += [folder / name for folder in (here, *here.parents) if folder.is_relative_to(mount)]
    return found


def _number(path: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return None


def processor_features() -> frozenset[str]:
    """Returns the processor's features by the system's names, such as avx2; none if it does not say."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("flags", "Features"):
                return frozenset(value.split())
    return frozenset()


def is_x86() -> bool:
    """Returns whether the processor is one of Intel's or AMD's, with 64 bits."""
    return platform.machine().lower() in ("x86_64", "amd64")


def described() -> str:
    """Returns the system and the kind of processor: `Linux x86_64, Python 3.12.1`."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()} ({sys.executable})"


def room(folder: Path) -> int:
    """Returns the bytes that are free for a user in a folder, or in the nearest one above that is there."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(there).free
