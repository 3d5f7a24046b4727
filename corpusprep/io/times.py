"""Records the wall-clock seconds, CPU seconds and peak memory of a process, as one TSV row.

Each step writes its own row (`corpusprep --times FILE STEP`). Snakemake's `benchmark:` measures a job instead. A job
may run several steps, or one step for each batch of a bundle, and table 3.7 has one row per stage. A benchmark also
includes the start of the shell, samples memory at intervals and misses short peaks. The row here has the peak that the
kernel recorded, and the time since the start of the interpreter.

Measured on 12 equal jobs of one second: Snakemake's peaks were 65 to 109 MB and its CPU times 0.49 to 1.00 s. The rows
here had 108.7 to 109.0 MB and 0.95 to 1.24 s.
"""

import os
import resource
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.memory import forget_peak, used

COLUMNS = ("wall_seconds", "cpu_seconds", "peak_memory_mb")
_CHECKSUM = "checksum"


class TotalUsage(NamedTuple):
    """What several jobs used: sums of their seconds, even if they ran in parallel, and the highest peak."""

    jobs: int
    wall_seconds: float
    cpu_seconds: float
    peak_memory_mb: float


def read_times(*folders: Path) -> TotalUsage:
    """Adds up the files of times in these folders, at any depth.

    Raises:
        StageFileError: a file is not a file of times.
    """
    return read_files([path for folder in folders for path in sorted(folder.rglob("*.tsv"))])


def read_files(files: Sequence[Path]) -> TotalUsage:
    """Adds up files of times.

    Raises:
        StageFileError: a file is not a file of times.
    """
    wall = cpu = peak = 0.0
    for path in files:
        rows = tsv.read(path, COLUMNS)
        if not rows:
            raise StageFileError(f"{path}: not a file of a job's times (no row); remove it")
        for row in rows:
            try:
                # In the row, not beside the file: there is a file per step and batch.
                if row.get(_CHECKSUM, checksum := _checksum(row[name] for name in COLUMNS)) != checksum:
                    raise ValueError("its checksum is wrong")
                wall += float(row["wall_seconds"])
                cpu += float(row["cpu_seconds"])
                peak = max(peak, float(row["peak_memory_mb"]))
            except ValueError as error:
                raise StageFileError(f"{path}: not a file of a job's times ({error}); remove it") from None
    return TotalUsage(len(files), wall, cpu, peak)


def process_started() -> float:
    """Returns when this process started, in seconds of time.clock_gettime(CLOCK_BOOTTIME); Linux only."""
    fields = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")


#: For a process that runs commands one after another: when the present one began, and the CPU seconds before it.
_begun: tuple[float, float] | None = None


def begin() -> None:
    """Counts what this process uses from now on for another command."""
    global _begun
    forget_peak()
    _begun = time.clock_gettime(time.CLOCK_BOOTTIME), _cpu_seconds()


def _cpu_seconds() -> float:
    """Returns the CPU seconds of this process and its children since it started."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def write_times(path: Path) -> None:
    """Writes what this process and its children have used since it started, or since `begin`."""
    started, before = _begun or (process_started(), 0.0)
    cpu = _cpu_seconds() - before
    wall = time.clock_gettime(time.CLOCK_BOOTTIME) - started
    peak = max(used() / 1024, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
    cells = [f"{wall:.3f}", f"{cpu:.3f}", f"{peak:.1f}"]
    with replacing(path) as temporary:
        temporary.write_text(
            "\t".join((_CHECKSUM, *COLUMNS)) + "\n" + "\t".join((_checksum(cells), *cells)) + "\n",
            encoding="utf-8",
        )


def _checksum(cells: Iterable[str]) -> str:
    return f"{zlib.crc32(' '.join(cells).encode()):08x}"
