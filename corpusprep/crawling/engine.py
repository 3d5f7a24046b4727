"""Crawls by yield: Scrapy fetches; a host is visited as long as its pages give text (SpiderLing; PRESEMT D3.1.3, 3).

Scrapy has the queue, robots.txt, throttling, redirects, retries, and stopping and going on. Three parts of its chain of
downloads are ours: the gate, which lets through what the limits and the yields allow; the recorder, which writes
requests and responses as they are transferred; and the replay, which answers from the archives after a crawl that was
killed.
"""

import datetime
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import CloseSpider, IgnoreRequest, StopDownload
from scrapy.http import HtmlResponse, Request, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.pqueues import DownloaderAwarePriorityQueue
from scrapy.settings import default_settings
from twisted.python.failure import Failure

from corpusprep.archive.records import host
from corpusprep.crawling.downloads import LONGEST_PAUSE, retry_after
from corpusprep.crawling.job_folder import JobFolder
from corpusprep.crawling.judging import PageJudge
from corpusprep.crawling.limits import Limits
from corpusprep.crawling.replay import REPLAYED, ArchivedResponses
from corpusprep.crawling.warc_output import WarcFiles, as_date, now
from corpusprep.crawling.yields import Yields, is_failure
from corpusprep.errors import ConfigError

TABLE = "yield.tsv"
JOB = ".job"
#: Documents after which the table is written.
_SAVED_EVERY = 500
_SECONDS_BETWEEN_LINES = 10.0
#: Times that a page is asked for again after a pause that its host asked for.
_TRIES_AFTER_PAUSES = 3
#: Scrapy 2.19 warns about the second name, earlier versions do not know the first.
_JITTER = "DOWNLOAD_DELAY_JITTER" if hasattr(default_settings, "DOWNLOAD_DELAY_JITTER") else "RANDOMIZE_DOWNLOAD_DELAY"
#: A directive about previews; its value `none` says nothing about links.
_PREVIEW = re.compile(r"max-image-preview\s*:\s*\w*")
_NO_BODY = frozenset({"transfer-encoding", "content-length"})
#: What stands for a robots.txt that cannot be had (RFC 9309, 2.3.1.4), and the flag of responses that are not written.
_NOTHING_ALLOWED = b"User-agent: *\nDisallow: /\n"
_MADE = "made"
#: A robots.txt from the archives must not be older (RFC 9309, 2.4).
_ROBOTS_AGE = datetime.timedelta(hours=24)


@dataclass(slots=True, kw_only=True)
class Crawl:
    """A crawl.

    Attributes:
        output: folder for the archives, the table of yields, and the state of the crawl.
        language: code, or path of a model.
        user_agent: what hosts are told about who crawls.
        limits: what may be fetched.
        dropping: whether the yield decides which hosts are visited further; otherwise the crawl is breadth-first.
        host_documents: the most documents of a host.
        most_documents, most_bytes, most_seconds: after which the crawl ends; None: it ends with its queue.
        delay: seconds between two requests to a host, at least.
        timeout: seconds for a response.
        connections: at the same time, to all hosts.
    """

    output: Path
    language: str
    user_agent: str
    limits: Limits
    dropping: bool = True
    host_documents: int | None = None
    most_documents: int | None = None
    most_bytes: int | None = None
    most_seconds: int | None = None
    delay: float = 1.0
    timeout: float = 60.0
    connections: int = 16


