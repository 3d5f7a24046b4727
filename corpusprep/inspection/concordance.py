"""Finds words and sequences in a corpus, or in what its cleaning removed, and shows them in their context."""

import hashlib
import heapq
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Condition

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import CorpusprepError
from corpusprep.inspection.concordance_lines import SORTS as SORTS
from corpusprep.inspection.concordance_lines import ConcordanceLine as ConcordanceLine
from corpusprep.inspection.concordance_lines import Context
from corpusprep.inspection.concordance_lines import HitCounts as HitCounts
from corpusprep.inspection.concordance_lines import in_order as in_order
from corpusprep.inspection.ending import SearchEndedError
from corpusprep.inspection.matching import Matcher
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import parse
from corpusprep.inspection.records import batches_of
from corpusprep.inspection.search_texts import CORPUS, STAGES, pieces
from corpusprep.io.progress import tell
from corpusprep.tables.crawl_files import refuse_crawl

#: Characters of context on each side.
WIDTH = 100
#: The most lines that are sorted: they are all in memory.
MOST_SORTED = 200_000
#: Lines of a batch that wait to be shown; then its search pauses.
MOST_HELD = 10_000
#: The most values that hits are counted by: all are in memory.
MOST_VALUES = 1_000_000


class TooManyLinesError(CorpusprepError):
    """More lines than can be sorted, or values than can be counted, in memory."""


def search(
    corpus_dir: Path,
    query: str | Query,
    *,
    stage: str = CORPUS,
    sort: str = "",
    sample: int = 0,
    limit: int = 0,
    seed: int = 0,
    columns: Sequence[str] = ("word",),
    width: int = WIDTH,
    threads: int = 0,
    counts: HitCounts | None = None,
    by: str = "",
    progress: Callable[[HitCounts], None] | None = None,
    ended: Callable[[], bool] = lambda: False,
) -> Iterator[ConcordanceLine]:
    """Yields the hits of a pattern, in the order of the corpus, or sorted.

    Neither lines nor counts depend on the number of threads or on how the archives are divided into batches; without
    `sort` and `sample`, lines are in the order of the batches. With neither, each line comes as soon as it and all
    lines before it were found.

    Args:
        corpus_dir: the folder of the corpus.
        query: the pattern (query.parse).
        stage: what is searched: `corpus`, `crawl` (before all cleaning), or a stage: what it removed.
        sort: one of SORTS; empty: as found.
        sample: that many hits, drawn at random; 0: all.
        limit: the most lines; 0: all. Without `sort`, `sample` and `counts`, the search ends there.
        seed: of the sample: each seed gives another one, the same one always the same.
        columns: names of the columns of the vertical.
        width: characters of context on each side.
        threads: batches that are searched at the same time; 0: one per core.
        counts: is filled with the counts of all hits.
        by: what `counts.values` are of (concordance_lines.Context.values); empty: nothing.
        progress: is called after each piece of a batch that was searched, about 4 MB.
        ended: is asked often, in any thread; once it says yes, the search ends.

    Raises:
        SearchEndedError: `ended` said yes.
        PatternError: the pattern is wrong.
        StageFileError: there is no corpus, or a file is missing or damaged.
        TooManyLinesError: there are more hits than can be sorted, or more values than can be counted.
    """
    query = parse(query, columns) if isinstance(query, str) else query
    if stage not in STAGES:
        raise CorpusprepError(f"stage {stage}: nothing to search; choose one of {', '.join(STAGES)}")
    if sort and sort not in SORTS:
        raise CorpusprepError(f"sort {sort}: choose one of {', '.join(SORTS)}")
    refuse_crawl(corpus_dir)
    batches = [batch.name for batch in batches_of(corpus_dir)]
    counting = counts is not None
    counted = counts if counts is not None else HitCounts()
    counted.batches = (0, len(batches))
    task = _Task(corpus_dir, query, stage, sort, sample, limit, seed, width, ended, by, tuple(columns), counting)
    lines = _in_order(task, batches, threads or os.cpu_count() or 1, counted, progress)
    if not sort and not sample:
        return _first(lines, limit, counting=counting)
    return iter(_ordered(lines, sort, sample, limit))


