"""Plans memory, number of parts and disk space of a step, before it starts to work.

The formulas of `ngrams` are here, so that forecasts for a corpus that is not built yet use the formulas of the steps.
Sizes are bytes. Rates are per second of CPU time on one core of an AMD EPYC (Zen 4), at 100 and 1,000 million tokens.
"""

import math
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.errors import ResourceError
from corpusprep.io.readable import size

#: Buffer and state per file that is merged.
MERGE_BUFFER = 1 << 18
MERGE_STATE = 1 << 11
#: The most files merged at once: a process may have 1,024 files open by default.
MOST_MERGED = 512
#: The least to start with: bytes for words, tokens of a chunk, keys that are merged.
LEAST_WORDS = 32 << 20
LEAST_CHUNK = 1 << 20
LEAST_MERGED_KEYS = 1 << 20
#: Tables of the suffix sort, in addition to its bytes per token.
SORT_TABLES = 1 << 20
#: Memory holds one key per this many compressed bytes of a vertical: 1.5 times the usual number of keys.
VERTICAL_BYTES_PER_KEY = 4
#: The most keys in memory: 64 MB, which suits caches and page tables.
MOST_KEYS = 1 << 24
#: The same of long keys, and what a run of them takes while it is read.
MOST_LONG_KEYS = 1 << 23
KEY_RUN = MERGE_BUFFER + native.BYTES_PER_RUN
#: The most slices of a partition of them.
MOST_SLICES = 1 << 10
#: Buffers for reading tokens and the lexicon; index of a filter; the least part of a filter in memory.
STREAM_BUFFERS = 4 << 20
FILTER_TABLES = 1 << 18
LEAST_FILTER = 1 << 20
#: Disk, twice what was measured on English pages: counted tokens and keys per compressed byte of the vertical, and
#: bytes per sorted n-gram.
STREAM_BYTES_PER_VERTICAL_BYTE, KEY_BYTES_PER_VERTICAL_BYTE, BYTES_PER_RUN_ENTRY = 1.0, 1.5, 20
#: All tokens, per compressed byte of the vertical.
TOKENS_PER_VERTICAL_BYTE = 0.6
#: Address space is reserved for this many times the tokens: ends of segments, and tokens of several candidates.
TOKENS_RESERVED = 4
#: Average instances per duplicate n-gram among the n-grams that are sorted.
INSTANCES = 8


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The plan of a step.

    Attributes:
        step: its name.
        at_once: amount of data in memory at a time, in `unit`.
        unit: what `at_once` counts.
        parts: estimated number of parts of this size.
        memory: the most bytes that the process will hold.
        disk: bytes of output and scratch files, an upper bound.
    """

    step: str
    at_once: int
    unit: str
    parts: int
    memory: int
    disk: int

    def announce(self, folder: Path) -> None:
        """Prints the plan on standard error.

        Raises:
            ResourceError: the disk of `folder` has less free space than the plan needs.
        """
        print(
            f"{self.step}: {self.at_once:,} {self.unit} at a time, in {self.parts:,} part{'s' * (self.parts != 1)}; "
            f"uses up to {size(self.memory)} of memory and about {size(self.disk)} of disk",
            file=sys.stderr,
            flush=True,
        )
        while not folder.exists():
            folder = folder.parent
        free = shutil.disk_usage(folder).free
        if free < self.disk:
            raise ResourceError(
                f"{self.step} needs about {size(self.disk)} of disk, but {folder} has only {size(free)} free;"
                " free some space, or put the results on a larger disk"
            )


def words(vertical_bytes: int, free: int, memory: int) -> MemoryPlan:
    """Plans `ngrams words` for `vertical_bytes` compressed bytes; `at_once` counts keys of n-grams.

    There is one counted token per 6 compressed bytes. More keys than fit the memory are written as several runs.
    """
    likely = vertical_bytes // VERTICAL_BYTES_PER_KEY
    at_once = max(native.MIN_CAPACITY, min((free - LEAST_WORDS) // 8, likely, MOST_KEYS))
    parts = max(1, math.ceil(likely / at_once))
    written = STREAM_BYTES_PER_VERTICAL_BYTE + KEY_BYTES_PER_VERTICAL_BYTE
    disk = vertical_bytes * written + vertical_bytes // 20 + (1 << 18)
    return MemoryPlan("ngrams words", at_once, "keys", parts, memory, int(disk))


def lexicon(lists: int, stored: int, free: int, memory: int) -> MemoryPlan:
    """Plans `ngrams lexicon` for `lists` word lists of `stored` bytes; `at_once` counts lists."""
    at_once = merged_lists(free)
    disk = stored * (3 if lists > at_once else 1) + (1 << 18)
    return MemoryPlan("ngrams lexicon", at_once, "word lists", max(1, math.ceil(lists / at_once)), memory, disk)


def index_memory(stored: int) -> int:
    """Returns the memory of the indexes of word lists of `stored` bytes."""
    return 128 * (stored // native.WORD_BLOCK_BYTES)


def merged_lists(free: int) -> int:
    """Returns the number of word lists that are merged at once."""
    return min(MOST_MERGED, free // (MERGE_BUFFER + MERGE_STATE))


def candidates(keys: int, runs: int, free: int, memory: int) -> MemoryPlan:
    """Plans `ngrams candidates`; `at_once` counts runs of keys, which get `free` bytes."""
    at_once = min(MOST_MERGED, free // (MERGE_BUFFER + native.BYTES_PER_RUN))
    disk = keys + (4 * keys * 2 if runs > at_once else 0) + (1 << 18)
    return MemoryPlan("ngrams candidates", at_once, "runs of keys", max(1, math.ceil(runs / at_once)), memory, disk)


def all_keys(vertical_bytes: int, free: int, memory: int, most: int | None = None) -> MemoryPlan:
    """Plans `statistics runs` for `vertical_bytes` compressed bytes; `at_once` counts keys."""
    likely = int(TOKENS_PER_VERTICAL_BYTE * vertical_bytes)
    at_once = max(native.MIN_CAPACITY, min(free // native.BYTES_PER_LONG_KEY, likely, MOST_LONG_KEYS, most or likely))
    parts = max(1, math.ceil(likely / at_once))
    disk = native.BYTES_PER_LONG_KEY * likely + (parts << 16)
    return MemoryPlan("statistics runs", at_once, "keys", parts, memory, disk)


def duplicates(keys: int, runs: int, free: int, memory: int, most: int = MOST_MERGED) -> MemoryPlan:
    """Plans `statistics merge`; `at_once` counts runs of keys, which get `free` bytes."""
    at_once = min(most, free // KEY_RUN)
    disk = (2 * native.BYTES_PER_LONG_KEY * keys if runs > at_once else 0) + (1 << 18)
    return MemoryPlan("statistics merge", at_once, "runs of keys", max(1, math.ceil(runs / at_once)), memory, disk)


def slices(largest: int, free: int) -> int:
    """Returns in how many slices `statistics merge` counts, if the largest partition has `largest` keys.

    One, where it fits `free` bytes beside two runs. Otherwise a slice gets half of them, and the runs the rest.
    """
    bytes_for = native.RepeatedNgramCounter.bytes_for
    if bytes_for(largest) + 2 * KEY_RUN <= free:
        return 1
    return next((count for count in range(2, MOST_SLICES) if 2 * bytes_for(largest, count) <= free), MOST_SLICES)


def runs(tokens: int, free: int, memory: int, filter_bytes: int, most: int | None = None) -> MemoryPlan:
    """Plans `ngrams runs` for `tokens` counted tokens; `at_once` counts tokens.

    `free` is the memory left beside the words. The filter gets half of it, or less if it is smaller. Tables have room
    for `at_once` tokens, so this is at most TOKENS_RESERVED times `tokens`.
    """
    filter_memory = held_filter(free, filter_bytes)
    expected = max(LEAST_CHUNK, TOKENS_RESERVED * tokens)
    at_once = min((free - filter_memory) // native.BYTES_PER_TOKEN, 2**32 - 1, expected, most or 2**32 - 1)
    sorted_ = min(tokens, filter_bytes // 2 * INSTANCES)
    parts = max(1, math.ceil(sorted_ / at_once), math.ceil(filter_bytes / max(filter_memory, 1)))
    used = memory - free + filter_memory + native.BYTES_PER_TOKEN * min(at_once, sorted_)
    return MemoryPlan(
        "ngrams runs", at_once, "tokens", parts, min(memory, used), BYTES_PER_RUN_ENTRY * sorted_ + (1 << 18)
    )


def held_filter(free: int, filter_bytes: int) -> int:
    """Returns the bytes of a filter that are in memory at a time."""
    return min(filter_bytes, max(LEAST_FILTER, free // 2))


def merge(entries: int, stored: int, runs: int, free: int, memory: int, most: int = MOST_MERGED) -> MemoryPlan:
    """Plans `ngrams merge` for `entries` entries in `stored` bytes; `at_once` counts runs."""
    at_once = min(most, free // 2 // (MERGE_BUFFER + MERGE_STATE))
    disk = 12 * entries // 2 + (2 * stored if runs > at_once else 0) + (1 << 18)
    if native.BYTES_PER_KEY * entries // 2 > free // 2:
        disk += native.BYTES_PER_KEY * entries // 2
    return MemoryPlan("ngrams merge", at_once, "runs", max(1, math.ceil(runs / at_once)), memory, disk)
