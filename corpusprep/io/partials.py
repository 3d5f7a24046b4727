"""Temporary files and folders (`.partial`): who writes them, and which of them nobody writes any more.

Several machines may write to one folder, and a run that was killed may have jobs that still work on other machines. So
the name of a temporary file says which process writes it: the machine, the number of the process and its start. On the
same machine, a process can be looked up. For other machines, a process renews its lease: it touches its files every few
minutes. What was not touched for an hour has no owner. Times come from the file system, not from the machine's clock.
"""

import contextlib
import os
import re
import secrets
import shutil
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

#: Seconds between two renewals.
RENEWAL = 300.0
#: Seconds without renewal after which a file of another machine has no owner. A process that was stopped for longer
#: than this (SIGSTOP) fails when it goes on, and its job runs again.
LEASE = 3600.0

_NAME = re.compile(r"\..+\.(?P<machine>[0-9a-f]{8})-(?P<process>\d+)-(?P<start>\d+)-[0-9a-f]{8}\.partial")


@contextlib.contextmanager
def owned(path: Path) -> Iterator[Path]:
    """Gives a temporary path beside `path` that names this process; what is there is removed when the block ends."""
    temporary = named(path)
    try:
        with _LEASES.held(temporary):
            yield temporary
    finally:
        _remove(temporary)


def named(path: Path) -> Path:
    """Returns a temporary path beside `path` whose name says that this process owns it."""
    process = os.getpid()
    owner = f"{_machine()}-{process}-{_start(process) or 0}"
    return path.with_name(f".{path.name}.{owner}-{secrets.token_hex(4)}.partial")


def clear(folders: Iterable[Path], *, below: bool = True) -> int:
    """Removes the temporary files and folders in `folders` that no running process owns.

    Args:
        folders: need not exist.
        below: whether to look into the folders in them, too.

    Returns:
        The number that were removed.
    """
    removed = 0
    for folder in folders:
        now: float | None = None
        for path in _partials(folder, below):
            lease = _NAME.fullmatch(path.name)
            if not lease:
                continue
            if lease["machine"] == _machine():
                ended = _start(int(lease["process"])) != int(lease["start"])
            else:
                now = _time_of_file_system(folder) if now is None else now
                ended = now is not None and _is_stale(path, now)
            if ended:
                removed += _remove(path)
    return removed


class _Leases:
    """Touches the temporary files of this process. A thread does it, as long as there are any."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paths: set[Path] = set()
        self._none_left = threading.Event()

    @contextlib.contextmanager
    def held(self, path: Path) -> Iterator[None]:
        """Renews the lease of `path` until the block ends."""
        with self._lock:
            if not self._paths:
                self._none_left = threading.Event()
                threading.Thread(target=self._renew, args=(self._none_left,), daemon=True, name="leases").start()
            self._paths.add(path)
        try:
            yield
        finally:
            with self._lock:
                self._paths.discard(path)
                if not self._paths:
                    self._none_left.set()

    def _renew(self, none_left: threading.Event) -> None:
        while not none_left.wait(RENEWAL):
            for path in tuple(self._paths):
                with contextlib.suppress(OSError):
                    os.utime(path)


_LEASES = _Leases()


@cache
def _machine() -> str:
    """Returns what tells apart machines, their boots, and containers in which processes have numbers of their own."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
        known = boot + str(Path("/proc/self/ns/pid").readlink())
    except OSError:  # not on Linux: as if each process had a machine of its own, so that leases decide
        known = secrets.token_hex(8)
    return blake2b(known.encode(), digest_size=4).hexdigest()


def _start(process: int) -> int | None:
    """Returns the start of a process in clock ticks since boot; None if it does not run, or cannot be looked up."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


def _partials(folder: Path, below: bool) -> list[Path]:
    partials = []
    for parent, folders, files in os.walk(folder):
        partials += [Path(parent, name) for name in (*folders, *files) if name.endswith(".partial")]
        folders[:] = [name for name in folders if below and not name.endswith(".partial")]
    return partials


def _is_stale(path: Path, now: float) -> bool:
    """Returns whether neither a file, nor anything in a folder, was touched within the lease."""
    newest = 0.0
    for part in (path, *path.rglob("*")):
        try:
            newest = max(newest, part.stat().st_mtime)
        except FileNotFoundError:  # it was just renamed or removed, by its owner
            return False
    return newest < now - LEASE


def _time_of_file_system(folder: Path) -> float | None:
    """Returns the time as the file system of `folder` has it; None if nothing can be written there."""
    probe = folder / f".{secrets.token_hex(8)}.time"
    try:
        probe.touch()
        try:
            return probe.stat().st_mtime
        finally:
            probe.unlink(missing_ok=True)
    except OSError:
        return None


def _remove(path: Path) -> bool:
    """Removes a file or a folder; returns whether there was one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return True
    try:
        path.unlink()
    except OSError:
        return False
    return True
