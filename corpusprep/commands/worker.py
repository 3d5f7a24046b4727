"""Runs command lines of other processes, one after another (see corpusprep.handover).

    python -m corpusprep.commands.worker SOCKET PIPE

SOCKET is a listening socket and PIPE the end of a pipe, both as numbers of open files. When the other end of the pipe
is closed, because the run has ended or was killed, the worker ends. A command that fails ends its worker too: the next
one starts in a process of its own.
"""

import contextlib
import marshal
import os
import signal
import socket
import sys
import tempfile
import threading
import traceback

from corpusprep.commands import application
from corpusprep.errors import InterruptedRunError
from corpusprep.handover import FREE
from corpusprep.io import times

#: Open files that come with a request: the standard ones, the folder, and a pipe with the rest.
FILES = 5


def main(socket_number: int, pipe_number: int) -> None:
    """Serves until the pipe is closed or a command fails."""
    threading.Thread(target=_end_with, args=(pipe_number,), daemon=True).start()
    with socket.socket(fileno=socket_number) as listening, contextlib.suppress(KeyboardInterrupt):
        while serve(listening):
            pass


def serve(listening: socket.socket) -> bool:
    """Runs the next command; returns whether the worker can go on."""
    client, _ = listening.accept()
    with client:
        try:
            client.sendall(FREE)
            arguments = _take_over(client)
        except (OSError, EOFError, ValueError):  # the command did not wait, or was killed
            return True
        ended = threading.Event()
        watcher = threading.Thread(target=_watch, args=(client, ended), daemon=True)
        watcher.start()
        try:
            code = _run(arguments)
        finally:
            ended.set()
            _let_go()
        with contextlib.suppress(OSError):  # the command was killed
            client.sendall(bytes([code & 0xFF]))
            client.shutdown(socket.SHUT_RDWR)
        watcher.join()
    return code == 0


def _take_over(client: socket.socket) -> list[str]:
    """Gives this process the standard files, folder and variables of a command; returns its arguments.

    Raises:
        OSError, EOFError, ValueError: the command has gone.
    """
    _, files, _, _ = socket.recv_fds(client, len(FREE), FILES)
    if len(files) != FILES:
        raise ValueError(f"{len(files)} open files")
    *standard, folder, pipe = files
    try:
        with open(pipe, "rb") as request:  # noqa: PTH123 - a number of an open file
            arguments, variables = marshal.load(request)
        for number, file in enumerate(standard):
            os.dup2(file, number)
        os.fchdir(folder)
    finally:
        for file in (*standard, folder):
            os.close(file)
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None  # it depends on the environment
    times.begin()
    return list(arguments)


def _let_go() -> None:
    """Closes the standard files of a command that has ended: who reads its output waits for that."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.close(nothing)


def _run(arguments: list[str]) -> int:
    """Runs a command line and returns its exit code, as Python would end with it."""
    try:
        application.main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except (InterruptedRunError, KeyboardInterrupt) as error:
        return 128 + getattr(error, "signal", signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _watch(client: socket.socket, ended: threading.Event) -> None:
    """Sends the main thread the signals that the other process gets; SIGTERM if it was killed."""
    while True:
        try:
            number = client.recv(1)
        except OSError:
            number = b""
        if ended.is_set():
            return
        signal.pthread_kill(threading.main_thread().ident or 0, number[0] if number else signal.SIGTERM)
        if not number:
            return


def _end_with(pipe_number: int) -> None:
    """Ends this process, and the command that it runs, when the other end of the pipe is closed."""
    while os.read(pipe_number, 1):
        pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
