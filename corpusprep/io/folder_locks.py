"""Locks on the folders of corpora, so that a second run of a corpus ends before its first job.

The lock is on the folder itself (flock) and ends with the process, however that ends: nothing is left behind. It holds
on one machine. File systems without locks on folders, such as NFS, lock nothing.
"""

import fcntl
import os
from pathlib import Path

#: The folders that this process has locked, by their descriptors.
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
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        return not isinstance(error, BlockingIOError)
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
    found = [words for line in lines if (words := line.split())[1] == "FLOCK" and words[5].endswith(f":{number}")]
    return int(found[0][4]) if found else None
