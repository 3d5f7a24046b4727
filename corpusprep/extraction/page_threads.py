"""Extracts a stream of pages in threads, in the order of the pages."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from corpusprep.extraction.extracted import Extraction
from corpusprep.extraction.extractors import Extractor, check_type

#: Most pages of a group, and bytes or characters from which on a group is complete. Larger groups are not faster.
GROUP_PAGES, GROUP_SIZE = 32, 1_000_000
#: Groups per thread that are read ahead.
GROUPS_AHEAD = 2


def extracted_in_order(
    pages: Iterable[bytes | str], extractor: Callable[[], Extractor], threads: int
) -> Iterator[Extraction]:
    """Extracts pages as they are asked for.

    Args:
        pages: the pages. An error that it raises, or a page of a wrong type, is raised after the pages before it.
        extractor: returns the extractor of the calling thread.
        threads: the number of threads; with one, the calling thread does the work.

    Yields:
        What came of each page, in order; of a page that failed, an Extraction with the verdict `error`.
    """
    reader = _Groups(pages)
    if threads == 1:
        for group in reader:
            yield from _extracted(group, extractor())
    else:
        with ThreadPoolExecutor(threads, thread_name_prefix="extract") as pool:
            waiting: deque[Future[list[Extraction]]] = deque()
            try:
                for group in reader:
                    waiting.append(pool.submit(lambda pages: _extracted(pages, extractor()), group))
                    if len(waiting) == GROUPS_AHEAD * threads:
                        yield from waiting.popleft().result()
                while waiting:
                    yield from waiting.popleft().result()
            finally:
                for future in waiting:  # nobody wants them: the caller stopped
                    future.cancel()
    if reader.error is not None:
        raise reader.error


class _Groups:
    """The pages in groups. It ends where reading a page fails, and keeps the error."""

    def __init__(self, pages: Iterable[bytes | str]) -> None:
        self._pages = pages
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[list[bytes | str]]:
        """Yields groups of pages, in order; none is empty."""
        group: list[bytes | str] = []
        size = 0
        try:
            for page in self._pages:
                check_type(page)
                group.append(page)
                size += len(page)
                if len(group) == GROUP_PAGES or size >= GROUP_SIZE:
                    yield group
                    group, size = [], 0
        except Exception as error:
            self.error = error
        if group:
            yield group


def _extracted(pages: Sequence[bytes | str], extractor: Extractor) -> list[Extraction]:
    """Returns what came of each page of a group; where one fails, each is extracted alone."""
    if extractor.classifier.side_table is None:  # others compare the pages of a call
        try:
            return extractor.extract(pages)
        except Exception:
            if len(pages) == 1:
                return [_alone(pages[0], extractor)]
    return [_alone(page, extractor) for page in pages]


def _alone(page: bytes | str, extractor: Extractor) -> Extraction:
    """Returns what came of a page."""
    try:
        return extractor.extract([page])[0]
    except Exception as error:
        return Extraction([], "error", str(error), error=error)
