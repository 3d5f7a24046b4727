"""Takes a sample of the records of archives by their place in the files: cheap, the same in every run, in any order.

Archives are divided into windows of WINDOW bytes as stored. Each has a hash of the seed, the archive's name and size,
and its number; the windows with the lowest hashes are taken. The sample has the records that begin in a window that is
taken. So each record is taken with the same probability, whatever the order of archives, and only these windows are
read.

In an input whose records cannot be read by themselves (the whole file is one gzip member; a WACZ or Parquet file), the
windows are counted as it is read from its beginning.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpusprep.archive import inputs
from corpusprep.archive.batches import stored_size
from corpusprep.archive.records import Record, first_record, records, records_from
from corpusprep.remote.addresses import archive_path

#: Five records of a usual crawl. Many small windows tell more than a few large ones: neighbouring records are alike.
WINDOW = 1 << 16
#: Hashes below this multiple of the share are looked at, so that not all of them are in memory.
_CANDIDATES = 2
_FEW = 1_000_000
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of an archive: the records that begin from byte `start` to before byte `end`."""

    archive: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SurveySample:
    """Windows, in an order that does not depend on the order of the archives.

    Attributes:
        windows: those that are taken.
        archives: number of archives; `empty` of them have no byte.
        stored_bytes: of all archives.
        all_windows: their number.
    """

    windows: tuple[Window, ...]
    archives: int
    empty: int
    stored_bytes: int
    all_windows: int

    @property
    def complete(self) -> bool:
        """Whether every window is taken."""
        return len(self.windows) == self.all_windows

    @property
    def sampled_bytes(self) -> int:
        """Returns the bytes of the windows that are taken."""
        return sum(window.end - window.start for window in self.windows)


def take(archives: Sequence[Path], wanted: int, seed: int) -> SurveySample:
    """Takes a sample of about `wanted` bytes as stored, or everything if there are fewer.

    At least one window is taken, if an archive has a byte.

    Raises:
        ArchiveError: an archive cannot be found.
    """
    sizes = {path: stored_size(path) for path in archives}
    stored = sum(sizes.values())
    counts = {path: math.ceil(size / WINDOW) for path, size in sizes.items()}
    total = sum(counts.values())
    most = total if wanted >= stored else max(1, round(total * wanted / stored))
    # So many that fewer than `most` are among them by an incredible chance.
    limit = 2**64 - 1 if total <= _FEW else int((_CANDIDATES * most + 100) / total * 2**64)
    candidates: list[tuple[int, str, int, str, int]] = []
    for path in sizes:
        hashes = _hashes(f"{seed}\n{path.name}\n{sizes[path]}", counts[path])
        numbers = np.flatnonzero(hashes <= np.uint64(min(limit, 2**64 - 1))).tolist()
        candidates += [(int(hashes[number]), path.name, sizes[path], str(path), number) for number in numbers]
    chosen = sorted(candidates)[:most]
    windows = [
        _window(archive_path(path), number, size)
        for _, _, size, path, number in sorted(chosen, key=lambda window: window[1:])
    ]
    return SurveySample(tuple(windows), len(sizes), sum(not size for size in sizes.values()), stored, total)


def read(sample: SurveySample) -> Iterator[tuple[int, Record]]:
    """Yields the number of a window and a record that begins in it, window by window.

    Raises:
        ArchiveError: an archive cannot be read.
    """
    by_archive: dict[Path, list[tuple[int, Window]]] = {}
    for number, window in enumerate(sample.windows):
        by_archive.setdefault(window.archive, []).append((number, window))
    for path, windows in by_archive.items():
        if len(windows) * WINDOW < windows[-1][1].end and _can_seek(path):
            for number, window in windows:
                start = 0 if not window.start else first_record(path, window.start, window.end)
                for record in () if start is None else records_from(path, start):
                    if record.offset >= window.end:
                        break
                    yield number, record
        else:
            numbers = {window.start: number for number, window in windows}
            last = stored_size(path) - 1  # the last records of a compressed file may begin at its end
            for record in inputs.records(path):
                place = min(record.offset, last)
                if place >= windows[-1][1].end:
                    break
                if (at := numbers.get(place // WINDOW * WINDOW)) is not None:
                    yield at, record


def _can_seek(path: Path) -> bool:
    """Returns whether the second record of an archive can be read by itself, or there is no second one."""
    if inputs.kind(path) not in ("archive", ""):
        return False
    for record in records(path):
        if record.number:
            return first_record(path, record.offset, record.offset + 1) is not None
    return True


def _window(path: Path, number: int, size: int) -> Window:
    return Window(path, number * WINDOW, min((number + 1) * WINDOW, size))


def _hashes(name: str, count: int) -> npt.NDArray[np.uint64]:
    """Returns a hash of each number below `count` (SplitMix64, Steele et al. 2014)."""
    seed = int.from_bytes(blake2b(name.encode(errors="surrogateescape"), digest_size=8).digest(), "little")
    mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    for shift, factor in zip((30, 27), _MIX, strict=True):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * factor
    return mixed ^ (mixed >> np.uint64(31))
