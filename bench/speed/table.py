"""Measures the stages that see every page beside the tools that people use, and prints one table (`make bench`).

    python bench speed [--data FOLDER] [CRAWL …]

FOLDER holds the crawls as crawl/<name>.warc.gz ($CORPUSPREP_DATA or ../shared/data). Without names, all crawls of
speed/crawls.py are measured. Everything runs on one core. A ratio is the peer's CPU time divided by ours: the median
of five pairs on the same pages, after one pair that does not count.
"""

import os
import platform
import statistics
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import running

from speed import crawls, paired, stages, whole_stages

PEERS = (
    "justext",
    "trafilatura",
    "lxml",
    "faust-cchardet",
    "charset-normalizer",
    "py3langid",
    "pycld2",
    "warcio",
    "fastwarc",
)
LIBRARIES = ("numpy", "polars", "zstandard")
#: The goal: pages per second from archive to vertical on one core.
LEAST_PAGES_PER_SECOND = {"docs-0": 600.0, "en-l3s-gn1": 450.0}
#: Bytes of archives that peak memory is measured on, and the most megabytes that a stage may use.
MEMORY_ARCHIVE_BYTES, MOST_MEGABYTES = 100_000_000, 300
#: Runs of the four stages; their median counts.
RUNS = 5
WIDTH = 80
NOTES = """MB: megabytes of decompressed pages; for language and tokens, of text. M tokens: the column pages/s shows
million tokens per CPU second. all four: from archive to vertical, one process per stage, with start-up. floor: the
speed if the four processes only loaded Python and the libraries, and lxml parsed each page once. All times are CPU
time. They are longer on a core that shares its units with another busy core."""
ROW = "{:<12} {:<12} {:>8} {:>7}  {:<21} {:>6} {:>8}"


def _row(line: stages.Line) -> str:
    megabytes = f"{line.megabytes_per_second:,.1f}"
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}x" if line.peer else f"{line.ratio:.1f}"
    least = "" if line.least is None else f"{line.least:,.2f}x" if line.peer else f"{line.least:,.0f}/s"
    return ROW.format(line.stage, line.crawl, f"{line.pages_per_second:,.0f}", megabytes, line.peer, ratio, least)


def _whole_stages(crawl: crawls.Crawl, folder: Path) -> Iterator[stages.Line]:
    """Measures the four stages on one crawl, and their floor: the part that no change to them can save."""
    folder.mkdir()
    whole_stages.prepare(folder, [crawl.archive])
    runs, loads, parses = [], [], []
    for _ in range(RUNS):
        runs.append(sum(process.cpu_seconds for process in whole_stages.run(folder)))
        loads.append(whole_stages.start_up(folder))
        parses.append(paired.cpu_seconds(lambda: stages.parse(crawl.pages)))
    pages, size = len(crawl.pages), sum(len(page.body) for page in crawl.pages)
    whole = statistics.median(runs)
    floor = statistics.median(loads) + statistics.median(parses)
    least = LEAST_PAGES_PER_SECOND.get(crawl.name)
    yield stages.Line("all four", crawl.name, pages / whole, size / whole / 1e6, least=least)
    yield stages.Line("floor", crawl.name, pages / floor, size / floor / 1e6)


def _memory(archives: list[Path], folder: Path) -> None:
    """Prints the peak memory of each stage on one archive: copies of `archives`, MEMORY_ARCHIVE_BYTES or more."""
    folder.mkdir()
    whole = folder / "whole.warc.gz"
    copies = -(-MEMORY_ARCHIVE_BYTES // sum(path.stat().st_size for path in archives))
    with whole.open("wb") as stream:
        for path in archives * copies:
            stream.write(path.read_bytes())
    whole_stages.prepare(folder, [whole])
    print(f"\nPeak memory on one archive of {whole.stat().st_size / 1e6:.0f} MB (at most {MOST_MEGABYTES} MB):")
    peaks = (f"{process.stage} {process.peak_megabytes:.0f} MB" for process in whole_stages.run(folder))
    print("  " + ", ".join(peaks), flush=True)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints the table line by line, as it is measured."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("crawls", nargs="*", default=crawls.CRAWLS, help="names of crawls")
    options = parser.parse_args(arguments)
    archives = running.crawl_archives(options.data, options.crawls)
    versions = ", ".join(f"{name} {version(name)}" for name in (*PEERS, *LIBRARIES))
    heading = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs; {versions}"
    print(textwrap.fill(heading, WIDTH))
    print(ROW.format("stage", "crawl", "pages/s", "MB/s", "peer", "ratio", "at least"))
    with tempfile.TemporaryDirectory() as folder:
        for archive in archives:
            crawl = crawls.read(archive)
            for line in stages.lines(crawl):
                print(_row(line), flush=True)
            for line in _whole_stages(crawl, Path(folder) / crawl.name):
                print(_row(line), flush=True)
        _memory(archives, Path(folder) / "memory")
    print("\n" + textwrap.fill(NOTES, WIDTH))
