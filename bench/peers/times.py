"""CPU time of some work, with that of the processes that it runs."""

import gc
import resource
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def cpu_seconds(work: Callable[[], Result]) -> tuple[float, Result]:
    """Returns the CPU time of one call, of all threads and of processes that ended in it; and what it returns."""
    gc.collect()
    start = _used()
    result = work()
    return _used() - start, result


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)
