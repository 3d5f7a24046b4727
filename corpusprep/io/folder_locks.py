"""Locks on the folders of corpora and of crawls, so that a second run ends before it changes anything.

A lock (flock) ends with its process, however that ends. On a folder itself, it leaves nothing behind, and holds on one
machine; file systems without locks on folders, such as NFS, lock nothing. On a file, it holds on NFS, too, and there
for all machines.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from corpusprep.errors import ConfigError

#: The folders and files that this process has locked, by their descriptors.
_HELD: list[int] = []


def lock(folder: Path) -> bool:
    """Locks a folder until this process ends.

    Returns:
        False if another process of this machine has locked it; True also where it cannot be locked.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return True
    return _lock(descriptor) is not False


def lock_file(path: Path) -> bool | None:
    """Locks a file, which is made if it is missing, until this process ends.

    Returns:
        False if another process has locked it; None if the file system has no locks.

    Raises:
        OSError: the file cannot be opened for writing.
    """
    return _lock(os.open(path, os.O_RDWR | os.O_CREAT, 0o666))


@contextlib.contextmanager
def turn(path: Path) -> Iterator[None]:
    """Locks a file, which is made if it is missing, while the block runs; waits until nobody else has locked it.

    Others are threads and processes. Where the file system has no locks, the block runs without one.

    Raises:
        OSError: the file cannot be opened for writing.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Locks a folder while the block runs. It is made if it is missing, and removed if it is empty then.

    Raises:
        ConfigError: another process of this machine writes there.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise ConfigError(
            f"{folder}: another process writes there; wait until it has ended, or choose another"
        ) from None
    except OSError:  # a file system without locks
        pass
    try:
        yield
    finally:
        os.close(descriptor)
        if is_new:
            with contextlib.suppress(OSError):  # it has files
                folder.rmdir()


def _lock(descriptor: int) -> bool | None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        return False if isinstance(error, BlockingIOError) else None
    _HELD.append(descriptor)
    return True


def owner(folder: Path) -> int | None:
    """Returns the number of the process that has locked a folder; None if it cannot be found."""
    try:
        number = folder.stat().st_ino
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    # 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
    locks = [words for line in lines if (words := line.split())[1] == "FLOCK" and words[5].endswith(f":{number}")]
    return int(locks[0][4]) if locks else None