@dataclass(frozen=True, slots=True)
class _Task:
    """What every batch is searched for."""

    corpus_dir: Path
    query: Query
    stage: str
    sort: str
    sample: int
    limit: int
    seed: int
    width: int
    ended: Callable[[], bool]
    by: str
    columns: tuple[str, ...]
    counting: bool

    @property
    def first(self) -> int:
        """The number of lines that are wanted, if they are the first ones; 0: all."""
        return 0 if self.sort or self.sample else self.limit


@dataclass(slots=True)
class _Hits:
    """The hits of a piece, with those that may be shown. The order of a line decides about the sample."""

    lines: list[tuple[bytes, ConcordanceLine]]
    counts: HitCounts


def _in_order(
    task: _Task, batches: Sequence[str], threads: int, counts: HitCounts, progress: Callable[[HitCounts], None] | None
) -> Iterator[tuple[bytes, ConcordanceLine]]:
    """Yields the hits of all batches in their order, as they are found; adds up their counts."""
    done = 0
    for ended, hits in _searched(task, batches, threads):
        _add(counts, hits.counts)
        done += ended
        counts.batches = (done, len(batches))
        yield from hits.lines
        if progress is not None:
            progress(counts)
        tell(f"hits: batches: {done:,} of {len(batches):,}; {counts.hits:,} hits")


def _add(counts: HitCounts, more: HitCounts) -> None:
    counts.hits += more.hits
    counts.tokens += more.tokens
    counts.hosts.update(more.hosts)
    counts.reasons.update(more.reasons)
    counts.values.update(more.values)
    if len(counts.values) > MOST_VALUES:
        raise TooManyLinesError(f"the hits have more than {MOST_VALUES:,} values; count them by something else")


def _searched(task: _Task, batches: Sequence[str], threads: int) -> Iterator[tuple[bool, _Hits]]:
    """Yields (whether a batch has ended, hits) piece by piece, in the order of the batches."""
    searchers = _Searchers(task.query)
    if threads == 1 or len(batches) == 1:
        for batch in batches:
            for hits in _batch(task, batch, searchers, task.ended):
                yield False, hits
            yield True, _Hits([], HitCounts())
        return
    with ThreadPoolExecutor(threads) as pool:
        rest = iter(batches)
        begun: deque[tuple[_Feed, Future[None]]] = deque()

        def begin(number: int) -> None:
            for batch in islice(rest, number):
                feed = _Feed(task)
                begun.append((feed, pool.submit(_fill, feed, task, batch, searchers)))

        try:
            begin(2 * threads)
            while begun:
                feed, future = begun[0]
                while (batch_hits := feed.take()) is not None:
                    yield False, batch_hits
                future.result()
                begun.popleft()
                begin(1)
                yield True, _Hits([], HitCounts())
        finally:
            for feed, future in begun:
                feed.close()
                future.cancel()