class Progress:
    """The state of a crawl while it runs."""

    def __init__(self, crawl: Crawl, seeds: Sequence[str]) -> None:
        """Begins, or goes on where an earlier run has stopped, or begins again with the archives if it was killed."""
        self.crawl, self.seeds = crawl, seeds
        self._job = JobFolder(crawl.output / JOB)
        self.yields = Yields(dropping=crawl.dropping, most_documents=crawl.host_documents)
        #: Seeds of this or an earlier run that brought no response yet.
        self.failed: set[str] = set()
        #: Hosts of this run whose robots.txt could not be had.
        self.without_robots: set[str] = set()
        self.refused = 0
        #: Hosts that asked for a pause, and when it ends (time.monotonic).
        self.pauses: dict[str, float] = {}
        #: Why the crawl has ended, as Scrapy says it.
        self.reason = ""
        seen: list[int] = []
        state = self._job.read()
        if state is not None:
            try:
                self.yields.restore(state)
                seen = state["seen"]
                self.failed = set(state.get("failed", ()))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise self._job.damaged() from None
        self.yields.forgive(map(host, self.failed))
        self.judge = PageJudge(crawl.language, seen=seen)
        about = {"http-header-user-agent": crawl.user_agent, "robots": "obey", "description": "corpusprep crawl"}
        self.files = WarcFiles(crawl.output, "crawl", about)
        #: The responses of the archives, after a crawl that was killed.
        self.archived: ArchivedResponses | None = None
        if self._job.replays:
            archives = self.files.paths()
            self.archived = ArchivedResponses(archives, crawl.limits.max_bytes)
            print(
                f"crawl: a run was killed: {self.archived.pages:,} pages of {len(archives)} archives are read again",
                file=sys.stderr,
                flush=True,
            )
        self._documents = sum(found.documents for found in self.yields.hosts.values())
        self._said = time.monotonic()

    def begin(self) -> None:
        """Notes that the crawl runs; until `end`, its queue is not complete on disk."""
        self._job.begin()

    def end(self, reason: str) -> None:
        """Writes the state, now that the queue is complete on disk; notes why the crawl has ended."""
        self.reason = reason
        self._job.write({**self.yields.state(), "seen": sorted(self.judge.seen), "failed": sorted(self.failed)})
        has_all = reason == "finished" and not self.failed
        self._job.end(replayed=self.archived is None or has_all or self.archived.is_over(self._is_out))

    def check_end(self) -> None:
        """Refuses a crawl that has ended without any document.

        Raises:
            ConfigError: it has.
        """
        if self.reason == "finished" and not self._documents:
            raise ConfigError(
                f"no document was fetched: {len(self.failed)} of {len(self.seeds)} seeds failed, {self.refused} were"
                " refused by robots.txt or for their type or size; check the seeds and the network (the same command"
                " asks again for those that failed)"
            )

    @property
    def full(self) -> str:
        """Why the crawl ends now; "" if it goes on."""
        if self.crawl.most_bytes is not None and self.yields.fetched >= self.crawl.most_bytes:
            return "bytes"
        if self.crawl.most_documents is not None and self._documents >= self.crawl.most_documents:
            return "documents"
        return ""

    def refusal(self, url: str) -> str:
        """Returns why an address is not fetched, or ""."""
        if not self.crawl.limits.allows(url):
            return "outside the limits"
        return "the host is not visited further" if self.yields.is_dropped(host(url)) else self.full

    def add(self, url: str, fetched: int, clean: int) -> None:
        """Counts a document."""
        self.yields.add(host(url), fetched, clean)
        self._documents += 1
        if self._documents % _SAVED_EVERY == 0:
            self._write_table()
        if time.monotonic() - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = time.monotonic()
            print(f"crawl: {self.yields.summary()}", file=sys.stderr, flush=True)

    def pause(self, name: str, seconds: float) -> None:
        """Asks a host for nothing for that time."""
        self.pauses[name] = time.monotonic() + min(seconds, LONGEST_PAUSE)

    def paused(self) -> set[str]:
        """Returns the hosts that are not asked at the moment."""
        if self.pauses:
            present = time.monotonic()
            self.pauses = {name: end for name, end in self.pauses.items() if end > present}
        return set(self.pauses)

    def close(self) -> None:
        """Completes the archives and the table of yields."""
        self.files.close()
        self._write_table()

    def _write_table(self) -> None:
        self.yields.write(self.crawl.output / TABLE)

    def _is_out(self, url: str) -> bool:
        """Returns whether an address is not asked for in a later run, either."""
        return not self.crawl.limits.allows(url) or self.yields.is_out(host(url))


