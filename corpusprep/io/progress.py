"""Shows progress on standard error: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
SECONDS_BETWEEN_LINES = 10.0


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Yields `items` and shows how many are done; `description` names the work and the unit."""
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
