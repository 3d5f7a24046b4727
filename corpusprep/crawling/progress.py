"""The state of a crawl while it runs."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.archive.records import host
from corpusprep.crawling.job_folder import JobFolder
from corpusprep.crawling.judging import PageJudge
from corpusprep.crawling.limits import Limits
from corpusprep.crawling.replay import ArchivedResponses
from corpusprep.crawling.warc_output import WarcFiles
from corpusprep.crawling.yields import Yields
from corpusprep.errors import ConfigError
from corpusprep.remote.downloads import LONGEST_PAUSE
from corpusprep.remote.network import Access

TABLE = "yield.tsv"
JOB = ".job"
#: Documents after which the table is written.
_SAVED_EVERY = 500
_SECONDS_BETWEEN_LINES = 10.0


@dataclass(slots=True, kw_only=True)
class CrawlRun:
    """A crawl.

    Attributes:
        output: folder for the archives, the table of yields, and the state of the crawl.
        language: code, or path of a model.
        access: how hosts are asked; the delay is between two requests to a host, at least.
        limits: what may be fetched.
        dropping: whether the yield decides which hosts are visited further; otherwise the crawl is breadth-first.
        sitemaps: whether sitemaps of hosts that give text are read.
        host_documents: the most documents of a host.
        most_documents, most_bytes, most_seconds: after which the crawl ends; None: it ends with its queue.
        connections: at the same time, to all hosts.
    """

    output: Path
    language: str
    access: Access
    limits: Limits
    dropping: bool = True
    sitemaps: bool = True
    host_documents: int | None = None
    most_documents: int | None = None
    most_bytes: int | None = None
    most_seconds: int | None = None
    connections: int = 16


class Progress:
    """The state of a crawl while it runs."""

    def __init__(self, crawl: CrawlRun, seeds: Sequence[str]) -> None:
        """Begins, or goes on where an earlier run has stopped, or begins again with the archives if it was killed."""
        self.crawl, self.seeds = crawl, seeds
        self._job = JobFolder(crawl.output / JOB, has_archives=any(crawl.output.glob("crawl-*.warc.gz*")))
        self.yields = Yields(dropping=crawl.dropping, most_documents=crawl.host_documents)
        #: Seeds of this or an earlier run that brought no response yet.
        self.failed: set[str] = set()
        #: Hosts of this run whose robots.txt could not be had.
        self.without_robots: set[str] = set()
        self.refused = 0
        #: What was wrong with the first request without a response.
        self.first_fault = ""
        #: Hosts of this run that are this machine or in a private network.
        self.private: set[str] = set()
        #: Hosts of this run whose robots.txt says a delay.
        self.delayed: set[str] = set()
        #: Sitemaps that the robots.txt of hosts names; what may still be asked for of hosts that gave text.
        self.named_sitemaps: dict[str, list[str]] = {}
        self.sitemaps_left: dict[str, list[int]] = {}
        #: Addresses that were taken from the queue when the crawl was full, and their links from a seed.
        self.waiting: dict[str, int] = {}
        #: Hosts that asked for a pause, and when it ends (time.monotonic).
        self.pauses: dict[str, float] = {}
        #: An error after which the crawl cannot go on.
        self.broken: Exception | None = None
        #: Why the crawl has ended, as Scrapy says it.
        self.reason = ""
        seen: list[int] = []
        state = self._job.read()
        if state is not None:
            try:
                self.yields.restore(state)
                seen = state["seen"]
                self.failed = set(state.get("failed", ()))
                self.waiting = dict(state.get("waiting", {}))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise self._job.damaged() from None
        self.yields.forgive(map(host, self.failed))
        self.judge = PageJudge(crawl.language, seen=seen)
        about = {"http-header-user-agent": crawl.access.user_agent, "robots": "obey", "description": "corpusprep crawl"}
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
        self._documents = sum(host_yield.documents for host_yield in self.yields.hosts.values())
        self._said = time.monotonic()

    def begin(self) -> None:
        """Notes that the crawl runs; until `end`, its queue is not complete on disk."""
        self._job.begin()

    def end(self, reason: str) -> None:
        """Writes the state, now that the queue is complete on disk; notes why the crawl has ended."""
        self.reason = reason
        if self.broken is not None:  # the queue may not be complete: the next run reads the archives again
            return
        left = {"failed": sorted(self.failed), "waiting": dict(sorted(self.waiting.items()))}
        self._job.write({**self.yields.state(), "seen": sorted(self.judge.seen), **left})
        has_all = reason == "finished" and not self.failed and not self.waiting
        self._job.end(replayed=self.archived is None or has_all or self.archived.is_over(self._is_out))

    def check_end(self) -> None:
        """Names hosts that were not asked; refuses a crawl that has ended without any document.

        Raises:
            ConfigError: it has.
        """
        if self.private:
            print(
                f"crawl: not asked, as they are this machine or in private networks: {', '.join(sorted(self.private))};"
                " if they are yours to ask, give --allow-private",
                file=sys.stderr,
            )
        if self.reason == "finished" and not self._documents:
            others = sum(host_yield.others for host_yield in self.yields.hosts.values())
            raise ConfigError(
                f"no document was fetched: {len(self.failed)} of {len(self.seeds)} seeds failed, {self.refused} were"
                f" refused by robots.txt or for their type or size, {others} answers were no pages{self.first_fault};"
                " check the seeds and the network (the same command asks again for those that failed)"
            )

    def note_error(self, error: Exception) -> bool:
        """Notes an error after which the crawl cannot go on; returns whether it is the first."""
        is_first = self.broken is None
        self.broken = self.broken or error
        return is_first

    def note_fault(self, url: str, error: Exception) -> None:
        """Notes what was wrong with a request, if it is the first."""
        if not self.first_fault:
            said = " ".join(str(error).split())[:200]
            remedy = "; --insecure takes such certificates" if "certificate verify failed" in said else ""
            self.first_fault = f"; first fault: {url}: {said or type(error).__name__}{remedy}"

    def damaged(self) -> ConfigError:
        """Returns the error of a state that cannot be read."""
        return self._job.damaged()

    @property
    def full(self) -> str:
        """Why the crawl ends now; "" if it goes on."""
        if self.broken is not None:
            return "error"
        if self.crawl.most_bytes is not None and self.yields.fetched >= self.crawl.most_bytes:
            return "bytes"
        if self.crawl.most_documents is not None and self._documents >= self.crawl.most_documents:
            return "documents"
        return ""

    def refusal(self, url: str) -> str:
        """Returns why an address is not fetched by this crawl, or ""."""
        if not self.crawl.limits.allows(url) or host(url) in self.private:
            return "outside the limits"
        return "the host is not visited further" if self.yields.is_dropped(host(url)) else ""

    def add(self, url: str, fetched: int, clean: int, *, is_page: bool) -> None:
        """Counts a document, or another answer."""
        self.yields.add(host(url), fetched, clean, is_page=is_page)
        self._documents += is_page
        if is_page and self._documents % _SAVED_EVERY == 0:
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
