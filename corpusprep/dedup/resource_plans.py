"""What a step will take: held in memory at once, parts, disk. Settled and said before the step starts to work.

The formulas of `ngrams` have their home here, so that a forecast for a corpus that is not built yet uses the ones the
steps use. Sizes are bytes. Rates are CPU time on one core of an AMD EPYC (Zen 4) at 100 and at 1,000 million tokens.
"""

import math
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.errors import ResourceError
from corpusprep.io import memory as limits

#: Of each file that is merged, in bytes; with it goes about a kilobyte of state.
MERGE_BUFFER = 1 << 18
MERGE_STATE = 1 << 11
#: Files merged at once: under the 1,024 that a process may have open by default.
MOST_MERGED = 512
#: The least memory that is worth starting with: for words, for the tokens of a chunk, for keys.
LEAST_WORDS = 32 << 20
LEAST_CHUNK = 1 << 20
LEAST_MERGED_KEYS = 1 << 20
#: Of the suffix sort, beside what it takes for each token.
SORT_TABLES = 1 << 20
#: Compressed bytes of a vertical for which room for a key is made: about as many as there are, and half as many more.
VERTICAL_BYTES_PER_KEY = 4
#: Keys that are held at once: 64 MB, which caches and page tables can still follow.
MOST_KEYS = 1 << 24
#: Keys that a partition may have beyond its share.
LEAST_PARTITION = 1 << 12
#: Of reading a stream of tokens and the lexicon; of a filter's index; the least of a filter that is held at once.
STREAM_BUFFERS = 4 << 20
FILTER_TABLES = 1 << 18
LEAST_FILTER = 1 << 20
#: Disk, as measured on English pages and twice that: of the counted tokens and their keys for each compressed byte of
#: the vertical, and of a sorted n-gram.
STREAM_BYTES_PER_VERTICAL_BYTE, KEY_BYTES_PER_VERTICAL_BYTE, BYTES_PER_RUN_ENTRY = 1.0, 1.5, 20
#: All tokens of a compressed byte of the vertical.
TOKENS_PER_VERTICAL_BYTE = 0.6
#: Instances of a duplicate n-gram, on average, in what is sorted by the method `hash`.
INSTANCES = 8

