"""Locks on folders."""

import errno
import fcntl
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpusprep.errors import ConfigError
from corpusprep.io import folder_locks

HOLD = """
import sys, time
from pathlib import Path
from corpusprep.io import folder_locks
print(folder_locks.lock(Path(sys.argv[1])), flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has locked a folder, which it has made."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "results" / "mine")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def test_a_folder_that_is_written_to_is_refused(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    """By one process at a time: two would write to one unfinished file."""
    with pytest.raises(ConfigError, match=r"mine: another process writes there; wait"):
        folder_locks.sole_writer(tmp_path / "results" / "mine").__enter__()
    other = tmp_path / "results" / "other"
    for _ in range(2):
        with folder_locks.sole_writer(other):
            assert other.is_dir()
        assert not other.exists()  # nothing was written


def test_a_folder_has_one_owner(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    """The owner is named; another folder is free; the death of the owner frees the folder."""
    folder = tmp_path / "results" / "mine"
    assert not folder_locks.lock(folder)
    assert folder_locks.owner(folder) in (holder.pid, None)  # None where /proc/locks cannot be read
    assert folder_locks.lock(tmp_path / "results" / "other")
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert folder_locks.lock(folder)
    assert list(folder.iterdir()) == []


def test_what_cannot_be_locked_is_free(tmp_path: Path) -> None:
    """A file in place of the folder is not the lock's business."""
    (tmp_path / "mine").touch()
    assert folder_locks.lock(tmp_path / "mine")
    assert folder_locks.owner(tmp_path / "none") is None


def test_a_file_has_one_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made; it is told apart from one on a file system without locks."""
    path = tmp_path / "lock"
    assert folder_locks.lock_file(path) is True
    assert folder_locks.lock_file(path) is False

    def no_locks(*arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    assert folder_locks.lock_file(path) is None
    assert folder_locks.lock(tmp_path)
