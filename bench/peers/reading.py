"""Reads an archive, whole and damaged, with this package and with public readers: CPU time, and what is right."""

import contextlib
import hashlib
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from corpusprep import __version__
from corpusprep.archive.records import Record, records
from peers.times import cpu_seconds

#: Of the damaged copy, one record in this many has a wrong byte in its middle.
DAMAGED = 50


@dataclass(slots=True, frozen=True)
class System:
    """A reader.

    Attributes:
        title: its name in tables.
        version: name and version of the package.
        bodies: yields the bodies of the responses in an archive.
    """

    title: str
    version: str
    bodies: Callable[[Path], Iterator[bytes]]


@dataclass(slots=True, frozen=True)
class Row:
    """A row of the table.

    Attributes:
        system: the reader.
        seconds: CPU time for the archive.
        pages: bodies that are not empty.
        bytes: of these bodies.
        right: share of the sound records of the damaged copy whose bodies it gives, in percent.
        wrong: bodies of the damaged copy that are none of the archive's.
    """

    system: System
    seconds: float
    pages: int
    bytes: int
    right: float
    wrong: int


def systems() -> list[System]:
    """Returns the readers that are installed."""
    found = [System("corpusprep", f"corpusprep {__version__}", _ours)]
    for title, bodies in (("fastwarc", _fastwarc), ("warcio", _warcio)):
        with contextlib.suppress(PackageNotFoundError):
            found.append(System(title, f"{title} {version(title)}", bodies))
    return found


def measure(archive: Path, damaged: Path, rounds: int, tools: Sequence[System]) -> list[Row]:
    """Runs all readers in turn on an archive, `rounds` times, and once on a damaged copy, which is written.

    Returns a row for each, with the median of its times.
    """
    _damage(archive, damaged)
    taken: list[list[float]] = [[] for _ in tools]
    sizes: list[list[int]] = [[] for _ in tools]
    for _ in range(rounds):
        for place, tool in enumerate(tools):
            seconds, sizes[place] = cpu_seconds(lambda tool=tool: _sizes(tool, archive))  # type: ignore[misc]
            taken[place].append(seconds)
    rows = []
    for tool, times, found in zip(tools, taken, sizes, strict=True):
        row = Row(tool, statistics.median(times), len(found), sum(found), *quality(tool, damaged, archive))
        rows.append(row)
    return rows


def quality(tool: System, damaged: Path, archive: Path) -> tuple[float, int]:
    """Returns the share of right bodies and the number of wrong ones (Row) of a reader on a damaged archive."""
    whole, sound = Counter[str](), Counter[str]()
    for record in records(archive):
        if record.body:
            digest = _digest(record.body)
            whole[digest] += 1
            sound[digest] += not _is_damaged(record)
    kept = Counter(_read(tool, damaged))
    return 100 * (kept & sound).total() / sound.total(), (kept - whole).total()


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yields the lines of the table."""
    yield "| reader | CPU s | MB per CPU s | pages | sound pages of a damaged archive, % | wrong pages |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in rows:
        speed = row.bytes / max(row.seconds, 1e-6) / 1e6
        quality = f"{row.pages:,} | {row.right:.1f} | {row.wrong}"
        yield f"| {row.system.title} | {row.seconds:.3f} | {speed:,.0f} | {quality} |"


def _sizes(tool: System, archive: Path) -> list[int]:
    return [size for body in tool.bodies(archive) if (size := len(body))]


def _read(tool: System, archive: Path) -> list[str]:
    """Returns the digests of the bodies that a reader gives, up to its error, if there is one."""
    found: list[str] = []
    bodies = tool.bodies(archive)
    while True:
        try:
            body = next(bodies, None)
        except Exception:  # whatever another's library raises, there is no more
            return found
        if body is None:
            return found
        if body:
            found.append(_digest(body))


def _damage(archive: Path, output: Path) -> None:
    """Writes a copy in which one record in DAMAGED has a wrong byte."""
    data = bytearray(archive.read_bytes())
    for record in filter(_is_damaged, records(archive)):
        data[record.offset + record.length // 2] ^= 0xFF
    output.write_bytes(data)


def _is_damaged(record: Record) -> bool:
    return record.number % DAMAGED == DAMAGED // 2


def _digest(body: bytes) -> str:
    return hashlib.md5(body, usedforsecurity=False).hexdigest()


def _ours(archive: Path) -> Iterator[bytes]:
    for record in records(archive):
        yield record.body


def _fastwarc(archive: Path) -> Iterator[bytes]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(str(archive), record_types=WarcRecordType.response, fsspec_args=False):
        yield record.reader.read()


def _warcio(archive: Path) -> Iterator[bytes]:
    from warcio.archiveiterator import ArchiveIterator

    with archive.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                yield record.content_stream().read()