#: Tokens of the vertical (all, not those counted alone) that a step goes through in a second of CPU time.
TOKENS_PER_CPU_SECOND = {"words": 17.5e6, "candidates": 290e6, "runs hash": 75e6, "runs suffix-sort": 17e6}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a step will do.

    Attributes:
        step: its name.
        at_once: what is held in memory at once, in `unit`.
        unit: of `at_once`.
        parts: how many times that, as far as it can be known.
        memory: bytes that the process will hold at most.
        disk: bytes of output and scratch files, estimated from above.
    """

    step: str
    at_once: int
    unit: str
    parts: int
    memory: int
    disk: int

    def announce(self, folder: Path) -> None:
        """Says the plan on standard error.

        Raises:
            ResourceError: the disk that `folder` is on, or will be on, has less room than the plan needs.
        """
        print(
            f"{self.step}: {self.at_once:,} {self.unit} at once, {self.parts} part{'s' * (self.parts != 1)}; "
            f"memory up to {limits.format_size(self.memory)}, disk about {limits.format_size(self.disk)}",
            file=sys.stderr,
            flush=True,
        )
        while not folder.exists():
            folder = folder.parent
        free = shutil.disk_usage(folder).free
        if free < self.disk:
            raise ResourceError(
                f"{self.step} needs about {limits.format_size(self.disk)} of disk, and {folder} has"
                f" {limits.format_size(free)} left; free some, or put the results on a larger disk"
            )


def words(vertical_bytes: int, free: int, memory: int, *, tokens: bool, keys: bool) -> Plan:
    """Of `ngrams words`, for a vertical of so many compressed bytes: `at_once` is keys of n-grams.

    A compressed byte holds a sixth of a counted token; keys beyond those at once make a further run.
    """
    likely = vertical_bytes // VERTICAL_BYTES_PER_KEY
    at_once = max(native.LEAST_KEYS, min((free - LEAST_WORDS) // 8, likely, MOST_KEYS)) if keys else 0
    parts = max(1, math.ceil(likely / at_once)) if keys else 1
    disk = (
        vertical_bytes * (STREAM_BYTES_PER_VERTICAL_BYTE * tokens + KEY_BYTES_PER_VERTICAL_BYTE * keys)
        + vertical_bytes // 20
        + (1 << 18)
    )
    return Plan("ngrams words", at_once, "keys", parts, memory, int(disk))


def lexicon(lists: int, stored: int, free: int, memory: int) -> Plan:
    """Of `ngrams lexicon` on so many word lists in so many bytes: `at_once` is lists; merged, they are no larger."""
    at_once = merged_lists(free)
    disk = stored * (3 if lists > at_once else 1) + (1 << 18)
    return Plan("ngrams lexicon", at_once, "word lists", max(1, math.ceil(lists / at_once)), memory, disk)


def merged_lists(free: int) -> int:
    """Word lists that are merged at once."""
    return min(MOST_MERGED, free // (MERGE_BUFFER + MERGE_STATE))


def candidates(keys: int, runs: int, free: int, memory: int, threads: int = 1) -> Plan:
    """Of `ngrams candidates`: `at_once` is runs of keys."""
    at_once = min(MOST_MERGED, (free - counting_memory(keys, runs, threads)) // (MERGE_BUFFER + native.RUN_STATE))
    disk = keys + (4 * keys * 2 if runs > at_once else 0) + (1 << 18)
    return Plan("ngrams candidates", at_once, "runs of keys", max(1, math.ceil(runs / at_once)), memory, disk)


def counting_memory(keys: int, runs: int, threads: int = 1) -> int:
    """Memory that counting takes beside the runs: that of the largest partition, for each thread.

    Partitions differ as chance has it; n-grams that come often are in each run twice at most.
    """
    largest = 2 * keys // native.PARTITIONS + 2 * runs + LEAST_PARTITION
    return native.CandidateCounter.bytes_for(largest, threads)


def runs(tokens: int, free: int, memory: int, filter_bytes: int | None, most: int | None = None) -> Plan:
    """Of `ngrams runs` on so many counted tokens, with a filter of so many bytes or none: `at_once` is tokens.

    `free` is what is left beside the words; half of it is for the filter, or as much as that takes.
    """
    held = held_filter(free, filter_bytes)
    at_once = min((free - held) // native.BYTES_A_TOKEN, 2**32 - 1, most or 2**32 - 1)
    sorted_ = tokens if filter_bytes is None else min(tokens, filter_bytes // 2 * INSTANCES)
    parts = max(1, math.ceil(sorted_ / at_once), math.ceil((filter_bytes or 0) / max(held, 1)))
    used = memory - free + held + native.BYTES_A_TOKEN * min(at_once, sorted_)
    return Plan("ngrams runs", at_once, "tokens", parts, min(memory, used), BYTES_PER_RUN_ENTRY * sorted_ + (1 << 18))


def held_filter(free: int, filter_bytes: int | None) -> int:
    """Bytes of a filter that are held at once."""
    return 0 if filter_bytes is None else min(filter_bytes, max(LEAST_FILTER, free // 2))


def merge(entries: int, stored: int, runs: int, free: int, memory: int, most: int = MOST_MERGED) -> Plan:
    """Of `ngrams merge` on so many entries in so many bytes of runs: `at_once` is runs."""
    at_once = min(most, free // 2 // (MERGE_BUFFER + MERGE_STATE))
    disk = 12 * entries // 2 + (2 * stored if runs > at_once else 0) + (1 << 18)
    if native.BYTES_A_KEY * entries // 2 > free // 2:
        disk += native.BYTES_A_KEY * entries // 2
    return Plan("ngrams merge", at_once, "runs", max(1, math.ceil(runs / at_once)), memory, disk)
