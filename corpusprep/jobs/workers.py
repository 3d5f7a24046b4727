"""Starts the workers of a run: processes that run the commands of a small corpus one after another.

On the sample (62 jobs), loading libraries took two thirds of the CPU time; on 44 MB of documentation, a fifth. On
batches of some hundred megabytes it is less than a percent, and a process per step bounds memory better. So only small
corpora have workers.
"""

import atexit
import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from corpusprep import handover
from corpusprep.config.settings import CorpusSettings
from corpusprep.io import memory, partials

#: Workers at most; further jobs at the same time are processes of their own.
MOST = 4
#: Bytes of the archives of a run, as stored, up to which it has workers.
SMALL = 200_000_000
#: The least setting `memory` with which it has workers: they hold what earlier commands have loaded, up to 0.3 GB.
LEAST_MEMORY = 1_000_000_000
#: Seconds for the workers to end.
PATIENCE = 10.0


def suit(stored: int, least_memory: int, own_code: bool) -> bool:
    """Returns whether a run should have workers; CORPUSPREP_WORKERS, set and empty, forbids them.

    Args:
        stored: bytes of all archives.
        least_memory: the smallest setting `memory` of its corpora, in bytes.
        own_code: whether a corpus uses a user's own code, which may keep anything between two commands.
    """
    allowed = os.environ.get(handover.WORKERS) != "" and memory.address_space() is None
    return allowed and stored <= SMALL and least_memory >= LEAST_MEMORY and not own_code


def has_own_code(corpus: CorpusSettings) -> bool:
    """Returns whether a corpus uses a user's own code."""
    return any("code" in section for section in corpus.sections.values())


def start(count: int) -> Callable[[], None]:
    """Starts workers for the jobs that this process starts, which find them by the environment.

    They end with this process, or when the function that is returned is called. Folders of workers whose process was
    killed are removed.
    """
    temporary = Path(tempfile.gettempdir())
    partials.clear([temporary], below=False)
    folder = partials.named(temporary / "w")  # short: the path of a socket has at most 107 bytes
    folder.mkdir(mode=0o700)
    remove = functools.partial(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(remove)
    path = folder / "s"
    reading, writing = os.pipe()
    processes: list[subprocess.Popen[bytes]] = []
    with socket.socket(socket.AF_UNIX) as listening:
        descriptors = (listening.fileno(), reading)
        command = [sys.executable, "-m", "corpusprep.commands.worker", *map(str, descriptors)]
        # Without a socket: the path is too long for one, or the file system has none.
        with contextlib.suppress(OSError):
            listening.bind(str(path))
            listening.listen()
            os.environ[handover.WORKERS] = str(path)
            # In sessions of their own, Ctrl-C reaches the commands only, which pass it on.
            processes += (
                subprocess.Popen(command, pass_fds=descriptors, stdin=subprocess.DEVNULL, start_new_session=True)
                for _ in range(min(count, MOST))
            )
    os.close(reading)

    def stop() -> None:
        os.environ.pop(handover.WORKERS, None)
        os.close(writing)
        for process in processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        remove()
        atexit.unregister(remove)

    return stop
