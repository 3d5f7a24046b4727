"""Runs command lines of other processes, one after another (see corpusprep.handover).

    python -m corpusprep.commands.worker SOCKET PIPE

SOCKET is a listening socket and PIPE the end of a pipe, both as numbers of open files. When the other end of the pipe
is closed, because the run has ended or was killed, the worker ends. A command that fails ends its worker too: the next
one starts in a process of its own.
"""

import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator

from corpusprep.commands import application
from corpusprep.errors import InterruptedRunError
from corpusprep.handover import FREE, LENGTH
from corpusprep.io import times

#: Seconds after which a signal is passed on, if the command has not ended: Ctrl-C reaches the worker by itself, too.
GRACE = 0.2
#: Open files that come with a request.
FILES = 4


def main(socket_number: int, pipe_number: int) -> None:
    """Serves until the pipe is closed or a command fails."""
    threading.Thread(target=_end_with, args=(pipe_number,), daemon=True).start()
    with socket.socket(fileno=socket_number) as listening, contextlib.suppress(KeyboardInterrupt):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked while this process started
        while serve(listening):
            pass


def serve(listening: socket.socket) -> bool:
    """Runs the next command; returns whether the worker can go on."""
    client, _ = listening.accept()
    with client:
        try:
            client.sendall(FREE)
            request = _request(client)
        except OSError:  # the command did not wait
            return True
        if request is None:
            return True
        arguments, variables, files = request
        ended = threading.Event()
        watcher = threading.Thread(target=_watch, args=(client, ended), daemon=True)
        watcher.start()
        try:
            with _in_place_of(variables, files):
                code = _run(arguments)
        finally:
            ended.set()
        with contextlib.suppress(OSError):  # the command was killed
            client.sendall(bytes([code & 0xFF]))
            client.shutdown(socket.SHUT_RDWR)
        watcher.join()
    return code == 0


def _request(client: socket.socket) -> tuple[list[str], dict[str, str], list[int]] | None:
    """Receives arguments, variables and open files: the standard ones and the folder; None if the command has gone."""
    head, files, _, _ = socket.recv_fds(client, LENGTH.size, FILES)
    count, length = LENGTH.unpack(head) if len(head) == LENGTH.size and len(files) == FILES else (0, -1)
    request = b""
    while len(request) < length and (part := client.recv(length - len(request))):
        request += part
    if len(request) != length:
        for file in files:
            os.close(file)
        return None
    words = [os.fsdecode(word) for word in request.split(b"\0")[:-1]]
    return words[:count], dict(word.split("=", 1) for word in words[count:]), files


@contextlib.contextmanager
def _in_place_of(variables: dict[str, str], files: list[int]) -> Iterator[None]:
    """Gives this process the variables, the standard files and the folder of another until the block ends."""
    *standard, folder = files
    own = [os.dup(number) for number in range(len(standard))]
    kept = dict(os.environ)
    try:
        for number, file in enumerate(standard):
            os.dup2(file, number)
        os.fchdir(folder)
        _set(variables)
        times.begin()
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        for number, file in enumerate(own):
            os.dup2(file, number)
        for file in (*own, *files):
            os.close(file)
        _set(kept)


def _set(variables: dict[str, str]) -> None:
    """Replaces the environment, and forgets what depends on it."""
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None


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
        if ended.wait(GRACE if number else 0.0):
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
