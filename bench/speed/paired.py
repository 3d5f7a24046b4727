"""Two ways to do the same work, timed in turn: CPU time, so that other processes count for little."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

#: Pairs that a median is taken of; the two take turns in going first.
PAIRS = 5


@dataclass(slots=True, frozen=True)
class Paired:
    """Medians over the pairs: CPU seconds of ours, and the peer's as a multiple of ours."""

    seconds: float
    ratio: float


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of one call, all threads of this process."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def paired(ours: Callable[[], object], peer: Callable[[], object], share: float = 1.0, pairs: int = PAIRS) -> Paired:
    """Times `ours` and `peer`, after a first call of each that is not counted.

    Args:
        ours: our way; all the pages.
        peer: the other way.
        share: of the work, what one call of `peer` does.
        pairs: how often.
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