class YieldSpider(Spider):
    """Follows the links of pages on hosts that are worth it."""

    name = "corpusprep"

    def __init__(self, progress: Progress, **options: Any) -> None:
        super().__init__(**options)
        self.progress = progress
        self._links = LinkExtractor()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *arguments: Any, **options: Any) -> Self:
        """Makes the spider, and looks at the headers of responses before their bodies."""
        spider = super().from_crawler(crawler, *arguments, **options)
        crawler.signals.connect(spider.look_at_headers, signals.headers_received)
        crawler.signals.connect(spider.progress.end, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Asks for the seeds; those of an earlier run are known, and only asked for again if they failed."""
        again = self.progress.failed.intersection(self.progress.seeds)
        for url in self.progress.seeds:
            yield Request(
                url, callback=self.parse, errback=self.fail, cb_kwargs={"seed": url}, dont_filter=url in again
            )

    def fail(self, failure: Failure) -> None:
        """Notes a seed without a page."""
        progress, request = self.progress, failure.request  # type: ignore[attr-defined]
        seed = request.cb_kwargs["seed"]
        without_robots = host(request.url) in progress.without_robots
        if isinstance(failure.value, StopDownload) or (isinstance(failure.value, IgnoreRequest) and not without_robots):
            progress.failed.discard(seed)
            progress.refused += 1
        else:
            progress.failed.add(seed)

    def look_at_headers(self, headers: Any, body_length: int, request: Request, spider: Spider) -> None:
        """Leaves out bodies of another kind or size (PRESEMT D3.1.3, 3.1)."""
        named = {
            name.decode("latin-1").lower(): b",".join(several).decode("latin-1") for name, several in headers.items()
        }
        if not _is_robots(request) and "location" not in named and not self.progress.crawl.limits.allows_body(named):
            raise StopDownload(fail=True)

    def parse(self, response: Response, seed: str = "") -> Iterator[Request]:
        """Judges a page, and follows its links if its host is worth it."""
        progress = self.progress
        if _is_failure(response):
            if seed:
                progress.failed.add(seed)
            return
        progress.failed.discard(seed)
        is_page = isinstance(response, HtmlResponse) and response.status == HTTPStatus.OK
        clean = progress.judge.clean_bytes(response.body) if is_page else 0
        progress.add(response.url, response.meta["transferred"], clean)
        if progress.full:
            raise CloseSpider(progress.full)
        if not isinstance(response, HtmlResponse) or not is_page or progress.yields.is_dropped(host(response.url)):
            return
        robots = ",".join(response.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content").getall())
        if forbids_links(f"{robots},{_header(response, 'X-Robots-Tag')}"):
            return
        for link in self._links.extract_links(response):
            if not link.nofollow and not progress.refusal(link.url):
                yield Request(link.url, callback=self.parse)


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
        waiting |= _progress(self.crawler).paused()
        aside = {name: self.pqueues.pop(name) for name in waiting if name in self.pqueues}
        try:
            return super().pop()
        finally:
            self.pqueues.update(aside)


class Gate:
    """Lets through robots.txt, and links and redirects that the limits and the yields allow.

    A host whose robots.txt cannot be had (no response, 5xx, 429, too large) is not visited (RFC 9309, 2.3.1.4).
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the gate."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Refuses a request.

        Raises:
            IgnoreRequest: it is outside the limits, or its host is not visited further.
        """
        if not _is_robots(request) and (reason := _progress(self._crawler).refusal(request.url)):
            raise IgnoreRequest(reason)

    def process_response(self, request: Request, response: Response) -> Response:
        """Replaces a robots.txt that the host fails to give."""
        return self._nothing_allowed(request) if _is_robots(request) and _is_failure(response) else response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Replaces a robots.txt without a response."""
        return self._nothing_allowed(request) if _is_robots(request) else None

    def _nothing_allowed(self, request: Request) -> Response:
        name = host(request.meta.get("redirect_urls", [request.url])[0])
        progress = _progress(self._crawler)
        progress.without_robots.add(name)
        progress.yields.fail(name)
        return Response(request.url, body=_NOTHING_ALLOWED, flags=[_MADE], request=request)


class Replay:
    """Answers requests from the archives after a crawl that was killed: without the network, and without a delay."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the replay."""
        return cls(crawler)

    def process_request(self, request: Request) -> Response | None:
        """Returns the response in the archives; a robots.txt only if it is not too old."""
        archived = _progress(self._crawler).archived
        if archived is None:
            return None
        since = as_date(datetime.datetime.now(datetime.UTC) - _ROBOTS_AGE) if _is_robots(request) else ""
        return archived.response(request.url, since)


class Recorder:
    """Writes each request and response as it was transferred, and counts what brings no page."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the recorder."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Writes a response, unless it is from the archives."""
        if _MADE in response.flags:
            return response
        progress = _progress(self._crawler)
        body = response.body
        request.meta["transferred"] = len(body)
        if REPLAYED not in response.flags:
            headers = [(name, value) for name, value in _pairs(response.headers) if name.lower() not in _NO_BODY]
            progress.files.exchange(
                response.url,
                now(),
                f"{response.status} {_phrase(response.status)}",
                [*headers, ("Content-Length", str(len(body)))],
                body,
                (_request_line(request), [("Host", urlsplit(request.url).netloc), *_pairs(request.headers)]),
                str(response.ip_address or ""),
            )
        if _is_robots(request):
            return response
        if _is_failure(response):
            self._fail(request, response)
        elif "Location" in response.headers:
            progress.add(response.url, len(body), 0)
        return response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Counts a request without a response; a failure whose body was left out is still one."""
        stopped = getattr(exception, "response", None) if isinstance(exception, StopDownload) else None
        if isinstance(stopped, Response) and _is_failure(stopped):
            if not _is_robots(request):
                self._fail(request, stopped)
            return stopped.replace(body=b"", flags=[_MADE])
        if not isinstance(exception, IgnoreRequest | StopDownload) and not _is_robots(request):
            _progress(self._crawler).yields.fail(host(request.url))
        return None

    def _fail(self, request: Request, response: Response) -> None:
        """Counts a failure, and keeps to the pause that the host asks for; those during a pause count as one."""
        progress, name = _progress(self._crawler), request.meta["download_slot"]
        if name not in progress.paused():
            progress.yields.fail(host(response.url))
        if seconds := retry_after(_header(response, "Retry-After")):
            progress.pause(name, seconds)
            request.meta["max_retry_times"] = _TRIES_AFTER_PAUSES


def run(crawl: Crawl, seeds: Sequence[str]) -> Yields:
    """Crawls until there is nothing left to fetch, a limit is reached, or a signal ends it; returns the yields.

    The next run with the same folder goes on where this one ends. If this one is killed, the next run begins with the
    seeds again, and takes from the archives what has been fetched.

    Raises:
        ConfigError: another process crawls in the folder, or its state is damaged, or all seeds are outside the limits,
            or the crawl has ended without any document.
        LanguageError: the language is unknown.
    """
    allowed = [url for url in seeds if crawl.limits.allows(url)]
    if not allowed:
        raise ConfigError(f"all {len(seeds)} seeds are outside the limits (--host, --top-level); give others")
    if len(allowed) < len(seeds):
        print(f"crawl: {len(seeds) - len(allowed)} of {len(seeds)} seeds are outside the limits", file=sys.stderr)
    progress = Progress(crawl, allowed)
    progress.begin()
    process = CrawlerProcess(dict(settings(crawl)))
    process.crawl(YieldSpider, progress=progress)
    try:
        process.start()
    finally:
        progress.close()
    progress.check_end()
    return progress.yields


def settings(crawl: Crawl) -> Mapping[str, Any]:
    """Returns the settings of Scrapy for a crawl."""
    own = f"{__name__}."
    return {
        "USER_AGENT": crawl.user_agent,
        "ROBOTSTXT_OBEY": True,
        "AUTOTHROTTLE_ENABLED": crawl.delay > 0,
        "AUTOTHROTTLE_START_DELAY": crawl.delay,
        "DOWNLOAD_DELAY": crawl.delay,
        # Scrapy would wait between half and one and a half times the delay.
        _JITTER: 0,
        "CONCURRENT_REQUESTS": crawl.connections,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1 if crawl.delay > 0 else 2,
        "DOWNLOAD_TIMEOUT": crawl.timeout,
        "DOWNLOAD_MAXSIZE": crawl.limits.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DEPTH_LIMIT": crawl.limits.depth or 0,
        "CLOSESPIDER_TIMEOUT": crawl.most_seconds or 0,
        "RETRY_TIMES": 1,
        "REDIRECT_MAX_TIMES": 5,
        "HTTPERROR_ALLOW_ALL": True,
        "COOKIES_ENABLED": False,
        "REFERER_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "CRITICAL",
        "JOBDIR": str(crawl.output / JOB),
        # Breadth-first within each host; between hosts, the one with the fewest downloads at the moment.
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_PRIORITY_QUEUE": f"{own}Queue",
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        # The gate stands before robots.txt is asked for, the recorder before compression is removed, the replay in the
        # place of the network.
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
            f"{own}Gate": 50,
            f"{own}Recorder": 880,
            f"{own}Replay": 890,
        },
    }


def _progress(crawler: Crawler) -> Progress:
    spider = crawler.spider
    if not isinstance(spider, YieldSpider):
        raise TypeError("the chain is for YieldSpider")
    return spider.progress


def _is_robots(request: Request) -> bool:
    """Returns whether Scrapy asks for a robots.txt, also where that is elsewhere by a redirect."""
    return bool(request.meta.get("dont_obey_robotstxt"))


def _is_failure(response: Response) -> bool:
    return is_failure(response.status)


def forbids_links(directives: str) -> bool:
    """Returns whether robots directives of a page or a response (`X-Robots-Tag`) say `nofollow`, for any crawler.

    >>> [forbids_links(text) for text in ("NoFollow", "noindex nofollow", "bot: none", "max-image-preview:none, all")]
    [True, True, True, False]
    """
    words = re.split(r"[\s,:]+", _PREVIEW.sub("", directives.lower()))
    return not {"nofollow", "none"}.isdisjoint(words)


def _request_line(request: Request) -> str:
    parts = urlsplit(request.url)
    return f"{request.method} {parts.path or '/'}{'?' if parts.query else ''}{parts.query} HTTP/1.1"


def _pairs(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, several in headers.items() for value in several]


def _header(response: Response, name: str) -> str:
    return ",".join(value.decode("latin-1") for value in response.headers.getlist(name))


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Other"
