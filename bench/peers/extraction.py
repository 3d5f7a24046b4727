"""Runs extractors on the pages of a gold set, in turn: jusText and `content` of this package, and public ones.

Programs of their own are measured where `make peers` has installed them, without the time of their start.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import running

from corpusprep import __version__
from corpusprep.gold import folders, scores, sets
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import Counts, Scores
from peers.times import cpu_seconds
from studies.evaluation import peers
from studies.evaluation.configurations import Configuration, cleaners, trained_on
from studies.evaluation.decisions import decide, segment_for
from studies.evaluation.measuring import Scorer, by_language, kit
from studies.evaluation.peer_programs import PROGRAMS, Program

#: Titles of ours, and of public extractors.
OURS = ("jusText A", "content")
PEERS = (
    "justext 3",
    "trafilatura",
    "rs-trafilatura",
    "resiliparse",
    "turbohtml",
    "readability-lxml",
    "Readability, jsdom",
    "boilerpy3",
    "html-to-markdown",
)

#: From pages to the text of each.
Extract = Callable[[Sequence[GoldPage]], list[str]]


@dataclass(slots=True, frozen=True)
class System:
    """An extractor.

    Attributes:
        title: its name in tables.
        version: name and version of the package.
        extract: returns the texts of pages.
        trained_on: the gold sets that its model has learned from.
        starts: whether each run starts a process.
    """

    title: str
    version: str
    extract: Extract
    trained_on: tuple[str, ...] = ()
    starts: bool = False


@dataclass(slots=True, frozen=True)
class Row:
    """A row of the table: CPU seconds for all pages, words kept, and scores by words with the interval of F1."""

    system: System
    seconds: float
    words: int
    scores: Scores
    interval: tuple[float, float]


def systems() -> list[System]:
    """Returns the extractors that are installed; loads them."""
    found = [
        System(one.title, f"corpusprep {__version__}", _cleaner(one), trained_on(one))
        for one in cleaners()
        if one.title in OURS
    ]
    for peer in peers.PEERS:
        version = peer.version()
        if peer.title in PEERS and version is not None:
            found.append(System(peer.title, f"{peer.package} {version}", _extractor(peer)))
    found += [
        System(program.title, f"{program.title} {version}", _program(program), starts=True)
        for program in PROGRAMS
        if (version := program.version()) is not None
    ]
    return sorted(found, key=lambda one: (*OURS, *PEERS).index(one.title))


def read(name: str, data: Path, most: int) -> GoldSet:
    """Returns a gold set, or a folder of gold pages, with at most that many pages, evenly spread over its list.

    Raises:
        CommandError: the data does not have the set.
    """
    found = folders.read_folder(Path(name), "en") if Path(name).is_dir() else sets.read(name, data)
    if found is None:
        raise running.CommandError(f"{data}: no data of {name}; set CORPUSPREP_DATA or give --data")
    count = len(found.pages)
    chosen = [found.pages[number * count // most] for number in range(most)] if count > most else found.pages
    return replace(found, pages=chosen)


def measure(gold_set: GoldSet, rounds: int, tools: Sequence[System]) -> list[Row]:
    """Runs all extractors in turn, `rounds` times; returns a row for each, with the median of its times.

    A run on the first two pages, which is not counted, reads the models.
    """
    taken: list[list[float]] = [[] for _ in tools]
    texts: list[list[str]] = [[] for _ in tools]
    for tool in tools:
        tool.extract(gold_set.pages[:2])
    for _ in range(rounds):
        for place, tool in enumerate(tools):
            seconds, texts[place] = cpu_seconds(lambda tool=tool: tool.extract(gold_set.pages))  # type: ignore[misc]
            if tool.starts:
                seconds -= cpu_seconds(lambda tool=tool: tool.extract([]))[0]  # type: ignore[misc]
            taken[place].append(seconds)
    rows = []
    for tool, times, found in zip(tools, taken, texts, strict=True):
        counts = page_counts(gold_set, found)
        interval, _ = scores.intervals(counts)
        words = sum(len(text.split()) for text in found)
        rows.append(Row(tool, statistics.median(times), words, scores.micro(counts), interval))
    return rows


def page_counts(gold_set: GoldSet, texts: Sequence[str]) -> list[Counts]:
    """Returns the counts of each page: by words, or by snippets in a set that has no whole texts."""
    by_name = {page.name: text for page, text in zip(gold_set.pages, texts, strict=True)}

    def run(pages: list[GoldPage], _: str, scorer: Scorer) -> Iterator[tuple[str, str, list[Counts]]]:
        for measure, counts in scorer.counts([by_name[page.name] for page in pages]):
            yield "", measure, counts

    return next(iter(by_language(gold_set, run).counts.values()))


def _by_language(pages: Sequence[GoldPage]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        found.setdefault(page.language, []).append(number)
    return found


def _cleaner(configuration: Configuration) -> Extract:
    algorithm = configuration.make()

    def extract(pages: Sequence[GoldPage]) -> list[str]:
        texts = [""] * len(pages)
        for code, numbers in _by_language(pages).items():
            chosen = [pages[number] for number in numbers]
            spans, good = decide(algorithm, segment_for(algorithm, chosen, *kit(code)))
            for place, number in enumerate(numbers):
                texts[number] = spans.page_text(place, good)
        return texts

    return extract


def _program(program: Program) -> Extract:
    return lambda pages: program.texts([page.html for page in pages])


def _extractor(peer: peers.Peer) -> Extract:
    extract = peer.load()
    return lambda pages: peers.run(extract, pages)
