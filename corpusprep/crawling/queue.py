"""The queue of requests: hosts that may be asked at the moment, and JSON lines on disk.

Scrapy's own queues on disk are pickles or marshalled objects, which can run code when they are read. Here an entry is
an address, words and numbers; what a request calls is not among them.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Self

from queuelib.queue import FifoDiskQueue
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.pqueues import DownloaderAwarePriorityQueue
from scrapy.utils.defer import deferred_from_coro

from corpusprep.crawling.progress import Progress

#: What an entry has of `Request.meta`: numbers.
_META = ("depth", "redirect_times", "redirect_ttl", "retry_times", "max_retry_times")


class Queue(DownloaderAwarePriorityQueue):
    """Scrapy's queue of requests, without hosts that asked for a pause or that have enough open requests.

    What waits stays on disk: it takes no other host's connection, and a stop need not wait for it. Scrapy asks again
    after each response, and every 5 s.
    """

    def pop(self) -> Request | None:
        """Returns the next request, or None if no host may be asked at the moment."""
        if self.crawler.engine is None:
            raise TypeError("the queue is for a crawl that runs")
        downloader = self.crawler.engine.downloader
        running = Counter(map(downloader.get_slot_key, downloader.active))
        most = self.crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        waiting = {name for name, count in running.items() if count >= most}
        waiting |= progress_of(self.crawler).paused()
        aside = {name: self.pqueues.pop(name) for name in waiting if name in self.pqueues}
        try:
            return super().pop()
        finally:
            self.pqueues.update(aside)


class JsonQueue:
    """Requests on disk, the first one first."""

    def __init__(self, crawler: Crawler, path: str) -> None:
        """Opens the queue in a folder, which is made."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._crawler = crawler
        self._entries = FifoDiskQueue(path)
        self.close = self._entries.close

    @classmethod
    def from_crawler(cls, crawler: Crawler, path: str) -> Self:
        """Makes the queue."""
        return cls(crawler, path)

    def __len__(self) -> int:
        return len(self._entries)

    def push(self, request: Request) -> None:
        """Adds a request; a disk without room ends the crawl.

        Raises:
            ValueError: it cannot be stored; Scrapy then keeps it in memory.
        """
        meta = {name: request.meta[name] for name in _META if name in request.meta}
        entry = [request.url, request.priority, request.dont_filter, request.cb_kwargs, meta]
        try:
            self._entries.push(json.dumps(entry).encode())
        except OSError as error:
            break_off(self._crawler, error)
            raise ValueError(str(error)) from None

    def pop(self) -> Request | None:
        """Returns the next request; None if there is none. An entry that is none ends the crawl."""
        data = self._entries.pop()
        if not data:
            return None
        try:
            url, priority, again, about, meta = json.loads(data)
            numbers = {name: int(meta[name]) for name in _META if name in meta}
            words = {str(name): str(value) for name, value in about.items()}
            made: Request = self._crawler.spider.request(  # type: ignore[union-attr]
                str(url), words, priority=int(priority), dont_filter=bool(again), meta=numbers
            )
            return made
        except (ValueError, TypeError, KeyError, AttributeError):
            break_off(self._crawler, progress_of(self._crawler).damaged())
            return None


def progress_of(crawler: Crawler) -> Progress:
    """Returns the state of a crawl; its spider is there when requests come."""
    progress = getattr(crawler.spider, "progress", None)
    if not isinstance(progress, Progress):
        raise TypeError("the chain is for a spider with a Progress")
    return progress


def break_off(crawler: Crawler, error: Exception) -> None:
    """Ends a crawl that cannot go on; `engine.run` raises the error when open requests are finished."""
    if progress_of(crawler).note_error(error):
        engine: Any = crawler.engine
        deferred_from_coro(engine.close_spider_async(reason="error"))
