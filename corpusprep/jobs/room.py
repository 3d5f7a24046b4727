"""Compares what a run needs with what the machine has, before the first job."""

from collections.abc import Collection
from pathlib import Path

from corpusprep.io import machine
from corpusprep.io.memory import format_size
from corpusprep.jobs.resources import batch_memory_mb

#: Bytes that a corpus leaves on the disk per byte of its archives as stored: 1.03 on 10^10 tokens of news pages. While
#: the run lasts, it takes 1.32 besides (docs/measurements/scale.md).
KEPT = 1.0
#: Per byte of archives, the room without which no corpus ends: one in a language that few pages of a crawl have still
#: has the text of all of its pages, 0.2 to 0.6.
LEAST = 0.1


def refusals(left: int, results: Path) -> list[str]:
    """Returns one line if the disk of the results has surely too little room for the archives that are left to read."""
    free = machine.room(results)
    if free >= LEAST * left:
        return []
    return [
        f"the disk of {results} has {format_size(free)} free: too little for {format_size(left)} of archives, which"
        f" take about {format_size(int(KEPT * left))}; make room, or set results in the config"
    ]


def disk_notes(left: int, results: Path) -> list[str]:
    """Returns one line if the disk of the results may have too little room."""
    free = machine.room(results)
    if not LEAST * left <= free < KEPT * left:
        return []
    return [
        f"the disk of {results} has {format_size(free)} free; {format_size(left)} of archives take about as much:"
        " corpusprep plan estimates it"
    ]


def memory_notes(batches: Collection[int], memory: int) -> list[str]:
    """Returns a line for each kind of job that may need more memory than this machine has.

    Args:
        batches: bytes of the archives of each batch.
        memory: bytes of the setting `memory`.
    """
    lines = []
    there = machine.memory()
    if there < (most := batch_memory_mb(max(batches, default=0), streaming=True) * 10**6):
        lines.append(
            f"jobs on a batch ask for up to {format_size(most)} of memory, and this machine has {format_size(there)}:"
            " make batch_bytes smaller in the config if jobs are killed"
        )
    if there < memory <= sum(batches):
        lines.append(
            f"memory is {format_size(memory)}, and this machine has {format_size(there)}: make memory smaller in the"
            " config if jobs are killed"
        )
    return lines
