"""Prefetches chunks in a background thread."""

import queue
import threading
from collections.abc import Generator, Iterable, Iterator

#: Bytes per piece; a larger chunk is one piece.
PIECE = 1 << 18
#: The most pieces that wait.
WAITING = 2


def read_ahead(chunks: Iterable[bytes]) -> Generator[bytes]:
    """Yields the bytes of `chunks` in order, in larger pieces; errors of the thread are raised here.

    This helps if most of the work, on both sides, does not hold the interpreter's lock.
    """
    room = threading.Semaphore(WAITING)
    made: queue.SimpleQueue[bytes | BaseException | None] = queue.SimpleQueue()
    left = threading.Event()

    def work() -> None:
        try:
            for piece in _pieces(chunks):
                room.acquire()
                if left.is_set():
                    return
                made.put(piece)
            made.put(None)
        except BaseException as error:
            made.put(error)

    thread = threading.Thread(target=work, name="read ahead")
    thread.start()
    try:
        while (piece := made.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            room.release()
            yield piece
    finally:
        left.set()
        room.release()
        thread.join()


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