class _Feed:
    """The hits of a batch on their way from the thread that searches it; those that nobody has taken are added up.

    Attributes:
        closed: whether no more hits are wanted.
    """

    def __init__(self, task: _Task) -> None:
        self._sample = task.sample
        self._held = _Hits([], HitCounts())
        self._full = self._ended = self.closed = False
        self._changed = Condition()

    def put(self, hits: _Hits) -> bool:
        """Adds hits, when there is room for them. Returns whether more are wanted."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or len(self._held.lines) < MOST_HELD or self._sample)
            _add(self._held.counts, hits.counts)
            self._held.lines.extend(hits.lines)
            if self._sample and len(self._held.lines) > 2 * self._sample:
                self._held.lines[:] = heapq.nsmallest(self._sample, self._held.lines, key=lambda line: line[0])
            self._full = True
            self._changed.notify_all()
            return not self.closed

    def end(self) -> None:
        """Says that there are no more hits."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def take(self) -> _Hits | None:
        """Returns the hits since the last call, as soon as there are any; None after the last ones."""
        with self._changed:
            self._changed.wait_for(lambda: self._full or self._ended)
            if not self._full:
                return None
            hits, self._held, self._full = self._held, _Hits([], HitCounts()), False
            self._changed.notify_all()
            return hits

    def close(self) -> None:
        """Says that no more hits are wanted."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()


def _fill(feed: _Feed, task: _Task, batch: str, searchers: "_Searchers") -> None:
    """Searches a batch until it ends, no more hits are wanted, or enough lines were found."""
    lines = 0
    try:
        for hits in _batch(task, batch, searchers, lambda: feed.closed or task.ended()):
            lines += len(hits.lines)
            if not feed.put(hits) or (task.first and lines >= task.first and not task.counting):
                break
    finally:
        feed.end()


class _Searchers:
    """Matchers of a query with what they have learned about types of tokens; each is for one thread at a time."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._free: list[Matcher] = []

    @contextmanager
    def one(self) -> Iterator[Matcher]:
        """Gives a matcher that no other thread uses."""
        try:
            searcher = self._free.pop()
        except IndexError:
            searcher = Matcher(self._query)
        yield searcher
        self._free.append(searcher)


def _batch(task: _Task, batch: str, searchers: _Searchers, ended: Callable[[], bool]) -> Iterator[_Hits]:
    """Searches a batch piece by piece, until it ends or nobody waits any more."""
    most = task.first
    shown = 0
    with searchers.one() as matcher:
        matcher.ended = ended
        for piece, fates in pieces(task.corpus_dir, batch, task.stage):
            if ended():
                raise SearchEndedError
            before = matcher.tokens
            places = matcher.find(piece)[:, :4]
            counts = HitCounts(hits=len(places), tokens=matcher.tokens - before)
            context = Context(piece, task.width, fates)
            context.count(places, counts, removed=task.stage != CORPUS)
            if task.by:
                counts.values = context.values(places, task.by, task.columns)
            if task.sample:
                drawn = heapq.nsmallest(task.sample, _ordered_places(context, places, task.seed))
                lines = [(order, context.line(*place)) for order, place in drawn]
            else:
                wanted = places[: max(0, most - shown)] if most else places
                lines = [(b"", context.line(*place)) for place in wanted.tolist()]
                shown += len(lines)
            yield _Hits(lines, counts)


def _ordered_places(
    context: Context, places: NDArray[np.int64], seed: int
) -> Iterator[tuple[bytes, tuple[int, int, int, int]]]:
    """Yields each hit with what samples are ordered by: a digest of its place, which does not depend on batches."""
    for document, block, begin, end in places.tolist():
        about, place = context.document(document), context.block(block)
        named = f"{seed}\n{about.get('url')}\n{about.get('date')}\n{place.get('block')}\n{context.offset(block, begin)}"
        order = hashlib.blake2b(named.encode("utf-8", "replace"), digest_size=12).digest()
        yield order, (document, block, begin, end)


def _first(lines: Iterator[tuple[bytes, ConcordanceLine]], limit: int, *, counting: bool) -> Iterator[ConcordanceLine]:
    """Yields the first lines; if hits are counted, the search goes on behind them."""
    for number, (_, line) in enumerate(lines):
        if not limit or number < limit:
            yield line
        if limit and number + 1 >= limit and not counting:
            return


def _ordered(
    drawn_lines: Iterator[tuple[bytes, ConcordanceLine]], sort: str, sample: int, limit: int
) -> list[ConcordanceLine]:
    if sample:
        drawn = heapq.nsmallest(
            sample, drawn_lines, key=lambda pair: (pair[0], pair[1].url, pair[1].block, pair[1].left)
        )
        lines = [line for _, line in drawn]
    else:
        lines = []
        for _, line in drawn_lines:
            lines.append(line)
            if len(lines) > MOST_SORTED:
                raise _too_many()
    if sort:
        lines = in_order(lines, sort)
    return lines[:limit] if limit else lines


def _too_many() -> TooManyLinesError:
    return TooManyLinesError(f"more than {MOST_SORTED:,} hits cannot be sorted; draw a sample of them (--sample)")
