"""Measures the CPU time from page to text of every cleaner, and of public extractors in the same run.

Each system takes decoded pages: parsing, segmentation, features and classification count, decoding does not. Rounds are
interleaved, and the quickest round counts, so that other processes on the machine hardly matter.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import StageFileError
from corpusprep.gold import sets
from corpusprep.gold.pages import GoldPage
from corpusprep.io import tsv
from studies.evaluation import peers
from studies.evaluation.configurations import Configuration, cleaners
from studies.evaluation.decisions import decide, segment_for
from studies.evaluation.measuring import kit

#: Pages of a set that are timed, evenly spread over its list, and rounds over them.
PAGES, ROUNDS = 20, 2

_COLUMNS = ("system", "pages", "cpu_microseconds")


@dataclass(slots=True, frozen=True)
class Timed:
    """The CPU time of a system: number of pages, and microseconds for all of them."""

    pages: int
    microseconds: int

    def __add__(self, other: "Timed") -> "Timed":
        """Returns the time of both together."""
        return Timed(self.pages + other.pages, self.microseconds + other.microseconds)

    @property
    def pages_per_second(self) -> float:
        """Pages per second of CPU time."""
        return self.pages / max(self.microseconds, 1) * 1e6


#: Cleans pages of one language; the texts are not looked at.
Clean = Callable[[], object]


def measure_set(data: Path, name: str, output: Path) -> None:
    """Times every system on pages of a set; writes `<name>.tsv`, one row per system, or no row for an absent set.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
    """
    stored = sets.read(name, data)
    timed = measure(stored.pages) if stored is not None else {}
    tsv.write(
        output / f"{name}.tsv",
        _COLUMNS,
        ((system, time_taken.pages, time_taken.microseconds) for system, time_taken in timed.items()),
    )


def measure(pages: Sequence[GoldPage]) -> dict[str, Timed]:
    """Returns the time of each system; site algorithms are left out if no site has several pages."""
    if not pages:
        return {}
    chosen = [pages[number * len(pages) // PAGES] for number in range(PAGES)] if len(pages) > PAGES else list(pages)
    several = len({page.site for page in chosen}) < len(chosen)
    by_language = {
        code: [page for page in chosen if page.language == code] for code in sorted({p.language for p in chosen})
    }
    systems = dict(_systems(by_language, several=several))
    best: dict[str, int] = {}
    for clean in systems.values():
        clean()  # what is read and built on first use is not counted
    for _ in range(ROUNDS):
        for system, clean in systems.items():
            start = time.process_time_ns()
            clean()
            microseconds = (time.process_time_ns() - start) // 1000
            best[system] = min(microseconds, best.get(system, microseconds))
    return {system: Timed(len(chosen), microseconds) for system, microseconds in best.items()}


def read(path: Path) -> dict[str, Timed]:
    """Reads what `measure_set` wrote.

    Raises:
        StageFileError: it is missing or damaged.
    """
    try:
        rows = ((row["system"], row["pages"], row["cpu_microseconds"]) for row in tsv.read(path, _COLUMNS))
        return {system: Timed(int(pages), int(microseconds)) for system, pages, microseconds in rows}
    except ValueError:
        raise StageFileError(f"{path}: not a table of times; run `corpusprep studies evaluation speed` again") from None


def total(tables: Mapping[str, Mapping[str, Timed]]) -> dict[str, Timed]:
    """Returns the time of each system over all sets."""
    summed: dict[str, Timed] = {}
    for table in tables.values():
        for system, timed in table.items():
            summed[system] = summed[system] + timed if system in summed else timed
    return summed


def _systems(pages: Mapping[str, list[GoldPage]], *, several: bool) -> Iterator[tuple[str, Clean]]:
    """Yields title and function of each system; it cleans the pages of all languages."""
    for configuration in cleaners():
        if several or configuration.make().side_table is None:
            yield configuration.title, _cleaner(configuration, pages)
    for peer in peers.PEERS:
        if peer.version() is not None:
            yield (
                peer.title,
                _extractor(peer, [page for pages_of_language in pages.values() for page in pages_of_language]),
            )


def _cleaner(configuration: Configuration, pages: Mapping[str, list[GoldPage]]) -> Clean:
    algorithm = configuration.make()

    def clean() -> None:
        for code, pages_of_language in pages.items():
            blocks = segment_for(algorithm, pages_of_language, *kit(code))
            spans, good = decide(algorithm, blocks, [page.site for page in pages_of_language])
            for number in range(len(pages_of_language)):
                spans.page_text(number, good)

    return clean


def _extractor(peer: peers.Peer, pages: list[GoldPage]) -> Clean:
    extract = peer.load()
    return lambda: peers.run(extract, pages)
