"""Hands a command line over to a worker: a process that has loaded the libraries for an earlier one.

Loading Python's libraries takes 0.2 to 0.9 CPU seconds per command, and the work of a step on a small batch a tenth of
that. A run of the workflow on a small corpus therefore starts workers (jobs.workers). The variable WORKERS names
their socket. A command that finds a free worker there hands over its arguments, folder, environment and open files, and
ends with the code that comes back. Without a worker it runs by itself: the result is the same.

This module is loaded by every command, so it uses the standard library only.
"""

import contextlib
import marshal
import os
import signal
import socket
from collections.abc import Iterator, Sequence

#: The environment variable that names the socket.
WORKERS = "CORPUSPREP_WORKERS"
#: Seconds that a command waits for a free worker.
PATIENCE = 0.25
#: What a worker sends when it is free.
FREE = b"+"
#: Signals that a command passes on to its worker.
PASSED_ON = (signal.SIGINT, signal.SIGTERM)
#: The exit code of a command whose worker was killed: as if it had been killed itself.
KILLED = 128 + signal.SIGKILL


def hand_over(arguments: Sequence[str]) -> int | None:
    """Lets a worker run a command, and returns its exit code; None if no worker is free."""
    path = os.environ.get(WORKERS)
    if not path:
        return None
    with socket.socket(socket.AF_UNIX) as worker:
        if not _is_free(worker, path, PATIENCE):
            return None
        with _passing_on(worker):
            if not _ask(worker, arguments):
                return None
            try:
                code = worker.recv(1)
            except OSError:
                code = b""
            return code[0] if code else KILLED


def wait(seconds: float) -> bool:
    """Waits until a worker is free; returns whether one is in time."""
    with socket.socket(socket.AF_UNIX) as worker:
        return _is_free(worker, os.environ.get(WORKERS, ""), seconds)


def _is_free(worker: socket.socket, path: str, seconds: float) -> bool:
    """Connects to a worker that is free; returns whether there was one in time."""
    worker.settimeout(seconds)
    try:
        worker.connect(path)
        return worker.recv(1) == FREE
    except OSError:
        return False
    finally:
        worker.settimeout(None)


def _ask(worker: socket.socket, arguments: Sequence[str]) -> bool:
    """Sends a request; returns whether the worker has it.

    It is the standard files, the folder, and a pipe that gives arguments and variables. The socket is for signals.
    """
    reading, writing = os.pipe()
    with contextlib.suppress(OSError), open(writing, "wb") as request:  # noqa: PTH123 - a number of an open file
        try:
            folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
            try:
                socket.send_fds(worker, [FREE], [0, 1, 2, folder, reading])
            finally:
                os.close(folder)
        finally:
            os.close(reading)
        marshal.dump((list(arguments), dict(os.environ)), request)
        return True
    return False  # a standard file is closed, or the worker has just ended


@contextlib.contextmanager
def _passing_on(worker: socket.socket) -> Iterator[None]:
    """Sends signals to the worker, which ends the command as it would end itself."""

    def pass_on(number: int, _: object) -> None:
        with contextlib.suppress(OSError):
            worker.send(bytes([number]))

    before = {number: signal.signal(number, pass_on) for number in PASSED_ON}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
