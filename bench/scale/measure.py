"""Measures what every step costs as the corpus grows: the workflow on crawls of four sizes (`make scale`).

    python bench scale [--data FOLDER] [--tokens 100M] [--output FOLDER]

The largest crawl has about `--tokens` tokens; each other crawl has a tenth of the next. scale/made_crawl.py makes them
from the crawl of documentation in FOLDER/crawl ($CORPUSPREP_DATA or ../shared/data). The workflow runs on one core with
one thread. CPU time is measured, so that other processes hardly matter. Writes three files:

    docs/measurements/scale_measured.tsv    the measurements, one row per step and size
    corpusprep/forecast/costs.tsv           lines fitted to them, which forecasts use:
                                            CPU seconds = start_seconds x processes + seconds x million tokens,
                                            and chosen_seconds x million tokens of the chosen pages;
                                            memory of the largest process, in the same way; bytes per token left on disk
    docs/measurements/scale.md              the tables of the page

With --output all three go to that folder, and the repository stays as it is. With --steps only these rows of costs.tsv
are written; the corpora may then be smaller.
"""

import csv
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import get_type_hints

import numpy as np
import polars as pl
import running
from parts import measure as of_parts
from speed import crawls

from corpusprep import extract
from corpusprep.forecast.costs import JOINED, STEPS, Cost, load_costs
from corpusprep.forecast.sample_run import loading_seconds
from corpusprep.io.sizes import parse_size
from corpusprep.pipeline import FILES, File, Scope
from corpusprep.statistics.chosen_pages import PAGES
from scale import made_crawl, page
from scale.page import Measured

ARCHIVE_BYTES = 100_000_000
MEMORY = "1G"
SIZES = 4
#: The rules cost what they do where they remove documents, and none is removed.
FILTER = {"least": {"words": 0, "mean_word_length": 0}, "most": {"repeated_lines": 1, "top_2grams": 1}}
#: Subwords of the tokeniser of a model, and bytes of pages that it is made from.
VOCABULARY, TOKENIZER_BYTES = 32_000, 20_000_000
#: Assumed until a crawl of ENOUGH_PAGES pages was measured.
FIRST_TOKENS_PER_PAGE, ENOUGH_PAGES = 430, 1000
#: Steps that read and write tables of bounded size only: their rate is 0.
BOUNDED = ("report",)
#: The step that looks at chosen pages, of which a larger crawl has no more, beside what it does with all words.
CHOOSING = "statistics tables"
#: What is written, in the repository or under its file's name in --output.
MEASURED, PAGE, COSTS = (
    "docs/measurements/scale_measured.tsv",
    "docs/measurements/scale.md",
    "corpusprep/forecast/costs.tsv",
)
#: The steps of n-grams that are divided; `bench parts` measured both ways and wrote the file of rows.
DIVIDED = ("ngrams lexicon", "ngrams candidates", "ngrams merge")
#: The one of them whose rate grows with the corpus.
OF_NGRAMS = "ngrams candidates"
PARTS_MEASURED = "docs/measurements/parts_measured.tsv"


def globs(files: Iterable[File]) -> list[str]:
    """Returns the patterns of files, relative to a corpus's folder."""
    return [file.glob for file in files]


