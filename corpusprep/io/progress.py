"""Shows progress on standard error: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
SECONDS_BETWEEN_LINES = 10.0
_TOLD: ContextVar[Callable[[str], None] | None] = ContextVar("told", default=None)


@contextmanager
def told_to(listener: Callable[[str], None]) -> Iterator[None]:
    """What `track` shows in the block, in this thread, is told there: `words: batches: 3 of 40`."""
    token = _TOLD.set(listener)
    try:
        yield
    finally:
        _TOLD.reset(token)


def tell(done: str) -> None:
    """Tells how much is done where `told_to` says; elsewhere, nobody."""
    if (told := _TOLD.get()) is not None:
        told(done)


def is_shown() -> bool:
    """Returns whether somebody sees at once what `track` shows."""
    return _TOLD.get() is not None or sys.stderr.isatty()


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Yields `items` and shows how many are done; `description` names the work and the unit."""
    if _TOLD.get() is not None:
        for number, item in enumerate(items):
            yield item
            tell(f"{description}: {number + 1:,}" + (f" of {total:,}" if total is not None else ""))
        return
    if sys.stderr.isatty():
        # Imported here only: jobs have no terminal, and the import takes 0.1 s.
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from corpusprep.io.console import Console

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True)) as progress:
            yield from progress.track(items, total=total, description=description)
        return
    done, last_line = 0, time.monotonic()
    of_total = f" of {total}" if total is not None else ""
    for item in items:
        yield item
        done += 1
        if time.monotonic() - last_line >= SECONDS_BETWEEN_LINES:
            last_line = time.monotonic()
            print(f"{description}: {done}{of_total}", file=sys.stderr, flush=True)
    print(f"{description}: {done} done", file=sys.stderr, flush=True)
