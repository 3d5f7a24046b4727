"""Times two ways to do the same work in turn. CPU time is measured, so that other processes hardly matter."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

#: Pairs of runs; their median counts. The two ways take turns in going first.
PAIRS = 5


@dataclass(slots=True, frozen=True)
class Paired:
    """Medians over the pairs: CPU seconds of ours, and the peer's as a multiple of ours."""

    seconds: float
    ratio: float


def cpu_seconds(work: Callable[[], object]) -> float:
    """Returns the CPU time of one call, over all threads of this process."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def paired(ours: Callable[[], object], peer: Callable[[], object], share: float = 1.0, pairs: int = PAIRS) -> Paired:
    """Times `ours` and `peer` after one call of each that does not count.

    Args:
        ours: our way, on all pages.
        peer: the other way.
        share: the share of the work that one call of `peer` does.
        pairs: how many pairs of calls are timed.
    """
    ours(), peer()
    taken = []
    for number in range(pairs):
        if number % 2:
            other = cpu_seconds(peer)
            own = cpu_seconds(ours)
        else:
            own = cpu_seconds(ours)
            other = cpu_seconds(peer)
        taken.append((own, other / share / own))
    return Paired(statistics.median(own for own, _ in taken), statistics.median(ratio for _, ratio in taken))
