"""Runs what takes long for a page: in threads of its own, until it is done or nobody waits any more."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from corpusprep.inspection.ending import SearchEndedError, ended_by, ending
from corpusprep.io.progress import told_to

#: Queries that run at the same time; each may use all cores. Others wait, and quick pages do not wait for them.
AT_ONCE = 3
#: Seconds between two looks whether somebody still waits.
_INTERVAL = 0.1

Answer = Callable[[Request], Response]


class Queries:
    """The threads of queries."""

    def __init__(self, ended: Callable[[], bool]) -> None:
        """Makes the threads.

        Args:
            ended: says whether the server ends; then queries end, too.
        """
        self._pool = ThreadPoolExecutor(AT_ONCE, "query")
        self._ended = ended
        self._locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
        self._done: dict[Request, str] = {}

    def page(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """Returns the endpoint of a page that takes long. Its query ends when the browser closes the connection."""

        async def asked(request: Request) -> Response:
            left = threading.Event()

            def run() -> Response:
                try:
                    with ended_by(lambda: left.is_set() or self._ended()), told_to(tell):
                        return answer(request)
                finally:
                    self._done.pop(request, None)

            def tell(done: str) -> None:
                self._done[request] = done

            work = asyncio.get_running_loop().run_in_executor(self._pool, run)
            leaving = asyncio.ensure_future(_leaving(request))
            either: list[asyncio.Future[Any]] = [work, leaving]
            try:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if work.done():
                    return await work
                work.cancel()  # if it has not begun
                return Response(status_code=499)  # nobody reads it
            finally:
                left.set()
                leaving.cancel()

        return asked

    def done(self, corpus: str) -> str:
        """Returns how much of the query on a corpus that began last is done; empty if it is not known."""
        of_corpus = [said for request, said in list(self._done.items()) if request.path_params.get("corpus") == corpus]
        return of_corpus[-1] if of_corpus else ""

    @contextmanager
    def alone(self, folder: Path) -> Iterator[None]:
        """Keeps others from making the same list of a corpus at the same time: it would be counted twice.

        Raises:
            SearchEndedError: nobody waits any more.
        """
        lock, ended = self._locks[folder], ending()
        while not lock.acquire(timeout=_INTERVAL):
            if ended():
                raise SearchEndedError
        try:
            yield
        finally:
            lock.release()


async def _leaving(request: Request) -> None:
    """Returns when the browser has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
