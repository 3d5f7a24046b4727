"""Reading ahead: what is read next is made by a thread of its own, while the caller works on what came before."""

import queue
import threading
from collections.abc import Generator, Iterable, Iterator

#: Bytes that are handed over at once, or a chunk, if that is larger.
PIECE = 1 << 18
#: Pieces that wait at most.
WAITING = 2


def read_ahead(chunks: Iterable[bytes]) -> Generator[bytes]:
    """The bytes of `chunks` in their order, in larger pieces; what making them raises is raised here.

    It helps where most of the work, on both sides, is done without the interpreter's lock.
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
