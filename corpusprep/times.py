"""What a job used: wall-clock seconds, CPU seconds and peak memory, as one TSV row."""

import resource
import time
from pathlib import Path

from corpusprep.files import replacing

COLUMNS = ("wall_seconds", "cpu_seconds", "peak_memory_mb")


def write_times(path: Path, started: float) -> None:
    """Writes this process's use, its children's included, since `started` (time.monotonic())."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    peak = max(own.ru_maxrss, children.ru_maxrss) / 1024
    with replacing(path) as temporary:
        temporary.write_text(
            "\t".join(COLUMNS) + f"\n{time.monotonic() - started:.3f}\t{cpu:.3f}\t{peak:.1f}\n",
            encoding="utf-8",
        )
