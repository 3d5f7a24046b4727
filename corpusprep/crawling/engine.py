"""Crawls by yield: Scrapy fetches; a host is visited as long as its pages give text (SpiderLing; PRESEMT D3.1.3, 3).

Scrapy has the queue, robots.txt, throttling, redirects, retries, and stopping and going on. Parts of its chain of
downloads are ours (middlewares.py).
"""

import contextlib
import functools
import re
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import CloseSpider, IgnoreRequest, StopDownload
from scrapy.http import HtmlResponse, Request, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.response import get_meta_refresh
from twisted.python.failure import Failure

from corpusprep.archive.records import host
from corpusprep.crawling import middlewares, queue, sitemaps
from corpusprep.crawling.limits import LONGEST_URL
from corpusprep.crawling.middlewares import header, is_robots, is_sitemap
from corpusprep.crawling.progress import JOB, CrawlRun, Progress
from corpusprep.crawling.queue import break_off
from corpusprep.crawling.resolver import Resolver
from corpusprep.crawling.url_lists import without_visit
from corpusprep.crawling.yields import Yields, is_failure
from corpusprep.errors import ConfigError

#: Seconds between two requests that a robots.txt can ask for.
LONGEST_DELAY = 30.0
#: A directive about previews; its value `none` says nothing about links.
_PREVIEW = re.compile(r"max-image-preview\s*:\s*\w*")


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
        crawler.signals.connect(spider.note_error, signals.spider_error)
        crawler.signals.connect(spider.read_robots, signals.robots_parsed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Asks for the seeds, and for what waited when an earlier run was full.

        Seeds of an earlier run are known, and only asked for again if they failed.
        """
        for url, depth in list(self.progress.waiting.items()):
            del self.progress.waiting[url]  # not before: a stop keeps what has not been asked for
            yield self.request(url, {}, meta={"depth": depth}, dont_filter=True)
        again = self.progress.failed.intersection(self.progress.seeds)
        for url in self.progress.seeds:
            yield self.request(url, {"seed": url}, dont_filter=url in again)

    def request(self, url: str, about: dict[str, str], **options: Any) -> Request:
        """Returns a request; `about` says what it is for.

        A page: nothing. A seed: `seed`, its address. A sitemap: `of`, its host, and `index`, where an index names it.
        """
        if "of" in about:
            options["meta"] = {**options.get("meta", {}), "download_maxsize": sitemaps.MOST_BYTES}
            options["dont_filter"] = True  # a later run reads them again: there may be new pages
            return Request(url, callback=self.read_sitemap, cb_kwargs=about, **options)
        errback = self.fail if "seed" in about else None
        return Request(url, callback=self.parse, errback=errback, cb_kwargs=about, **options)

    def read_robots(self, robotparser: Any, request: Request) -> None:
        """Keeps to the delay of a robots.txt, and notes its sitemaps."""
        delay = robotparser.crawl_delay(self.progress.crawl.access.user_agent) or 0.0
        name, engine = host(request.url), self.crawler.engine
        if delay > self.progress.crawl.access.delay and engine is not None:
            delay = min(float(delay), LONGEST_DELAY)
            self.progress.delayed.add(name)
            engine.downloader.per_slot_settings[name] = {"delay": delay, "concurrency": 1}
            if name in engine.downloader.slots:
                engine.downloader.slots[name].delay = delay
                engine.downloader.slots[name].concurrency = 1
        self.progress.named_sitemaps[name] = list(islice(robotparser.rp.sitemaps, sitemaps.MOST_SITEMAPS))

    def note_error(self, failure: Failure, response: Response) -> None:
        """Ends the crawl after a fault of this machine, such as a full disk; names a page that cannot be read."""
        error = failure.value
        if isinstance(error, OSError | MemoryError):
            break_off(self.crawler, error)
        else:
            print(f"crawl: {response.url}: cannot be read ({error})", file=sys.stderr)

    def fail(self, failure: Failure) -> None:
        """Notes a seed without a page."""
        progress, request = self.progress, failure.request  # type: ignore[attr-defined]
        seed = request.cb_kwargs["seed"]
        refused = isinstance(failure.value, IgnoreRequest) and host(request.url) not in progress.without_robots
        if progress.full or not (refused or isinstance(failure.value, StopDownload)):
            progress.failed.add(seed)
        else:
            progress.failed.discard(seed)
            progress.refused += 1

    def look_at_headers(self, headers: Any, body_length: int, request: Request, spider: Spider) -> None:
        """Leaves out bodies of another kind or size (PRESEMT D3.1.3, 3.1)."""
        named = {
            name.decode("latin-1").lower(): b",".join(several).decode("latin-1") for name, several in headers.items()
        }
        is_page = not is_robots(request) and not is_sitemap(request)
        if is_page and "location" not in named and not self.progress.crawl.limits.allows_body(named):
            raise StopDownload(fail=True)

    def parse(self, response: Response, seed: str = "") -> Iterator[Request]:
        """Judges a page, and follows its links if its host is worth it."""
        progress = self.progress
        if is_failure(response.status):
            if seed:
                progress.failed.add(seed)
            return
        progress.failed.discard(seed)
        text = response if isinstance(response, HtmlResponse) and response.status == HTTPStatus.OK else None
        clean = progress.judge.clean_bytes(text.body) if text is not None else 0
        progress.add(response.url, response.meta["transferred"], clean, is_page=text is not None)
        if text is not None and not progress.yields.is_dropped(host(text.url)):
            yield from self._follow(text)
            if clean and progress.crawl.sitemaps:
                yield from self._ask_for_sitemaps(text)
        if progress.full:
            raise CloseSpider(progress.full)

    def _follow(self, response: HtmlResponse) -> Iterator[Request]:
        """Asks for the links of a page, also if the crawl is full: the next run may have another limit."""
        robots = ",".join(response.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content").getall())
        if forbids_links(f"{robots},{header(response, 'X-Robots-Tag')}"):
            return
        links = [link.url for link in self._links.extract_links(response) if not link.nofollow]
        _, refresh = get_meta_refresh(response, ignore_tags=("noscript",))
        for url in map(without_visit, [refresh, *links] if refresh else links):
            if not self.progress.refusal(url):
                yield self.request(url, {})

    def _ask_for_sitemaps(self, page: Response) -> Iterator[Request]:
        """Asks for the sitemaps of a host, once: those that its robots.txt names, or the usual one."""
        progress, name = self.progress, host(page.url)
        if name in progress.sitemaps_left:
            return
        progress.sitemaps_left[name] = [sitemaps.MOST_SITEMAPS, sitemaps.MOST_ADDRESSES]
        for url in dict.fromkeys(progress.named_sitemaps.get(name) or ["/sitemap.xml"]):
            with contextlib.suppress(ValueError):  # it is no address
                yield from self._sitemap(page.urljoin(url), {"of": name})

    def _sitemap(self, url: str, about: dict[str, str]) -> Iterator[Request]:
        left = self.progress.sitemaps_left.setdefault(about["of"], [sitemaps.MOST_SITEMAPS, sitemaps.MOST_ADDRESSES])
        if left[0] > 0 and len(url) <= LONGEST_URL and self.progress.crawl.limits.allows_host(url):
            left[0] -= 1
            yield self.request(url, about)

    def read_sitemap(self, response: Response, of: str, index: str = "") -> Iterator[Request]:
        """Asks for the pages of a sitemap that are on its host; they count as links of the page that led to it."""
        if response.status != HTTPStatus.OK:
            return
        response.meta["depth"] -= 1
        left = self.progress.sitemaps_left.setdefault(of, [sitemaps.MOST_SITEMAPS, sitemaps.MOST_ADDRESSES])
        is_index, found = sitemaps.entries(response.body)
        for text in islice(found, max(0, left[1])):
            left[1] -= 1
            with contextlib.suppress(ValueError):  # it is no address
                url = without_visit(response.urljoin(text))
                if is_index and not index and url != response.url:
                    yield from self._sitemap(url, {"of": of, "index": response.url})
                elif not is_index and host(url) == of and not self.progress.refusal(url):
                    yield self.request(url, {})


def run(crawl: CrawlRun, seeds: Sequence[str]) -> Yields:
    """Crawls until there is nothing left to fetch, a limit is reached, or a signal ends it; returns the yields.

    The next run with the same folder goes on where this one ends. If this one is killed, the next run begins with the
    seeds again, and takes from the archives what has been fetched.

    Raises:
        ConfigError: another process crawls in the folder, or its state is damaged or of an earlier version, or all
            seeds are outside the limits, or the crawl has ended without any document.
        OSError: something cannot be written, such as on a full disk; the next run reads the archives again.
        LanguageError: the language is unknown.
    """
    allowed = [url for url in seeds if crawl.limits.allows(url)]
    if not allowed:
        raise ConfigError(
            f"all {len(seeds)} seeds are outside the limits (such as --host), or private (--allow-private); give others"
        )
    if len(allowed) < len(seeds):
        print(f"crawl: {len(seeds) - len(allowed)} of {len(seeds)} seeds are outside the limits", file=sys.stderr)
    progress = Progress(crawl, allowed)
    if progress.full:
        print(f"crawl: nothing is fetched, as the limit of {progress.full} is reached already", file=sys.stderr)
        return progress.yields
    progress.begin()
    process = CrawlerProcess(dict(settings(crawl, progress.private)))
    crawling: Any = process.crawl(YieldSpider, progress=progress)
    crawling.addErrback(lambda failure: progress.note_error(failure.value))
    try:
        process.start()
    finally:
        if progress.broken is None:
            progress.close()
    if progress.broken is not None:
        raise progress.broken
    progress.check_end()
    return progress.yields


def settings(crawl: CrawlRun, private: set[str]) -> Mapping[str, Any]:
    """Returns the settings of Scrapy for a crawl; hosts that are not asked, as they are private, are added to a set."""
    access = crawl.access
    own = f"{middlewares.__name__}."
    return {
        "USER_AGENT": access.user_agent,
        "ROBOTSTXT_OBEY": True,
        "AUTOTHROTTLE_ENABLED": access.delay > 0,
        "AUTOTHROTTLE_START_DELAY": access.delay,
        "DOWNLOAD_DELAY": access.delay,
        # Scrapy would wait between half and one and a half times the delay.
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS": crawl.connections,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1 if access.delay > 0 else 2,
        "DOWNLOAD_TIMEOUT": access.timeout,
        "DOWNLOAD_VERIFY_CERTIFICATES": not access.insecure,
        "TWISTED_DNS_RESOLVER": functools.partial(Resolver, allow_private=access.allow_private, private=private),
        "DOWNLOAD_MAXSIZE": crawl.limits.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DEPTH_LIMIT": crawl.limits.depth or 0,
        "CLOSESPIDER_TIMEOUT": crawl.most_seconds or 0,
        "RETRY_TIMES": 1,
        "REDIRECT_MAX_TIMES": 5,
        "METAREFRESH_ENABLED": False,  # such a page counts, and what it leads to is a link
        "HTTPERROR_ALLOW_ALL": True,
        "COOKIES_ENABLED": False,
        "REFERER_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "CRITICAL",
        "JOBDIR": str(crawl.output / JOB),
        # Breadth-first within each host; between hosts, the one with the fewest downloads at the moment.
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_PRIORITY_QUEUE": queue.Queue,
        "SCHEDULER_DISK_QUEUE": queue.JsonQueue,
        "SCHEDULER_START_DISK_QUEUE": queue.JsonQueue,
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        # Its state is a pickle, which can run code; ours is in yields.json.
        "EXTENSIONS": {"scrapy.extensions.spiderstate.SpiderState": None},
        # The gate stands before robots.txt is asked for, the recorder before compression is removed, the replay in the
        # place of the network.
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
            f"{own}Gate": 50,
            f"{own}Recorder": 880,
            f"{own}Replay": 890,
        },
    }


def forbids_links(directives: str) -> bool:
    """Returns whether robots directives of a page or a response (`X-Robots-Tag`) say `nofollow`, for any crawler.

    >>> [forbids_links(text) for text in ("NoFollow", "noindex nofollow", "bot: none", "max-image-preview:none, all")]
    [True, True, True, False]
    """
    words = re.split(r"[\s,:]+", _PREVIEW.sub("", directives.lower()))
    return not {"nofollow", "none"}.isdisjoint(words)
