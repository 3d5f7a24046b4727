"""The parts of Scrapy's chain of downloads that are ours.

The gate lets through what the limits and the yields allow; the replay answers from the archives after a crawl that was
killed; the recorder writes requests and responses as they are transferred.
"""

import datetime
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Request, Response

from corpusprep.archive.records import host
from corpusprep.crawling.progress import Progress
from corpusprep.crawling.queue import break_off, progress_of
from corpusprep.crawling.replay import REPLAYED
from corpusprep.crawling.warc_output import as_date, now
from corpusprep.crawling.yields import is_failure
from corpusprep.remote.connections import retry_after

#: Times that a page is asked for again after a pause that its host asked for.
_TRIES_AFTER_PAUSES = 3
_NO_BODY = frozenset({"transfer-encoding", "content-length"})
#: What stands for a robots.txt that cannot be had (RFC 9309, 2.3.1.4), and the flag of responses that are not written.
_NOTHING_ALLOWED = b"User-agent: *\nDisallow: /\n"
_MADE = "made"
#: A robots.txt from the archives must not be older (RFC 9309, 2.4).
_ROBOTS_AGE = datetime.timedelta(hours=24)


class _Part:
    """A part of the chain of downloads."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the part."""
        return cls(crawler)

    @property
    def _progress(self) -> Progress:
        """The state of the crawl; its spider is there when requests come."""
        return progress_of(self._crawler)


class Gate(_Part):
    """Lets through robots.txt of hosts that the limits allow, and links and redirects that limits and yields allow.

    A host whose robots.txt cannot be had (no response, 5xx, 429, too large) is not visited (RFC 9309, 2.3.1.4).
    """

    def process_request(self, request: Request) -> None:
        """Refuses a request.

        Raises:
            IgnoreRequest: it is outside the limits, also a redirect of robots.txt, or its host is not visited further.
        """
        progress = self._progress
        if is_robots(request) or is_sitemap(request):
            if not progress.crawl.limits.allows_host(request.url) or (progress.full and is_sitemap(request)):
                raise IgnoreRequest("outside the limits")
            return
        if reason := progress.refusal(request.url):
            raise IgnoreRequest(reason)
        if progress.full:
            # Seeds count as failed, and are asked for again by that.
            if "seed" not in request.cb_kwargs:
                progress.waiting[request.url] = request.meta.get("depth", 0)
            raise IgnoreRequest(progress.full)

    def process_response(self, request: Request, response: Response) -> Response:
        """Replaces a robots.txt that the host fails to give."""
        return self._nothing_allowed(request) if is_robots(request) and is_failure(response.status) else response

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Replaces a robots.txt without a response."""
        return self._nothing_allowed(request) if is_robots(request) else None

    def _nothing_allowed(self, request: Request) -> Response:
        name = host(request.meta.get("redirect_urls", [request.url])[0])
        progress = self._progress
        progress.without_robots.add(name)
        progress.yields.fail(name)
        return Response(request.url, body=_NOTHING_ALLOWED, flags=[_MADE], request=request)


class Replay(_Part):
    """Answers requests from the archives after a crawl that was killed: without the network, and without a delay."""

    def process_request(self, request: Request) -> Response | None:
        """Returns the response in the archives; a robots.txt only if it is not too old."""
        if host(request.url) in self._progress.delayed:
            request.meta["autothrottle_dont_adjust_delay"] = True
        archived = self._progress.archived
        if archived is None:
            return None
        since = as_date(datetime.datetime.now(datetime.UTC) - _ROBOTS_AGE) if is_robots(request) else ""
        return archived.response(request.url, since)


class Recorder(_Part):
    """Writes each request and response as it was transferred, and counts what brings no page."""

    def process_response(self, request: Request, response: Response) -> Response:
        """Writes a response, unless it is from the archives."""
        if _MADE in response.flags:
            return response
        progress = self._progress
        body = response.body
        request.meta["transferred"] = len(body)
        if REPLAYED not in response.flags:
            try:
                self._write(request, response)
            except OSError as error:  # Scrapy would take a full disk for a fault of the network, and go on
                break_off(self._crawler, error)
                raise IgnoreRequest("not written") from None
        if is_robots(request):
            return response
        if is_failure(response.status):
            self._fail(request, response)
        elif "Location" in response.headers and not is_sitemap(request):
            progress.add(response.url, len(body), 0, is_page=False)
        return response

    def _write(self, request: Request, response: Response) -> None:
        headers = [(name, value) for name, value in _pairs(response.headers) if name.lower() not in _NO_BODY]
        self._progress.files.exchange(
            response.url,
            now(),
            f"{response.status} {_phrase(response.status)}",
            [*headers, ("Content-Length", str(len(response.body)))],
            response.body,
            (_request_line(request), [("Host", urlsplit(request.url).netloc), *_pairs(request.headers)]),
            str(response.ip_address or ""),
        )

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Counts a request without a response; a failure whose body was left out is still one."""
        stopped = getattr(exception, "response", None) if isinstance(exception, StopDownload) else None
        if isinstance(stopped, Response) and is_failure(stopped.status):
            if not is_robots(request):
                self._fail(request, stopped)
            return stopped.replace(body=b"", flags=[_MADE])
        if not isinstance(exception, IgnoreRequest | StopDownload):
            self._progress.note_fault(request.url, exception)
            if not is_robots(request):
                self._progress.yields.fail(host(request.url))
        return None

    def _fail(self, request: Request, response: Response) -> None:
        """Counts a failure, and keeps to the pause that the host asks for; those during a pause count as one."""
        progress, name = self._progress, request.meta["download_slot"]
        if name not in progress.paused():
            progress.yields.fail(host(response.url))
        if seconds := retry_after(header(response, "Retry-After")):
            progress.pause(name, seconds)
            request.meta["max_retry_times"] = _TRIES_AFTER_PAUSES


def is_robots(request: Request) -> bool:
    """Returns whether Scrapy asks for a robots.txt, also where that is elsewhere by a redirect."""
    return bool(request.meta.get("dont_obey_robotstxt"))


def is_sitemap(request: Request) -> bool:
    """Returns whether a sitemap is asked for."""
    return "of" in request.cb_kwargs


def header(response: Response, name: str) -> str:
    """Returns the values of a header of a response, joined by commas."""
    return ",".join(value.decode("latin-1") for value in response.headers.getlist(name))


def _request_line(request: Request) -> str:
    parts = urlsplit(request.url)
    return f"{request.method} {parts.path or '/'}{'?' if parts.query else ''}{parts.query} HTTP/1.1"


def _pairs(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, several in headers.items() for value in several]


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Other"