def build(folder: Path, archives: list[Path]) -> Iterator[Measured]:
    """Builds the corpus of `archives` in `folder`, and returns what each step used."""
    optional = {"filter": FILTER, "personal": {"mask": ["email"]}}
    made = {"language": "en", "archives": [f"{archives[0].parent}/*.warc.gz"], **optional}
    subwords = {"count_tokens": str(write_tokenizer(archives[0], folder / "tokenizer.json"))}
    config = {"memory": MEMORY, "batch_bytes": ARCHIVE_BYTES, "corpus": subwords, "corpora": {"made": made}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    running.run_workflow(folder, ["--cores", "1"], {"POLARS_MAX_THREADS": "1"})
    corpus = folder / "results" / "made"
    tokens = [
        int(pl.read_parquet(path, columns=["tokens"])["tokens"].sum()) for path in corpus.glob("tokens/*.parquet")
    ]
    stored = sum(path.stat().st_size for path in archives)
    for step, parts in STEPS.items():
        if parts[0].memory is None:  # done in a moment on the machine that runs the workflow
            continue
        times = globs(part.times for part in parts)
        written = globs(FILES[name] for part in parts for name in part.writes)
        paths = sorted(path for pattern in times for path in corpus.glob(pattern))
        processes = [pl.read_csv(path, separator="\t") for path in paths]
        if not processes:  # a step of the other method
            continue
        yield Measured(
            step,
            sum(tokens),
            stored,
            len(processes),
            sum(tokens) if parts[0].scope is Scope.CORPUS else max(tokens),
            sum(table["cpu_seconds"].item() for table in processes),
            max(table["peak_memory_mb"].item() for table in processes),
            sum(path.stat().st_size for pattern in written for path in corpus.glob(pattern) if path.is_file()),
        )


def write_tokenizer(archive: Path, path: Path) -> Path:
    """Writes a tokeniser of a model that is made from the text of pages, and returns its path."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    texts: list[str] = []
    size = 0
    for page_of_archive in crawls.read(archive).pages:
        size += len(page_of_archive.body)
        texts += [block.text for block in extract(page_of_archive.body)]
        if size > TOKENIZER_BYTES:
            break
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(str(path))
    return path


def fitted(step: str, rows: list[Measured]) -> Cost:
    """Fits the lines with the smallest relative error."""
    tokens, processes, process_tokens, seconds, peaks = (
        np.array([getattr(row, name) for row in rows], dtype=float)
        for name in ("tokens", "processes", "largest_process_tokens", "cpu_seconds", "peak_megabytes")
    )
    bounded = (float(np.mean(seconds / processes)), 0.0)
    chosen = np.minimum(tokens, page.TOKENS_PER_PAGE * PAGES) / 1e6
    of_chosen = 0.0
    if step == CHOOSING:
        start, rate, of_chosen = _plane([processes, tokens / 1e6, chosen], seconds)
    else:
        start, rate = bounded if step in BOUNDED else _line(processes, tokens / 1e6, seconds)
    base, slope = _line(np.ones(len(rows)), process_tokens / 1e6, peaks)
    largest = rows[-1]
    return Cost(
        step,
        round(start, 3),
        round(rate, 4),
        round(base, 1),
        round(slope, 3),
        round(largest.written_bytes / largest.tokens, 4),
        round(of_chosen, 4),
    )


def divided(costs: Mapping[str, Cost], rows: Iterable[of_parts.Used]) -> dict[str, Cost]:
    """Returns the costs of the parts of DIVIDED, and what joining them costs.

    They have the rate of one process, times what the parts and joining took of its time at the largest size. That of
    OF_NGRAMS is the rate at the largest size itself: in the crawls that are measured here, its keys fit the cache.
    """
    seconds: dict[str, dict[tuple[str, int], float]] = {}
    for row in rows:
        seconds.setdefault(row.step.removeprefix("… "), {})[row.unit, row.units] = row.seconds
    found = {}
    for step in DIVIDED:
        whole, rate = seconds[step], costs[step].seconds
        if step == OF_NGRAMS:
            largest = max(whole, key=lambda size: size[1])
            rate = whole[largest] / largest[1] * 1e6 * page.NGRAMS_PER_TOKEN
            found[step] = replace(costs[step], seconds=round(rate, 4))
        for name, measured in ((f"{step}-part", f"{step}-part, all"), (step + JOINED, f"{step}, joining")):
            sizes = whole.keys() & seconds[measured].keys()
            if sizes:  # duplicates of n-grams are joined, not n-grams
                largest = max(sizes, key=lambda size: size[1])
                ratio = seconds[measured][largest] / whole[largest]
                found[name] = replace(costs[name], seconds=round(rate * ratio, 6))
    return found


def _line(ones: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Returns a, b >= 0 with a * ones + b * x close to y."""
    (a, b), *_ = np.linalg.lstsq(np.column_stack([ones / y, x / y]), np.ones(len(y)))
    if b < 0:
        return float(np.mean(y / ones)), 0.0
    return (float(a), float(b)) if a >= 0 else (0.0, float(np.mean(y / x)))


def _plane(columns: list[np.ndarray], y: np.ndarray) -> list[float]:
    """Returns factors >= 0 with which the sum of the columns is close to y; columns that do not help have 0."""
    used = list(range(len(columns)))
    while True:
        factors, *_ = np.linalg.lstsq(np.column_stack([columns[place] / y for place in used]), np.ones(len(y)))
        if min(factors) >= 0:
            found = dict(zip(used, factors.tolist(), strict=True))
            return [found.get(place, 0.0) for place in range(len(columns))]
        used.pop(int(np.argmin(factors)))


def write(path: Path, rows: list[Measured] | list[Cost]) -> None:
    """Writes rows as a TSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(asdict(rows[0]))
        writer.writerows(map(astuple, rows))


def read(path: Path) -> list[Measured]:
    """Reads what `write` wrote."""
    kinds = get_type_hints(Measured)
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Measured(**{name: kinds[name](value) for name, value in row.items()})
            for row in csv.DictReader(file, delimiter="\t")
        ]


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, fits and writes."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--tokens", type=parse_size, default="100M", help="tokens of the largest crawl, about")
    parser.add_argument("--tables-only", action="store_true", help="fit and write from the stored measurements")
    parser.add_argument("--steps", nargs="+", choices=STEPS, metavar="ROW", help="renew these rows of costs.tsv only")
    parser.add_argument("--output", type=Path, help="folder for all that is written (default: the repository's files)")
    options = parser.parse_args(arguments)
    files = {name: running.REPOSITORY / name for name in (MEASURED, PAGE, COSTS)}
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        files = {name: Path(shutil.copy(path, options.output)) for name, path in files.items()}
    if not options.tables_only:
        archives = running.crawl_archives(options.data, ["docs-0", "docs-1"])
        measured = measure(archives, options.tokens)
        if options.steps:
            new = {step: fitted(step, [row for row in measured if row.step == step]) for step in options.steps}
            write(files[COSTS], list((load_costs(files[COSTS]) | new).values()))
            return
        write(files[MEASURED], measured)
        print(f"TABLE_LOADING_SECONDS of corpusprep/forecast/sample_run.py: {loading_seconds():.3f}", file=sys.stderr)
    rows = read(files[MEASURED])
    by_step = {step: [row for row in rows if row.step == step] for step in STEPS}
    # The steps of parts run in large corpora only; `bench parts` measures them.
    costs = load_costs(files[COSTS]) | {step: fitted(step, found) for step, found in by_step.items() if found}
    # With parts, what is left for one process has the chosen pages, and the parts have the words.
    of_all, joined, part = (f"{CHOOSING}{end}" for end in ("", JOINED, "-part"))
    costs[joined] = replace(costs[joined], chosen_seconds=costs[of_all].chosen_seconds)
    costs[part] = replace(costs[part], seconds=costs[of_all].seconds)
    costs |= divided(costs, of_parts.read(running.REPOSITORY / PARTS_MEASURED))
    write(files[COSTS], list(costs.values()))
    page.update(files[PAGE], rows, load_costs(files[COSTS]))


def measure(archives: list[Path], largest: int) -> list[Measured]:
    """Builds the corpora, the smallest first."""
    source = made_crawl.pages(archives)
    rows: list[Measured] = []
    tokens_per_page: float = FIRST_TOKENS_PER_PAGE
    for power in reversed(range(SIZES)):
        pages = max(1, round(largest / 10**power / tokens_per_page))
        with tempfile.TemporaryDirectory() as name:
            (crawl := Path(name) / "crawl").mkdir()
            built = list(build(Path(name), made_crawl.make(source, pages, ARCHIVE_BYTES, crawl)))
        rows += built
        if pages >= ENOUGH_PAGES:
            tokens_per_page = rows[-1].tokens / pages
        print(f"{rows[-1].tokens:,} tokens, {pages:,} pages:", file=sys.stderr)
        for row in built:
            print(f"  {row.step:18} {row.cpu_seconds:9.2f} s {row.peak_megabytes:8.1f} MB", file=sys.stderr, flush=True)
    return rows
