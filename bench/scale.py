"""What every step costs as the corpus grows: the workflow on crawls of four sizes (`make scale`).

    python bench/scale.py [--data FOLDER] [--tokens 100M]

The largest crawl gives about so many tokens, each of the others a tenth of the next. They are made from the crawl of
documentation in FOLDER/crawl ($CORPUSPREP_DATA or ../shared/data; made_crawl.py says how). One core, one thread; CPU
time, so that other processes count for little. Writes docs/scale_measured.tsv, a row a step and size; what is fitted to
it, corpusprep/costs.tsv (CPU seconds = start_seconds x processes + seconds x million tokens; memory in the same way, of
the largest process; bytes a token that the step leaves on disk); and the tables of docs/scale.md, from both.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import get_type_hints

import made_crawl
import numpy as np
import polars as pl
import scale_page

from corpusprep.io.sizes import parse_size
from corpusprep.pipeline import FILES, File, Scope
from corpusprep.planning.forecast import STEPS, Cost, load_costs

REPOSITORY = Path(__file__).parents[1]
ARCHIVE_BYTES = 100_000_000
MEMORY = "1G"
SIZES = 4
#: Before enough pages were seen to tell.
FIRST_TOKENS_A_PAGE, ENOUGH_PAGES = 430, 1000
MEASURED = REPOSITORY / "docs" / "scale_measured.tsv"
PAGE = REPOSITORY / "docs" / "scale.md"
#: Those of the clone: the installed package has a copy.
COSTS = REPOSITORY / "corpusprep" / "planning" / "costs.tsv"


def globs(files: Iterable[File]) -> list[str]:
    """The patterns of files, in a corpus's folder."""
    return [re.sub(r"\{\w+\}", "*", file.pattern) for file in files]


@dataclass(slots=True, frozen=True)
class Measured:
    """What a step took on one crawl."""

    step: str
    tokens: int
    archive_bytes: int
    processes: int
    largest_process_tokens: int
    cpu_seconds: float
    peak_megabytes: float
    written_bytes: int


def build(folder: Path, archives: list[Path]) -> Iterator[Measured]:
    """Builds the corpus of `archives` in `folder`."""
    config = f'{{"memory": "{MEMORY}", "batch_bytes": {ARCHIVE_BYTES}, "corpora": {{"made": {{"language": "en", '
    config += f'"archives": ["{archives[0].parent}/*.warc.gz"]}}}}}}'
    (folder / "my.json").write_text(config)
    command = [sys.executable, "-m", "snakemake", "-s", REPOSITORY / "Snakefile", "--cores", "1", "--notemp"]
    subprocess.run(
        [*command, "--configfile", "my.json"],
        cwd=folder,
        env={**os.environ, "POLARS_MAX_THREADS": "1", "PYTHONSAFEPATH": "1"},
        stderr=subprocess.DEVNULL,
        check=True,
    )
    corpus = folder / "results" / "made"
    tokens = [pl.read_parquet(path, columns=["tokens"])["tokens"].sum() for path in corpus.glob("tokens/*.parquet")]
    stored = sum(path.stat().st_size for path in archives)
    for step, parts in STEPS.items():
        times = globs(part.times for part in parts)
        written = globs(FILES[name] for part in parts for name in part.writes)
        used = [pl.read_csv(path, separator="\t") for pattern in times for path in sorted(corpus.glob(pattern))]
        if not used:  # of another method
            continue
        yield Measured(
            step,
            sum(tokens),
            stored,
            len(used),
            sum(tokens) if parts[0].scope is Scope.CORPUS else max(tokens),
            sum(table["cpu_seconds"].item() for table in used),
            max(table["peak_memory_mb"].item() for table in used),
            sum(path.stat().st_size for pattern in written for path in corpus.glob(pattern) if path.is_file()),
        )


def fitted(step: str, rows: list[Measured]) -> Cost:
    """The lines that lie closest to what was measured, by relative error."""
    tokens, processes, process_tokens, seconds, peaks = (
        np.array([getattr(row, name) for row in rows], dtype=float)
        for name in ("tokens", "processes", "largest_process_tokens", "cpu_seconds", "peak_megabytes")
    )
    start, rate = _line(processes, tokens / 1e6, seconds)
    base, slope = _line(np.ones(len(rows)), process_tokens / 1e6, peaks)
    largest = rows[-1]
    return Cost(
        step,
        round(start, 3),
        round(rate, 4),
        round(base, 1),
        round(slope, 3),
        round(largest.written_bytes / largest.tokens, 4),
    )


def _line(ones: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """a, b >= 0 with a * ones + b * x close to y."""
    (a, b), *_ = np.linalg.lstsq(np.column_stack([ones / y, x / y]), np.ones(len(y)))
    if b < 0:
        return float(np.mean(y / ones)), 0.0
    return (float(a), float(b)) if a >= 0 else (0.0, float(np.mean(y / x)))


def write(path: Path, rows: list[Measured] | list[Cost]) -> None:
    """Rows as a TSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(asdict(rows[0]))
        writer.writerows(map(astuple, rows))


def read(path: Path) -> list[Measured]:
    """What `write` wrote."""
    kinds = get_type_hints(Measured)
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Measured(**{name: kinds[name](value) for name, value in row.items()})
            for row in csv.DictReader(file, delimiter="\t")
        ]


def main() -> None:
    """Measures, fits and writes."""
    parser = argparse.ArgumentParser(prog="bench/scale.py", description=(__doc__ or "").partition("\n")[0])
    data = os.environ.get("CORPUSPREP_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(data), help="folder of the evaluation data")
    parser.add_argument("--tokens", default="100M", help="tokens of the largest crawl, about")
    parser.add_argument("--tables-only", action="store_true", help="print the page from what was measured before")
    arguments = parser.parse_args()
    if not arguments.tables_only:
        archives = [(arguments.data / "crawl" / f"docs-{number}.warc.gz").resolve() for number in (0, 1)]
        if missing := [str(path) for path in archives if not path.is_file()]:
            sys.exit(f"no such crawl: {', '.join(missing)} (set CORPUSPREP_DATA)")
        write(MEASURED, measure(archives, parse_size(arguments.tokens)))
    rows = read(MEASURED)
    by_step = {step: [row for row in rows if row.step == step] for step in STEPS}
    write(COSTS, [fitted(step, found) for step, found in by_step.items() if found])
    scale_page.update(PAGE, rows, load_costs(COSTS))


def measure(archives: list[Path], largest: int) -> list[Measured]:
    """Builds the corpora, the smallest first."""
    source = made_crawl.pages(archives)
    rows: list[Measured] = []
    tokens_a_page = FIRST_TOKENS_A_PAGE
    for power in reversed(range(SIZES)):
        pages = round(largest / 10**power / tokens_a_page)
        with tempfile.TemporaryDirectory() as name:
            (crawl := Path(name) / "crawl").mkdir()
            rows += build(Path(name), made_crawl.make(source, pages, ARCHIVE_BYTES, crawl))
        if pages >= ENOUGH_PAGES:
            tokens_a_page = rows[-1].tokens / pages
        print(f"{rows[-1].tokens:,} tokens, {pages:,} pages:", file=sys.stderr)
        for row in rows[-len(STEPS) :]:
            print(f"  {row.step:18} {row.cpu_seconds:9.2f} s {row.peak_megabytes:8.1f} MB", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    main()
