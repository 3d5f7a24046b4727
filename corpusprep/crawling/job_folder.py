"""The folder of a crawl's state, `.job`: who crawls, whether the last run was killed, and the state of its yields.

Scrapy says which queues are open only when a crawl ends in order. After a run that was killed, queue and state are made
again from the archives (`replay`), until no request that waits in the queue has its response there.
"""

import json
import os
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpusprep.errors import ConfigError
from corpusprep.io import folder_locks
from corpusprep.io.files import replacing

#: Locked while a crawl runs; it has the process and its machine.
_LOCK = "lock"
#: Is there while a crawl runs, and after a crawl that did not end in order.
_RUNNING = "running"
#: Is there until the responses in the archives have been read again.
_REPLAY = "replay"
_STATE = "yields.json"
#: Of Scrapy: the numbers of the queues of each host.
_QUEUES = "requests.queue/active.json"
#: Of Scrapy, in folders of earlier versions: a pickle, as the queue beside it; reading one can run code.
_PICKLED = "spider.state"


class JobFolder:
    """The folder, for one process.

    Attributes:
        path: the folder.
        replays: whether responses in the archives are to be read again.
    """

    def __init__(self, path: Path, *, has_archives: bool = False) -> None:
        """Takes the folder until this process ends; drops the queue and the state of a crawl that was killed.

        Args:
            path: the folder; it is made.
            has_archives: whether there are archives of an earlier run; they are read again if the folder is new.

        Raises:
            ConfigError: a crawl runs there, or it cannot be known whether one does; or the folder has links, which may
                lead out of it; or its state is of an earlier version.
        """
        self.path = path
        is_new = not path.is_dir()
        path.mkdir(parents=True, exist_ok=True)
        if link := next((inner for inner in (path, *path.rglob("*")) if inner.is_symlink()), None):
            raise self.damaged(link, "a link")
        self._running, self._replay, self._state = path / _RUNNING, path / _REPLAY, path / _STATE
        self._take()
        if is_new and has_archives:
            self._replay.touch()
        if self._running.exists():
            self._replay.touch()
            for left in path.iterdir():
                if left.is_dir() and not left.is_symlink():
                    shutil.rmtree(left)
                elif left.name not in {_LOCK, _RUNNING, _REPLAY}:
                    left.unlink()
        elif (path / _PICKLED).exists():
            raise self.damaged(path / _PICKLED, "of an earlier version, and could run code")
        else:
            self._check_queue()
        self.replays = self._replay.exists()

    def begin(self) -> None:
        """Notes that the crawl runs; until `end`, its queue is not complete on disk."""
        self._running.touch()

    def end(self, *, replayed: bool) -> None:
        """Notes that queue and state are complete on disk.

        Args:
            replayed: whether no response in the archives is needed any more.
        """
        if replayed:
            self._replay.unlink(missing_ok=True)
        self._running.unlink(missing_ok=True)

    def read(self) -> dict[str, Any] | None:
        """Returns the state that an earlier run has written, or None.

        Raises:
            ConfigError: it is damaged.
        """
        if not self._state.exists():
            return None
        try:
            state = json.loads(self._state.read_text(encoding="utf-8"))
        except (ValueError, OSError):
            state = None
        if not isinstance(state, dict):
            raise self.damaged(self._state)
        return state

    def damaged(self, place: Path | None = None, fault: str = "damaged") -> ConfigError:
        """Returns the error of a state that cannot be read: the file with a fault, if it is known."""
        return ConfigError(
            f"{place or self.path}: {fault}; remove {self.path}, and the same command reads the archives again"
        )

    def write(self, state: Mapping[str, Any]) -> None:
        """Writes the state from which a later run goes on."""
        with replacing(self._state) as temporary:
            temporary.write_text(json.dumps(state), encoding="utf-8")

    def _check_queue(self) -> None:
        """Refuses a table of open queues with anything but numbers, which become names of folders."""
        table = self.path / _QUEUES
        try:
            queues = json.loads(table.read_text(encoding="utf-8")) if table.exists() else {}
            fine = all(type(number) is int for numbers in (queues or {}).values() for number in numbers)
        except (ValueError, TypeError, AttributeError):
            fine = False
        if not fine:
            raise self.damaged(table)

    def _take(self) -> None:
        lock = self.path / _LOCK
        locked = folder_locks.lock_file(lock)
        words = lock.read_text(encoding="utf-8", errors="replace").split()
        process, machine = (int(words[0]), words[1]) if len(words) == 2 and words[0].isdecimal() else (0, "")
        named = f"process {process} on {machine}" if process else "another process"
        if locked is False:
            raise ConfigError(f"{self.path.parent}: {named} crawls there; wait for its end, or stop it (Ctrl-C)")
        here = socket.gethostname()
        if locked is None and process and self._running.exists() and not (machine == here and _has_ended(process)):
            raise ConfigError(
                f"{self.path.parent}: {named} crawls there, or was killed: the file system has no locks; if it does not"
                f" run any more, remove {lock}, and the same command goes on"
            )
        lock.write_text(f"{os.getpid()} {here}\n", encoding="utf-8")


def _has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
