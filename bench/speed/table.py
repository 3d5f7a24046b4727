"""Speed of the stages that see every page, beside the tools that people use: one table (`make bench`).

    python bench [--data FOLDER] [CRAWL …]

FOLDER holds the crawls, as crawl/<name>.warc.gz ($CORPUSPREP_DATA or ../shared/data). Without names, all
that benchmarks.crawls knows. One core; a ratio is the peer's CPU time divided by ours, the median of five
pairs on the same pages after one that does not count.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import crawls
import paired
import pipeline
import stages

PEERS = ("justext", "lxml", "faust-cchardet", "charset-normalizer", "py3langid", "pycld2", "warcio")
LIBRARIES = ("numpy", "polars", "zstandard")
#: Pages a second, from archive to vertical, to reach on one core.
PIPELINE_LEAST = {"docs-0": 600.0, "en-l3s-gn1": 450.0}
#: Bytes of archives that peak memory is measured on, and megabytes that are not to be exceeded.
MEMORY_ARCHIVES, MEMORY_LEAST = 100_000_000, 300
#: Runs that the pipeline's median is taken of.
PIPELINE_RUNS = 5
WIDTH = 80
NOTES = """MB: of pages, decompressed; for language and tokens, of text. M tokens: pages/s is then million tokens a CPU
second. all four: archive to vertical, one process a stage, start-up included. floor: what it would be if the four
processes did nothing but load Python and the libraries, and lxml parse each page once. All times are CPU time: on a
core that shares its units with another busy one, they are longer."""
ROW = "{:<11} {:<12} {:>8} {:>7}  {:<21} {:>6} {:>8}"


def _row(line: stages.Line) -> str:
    megabytes = f"{line.megabytes_per_second:,.1f}"
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}x" if line.peer else f"{line.ratio:.1f}"
    least = "" if line.least is None else f"{line.least:,.2f}x" if line.peer else f"{line.least:,.0f}/s"
    return ROW.format(line.stage, line.crawl, f"{line.pages_per_second:,.0f}", megabytes, line.peer, ratio, least)


def _pipeline(crawl: crawls.Crawl, folder: Path) -> Iterator[stages.Line]:
    """The four stages on one crawl; and their floor, what no change to them takes away."""
    folder.mkdir()
    pipeline.prepare(folder, [crawl.archive])
    runs, loads, parses = [], [], []
    for _ in range(PIPELINE_RUNS):
        runs.append(sum(used.cpu_seconds for used in pipeline.run(folder)))
        loads.append(pipeline.start_up(folder))
        parses.append(paired.cpu_seconds(lambda: stages.parse(crawl.pages)))
    pages, size = len(crawl.pages), sum(len(page.body) for page in crawl.pages)
    whole = statistics.median(runs)
    floor = statistics.median(loads) + statistics.median(parses)
    least = PIPELINE_LEAST.get(crawl.name)
    yield stages.Line("all four", crawl.name, pages / whole, size / whole / 1e6, least=least)
    yield stages.Line("floor", crawl.name, pages / floor, size / floor / 1e6)


def _memory(archives: list[Path], folder: Path) -> None:
    """Peak memory of each stage on an archive of at least MEMORY_ARCHIVES bytes, put together from `archives`."""
    folder.mkdir()
    whole, copies = folder / "whole.warc.gz", 0
    while sum(path.stat().st_size for path in archives) * copies < MEMORY_ARCHIVES:
        copies += 1
    with whole.open("wb") as stream:
        for path in archives * copies:
            stream.write(path.read_bytes())
    pipeline.prepare(folder, [whole])
    print(f"\nPeak memory on one archive of {whole.stat().st_size / 1e6:.0f} MB (at most {MEMORY_LEAST} MB):")
    print("  " + ", ".join(f"{used.stage} {used.peak_megabytes:.0f} MB" for used in pipeline.run(folder)), flush=True)


def main() -> None:
    """Prints the table line by line, as it is measured."""
    parser = argparse.ArgumentParser(prog="bench", description=(__doc__ or "").partition("\n")[0])
    repository = Path(__file__).parents[1]
    data = os.environ.get("CORPUSPREP_DATA") or repository.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(data), help="folder of the evaluation data")
    parser.add_argument("crawls", nargs="*", default=crawls.CRAWLS, help="names of crawls")
    arguments = parser.parse_args()
    archives = [(arguments.data / "crawl" / f"{name}.warc.gz").resolve() for name in arguments.crawls]
    if missing := [str(path) for path in archives if not path.is_file()]:
        sys.exit(f"no such crawl: {', '.join(missing)} (set CORPUSPREP_DATA)")
    versions = ", ".join(f"{name} {version(name)}" for name in (*PEERS, *LIBRARIES))
    heading = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs; {versions}"
    print(textwrap.fill(heading, WIDTH))
    print(ROW.format("stage", "crawl", "pages/s", "MB/s", "peer", "ratio", "at least"))
    with tempfile.TemporaryDirectory() as folder:
        for archive in archives:
            crawl = crawls.read(archive)
            for line in stages.lines(crawl):
                print(_row(line), flush=True)
            for line in _pipeline(crawl, Path(folder) / crawl.name):
                print(_row(line), flush=True)
        _memory(archives, Path(folder) / "memory")
    print("\n" + textwrap.fill(NOTES, WIDTH))


if __name__ == "__main__":
    main()
