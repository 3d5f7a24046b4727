"""Writes the tables of the page on scale from the measurements: CPU time, memory and disk per step, and forecasts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import page_tables

from corpusprep.config.settings import load_schema, resolve
from corpusprep.dedup.match_chunks import match_chunks
from corpusprep.forecast.costs import JOINED, STEPS, Cost, StepForecast, forecast, memory_by_step, runs, total_wall
from corpusprep.forecast.plan import bytes_text, duration_text
from corpusprep.io.sizes import parse_size
from corpusprep.jobs.resources import number_of_parts

TOKENS = (10**10, 10**11, 10**12)
NODES, CORES_PER_NODE, MEMORY = 100, 32, "4G"
#: Least bytes of archives in a batch. There are at most as many batches as cores.
LEAST_BATCH_BYTES = 100_000_000
#: From the submission of a job on an idle node until Snakemake sees its end, without the command's own time.
START_SECONDS = 15
#: Below these CPU seconds, without start-up, no exponent is shown: start-up itself varies as much.
LEAST_WORK_SECONDS = 0.2
#: The table of duplicate n-grams holds a key and a count for each; `blocks match` reads only the keys. That of a bundle
#: holds a key, its number and a check.
BYTES_PER_DUPLICATE, BYTES_PER_KEY, BYTES_PER_BUNDLE_KEY = 12, 8, 16
#: Of the crawls that are measured.
TOKENS_PER_PAGE = 377
#: N-grams that are looked up per token, without stop words and punctuation.
NGRAMS_PER_TOKEN = 0.5
#: Row of the table of parts -> its steps, in one process or in parts.
_DIVIDED = {
    "`documents`": ("exact sort", "exact part", "exact gather", "documents"),
    "`ngrams lexicon`": ("ngrams lexicon-part", "ngrams lexicon"),
    "`ngrams candidates`": ("ngrams candidates-part", "ngrams candidates"),
    "`ngrams merge`": ("ngrams merge-part", "ngrams merge"),
    "`index`, beside the other steps": ("urls sort", "urls part", "index"),
    "`statistics merge`": ("statistics merge-part", "statistics merge"),
    "`statistics tables`": ("statistics tables-part", "statistics tables"),
}


@dataclass(slots=True, frozen=True)
class Measured:
    """What a step used on one crawl."""

    step: str
    tokens: int
    archive_bytes: int
    processes: int
    largest_process_tokens: int
    cpu_seconds: float
    peak_megabytes: float
    written_bytes: int


def update(page: Path, rows: Sequence[Measured], costs: Mapping[str, Cost]) -> None:
    """Replaces the tables in the page; forecasts are of a corpus with the defaults, without optional steps."""
    config = {"corpora": {"made": {"language": "en", "archives": ["*.warc.gz"]}}}
    default = resolve(config, load_schema(), checked=False)["made"]
    costs = {step: cost for step, cost in costs.items() if runs(step, default)}
    largest = max(rows, key=lambda row: row.tokens)
    tables = {
        "measured": measured_table(rows, costs),
        "disk": disk_table(costs, largest.archive_bytes / largest.tokens),
        "forecast": forecast_table(costs, largest.archive_bytes / largest.tokens),
        "parts": parts_table(costs, largest.archive_bytes / largest.tokens),
    }
    page_tables.replace(page, tables)


def as_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table; the first column has words, the others numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def measured_table(rows: Sequence[Measured], costs: Mapping[str, Cost]) -> str:
    """Returns CPU seconds and peak memory at each size.

    The exponent compares the two largest sizes, without the start-up of the processes.
    """
    sizes = sorted({row.tokens for row in rows})
    body = []
    for step, cost in costs.items():
        if step not in {row.step for row in rows}:
            continue
        found = sorted((row for row in rows if row.step == step), key=lambda row: row.tokens)
        work = [row.cpu_seconds - cost.start_seconds * row.processes for row in found[-2:]]
        grown = math.log(found[-1].tokens / found[-2].tokens)
        exponent = f"{math.log(work[1] / work[0]) / grown:.2f}" if work[0] > LEAST_WORK_SECONDS and work[1] > 0 else ""
        seconds = [f"{row.cpu_seconds:.2f}" for row in found]
        body.append([step, *seconds, f"{cost.seconds:.3f}", exponent, *(f"{row.peak_megabytes:.0f}" for row in found)])
    head = [f"{size / 1e6:.1f} M" if size >= 10**6 else f"{size / 1e3:.0f} k" for size in sizes]
    return as_table(["step", *(f"{h}: s" for h in head), "s / M tokens", "exponent", *(f"{h}: MB" for h in head)], body)


def disk_table(costs: Mapping[str, Cost], archive_bytes_per_token: float) -> str:
    """Returns the bytes per token that each step leaves on disk."""
    undivided = {step: cost for step, cost in costs.items() if not step.endswith(JOINED) and not STEPS[step][0].divides}
    rows = [[step, f"{cost.bytes_per_token:.2f}"] for step, cost in undivided.items() if cost.bytes_per_token >= 0.005]
    return as_table(["step", "bytes / token"], [["(the archives, as stored)", f"{archive_bytes_per_token:.2f}"], *rows])


def partition(
    costs: Mapping[str, Cost], tokens: int, archive_bytes_per_token: float, parts: int = 0
) -> tuple[int, list[StepForecast]]:
    """Returns the number of batches, and the forecast of every step on the cluster; 0 parts: as many as by default."""
    stored = tokens * archive_bytes_per_token
    cores = NODES * CORES_PER_NODE
    batches = max(1, min(cores, math.ceil(stored / LEAST_BATCH_BYTES)))
    memory = memory_by_step(round(stored / batches), round(stored), MEMORY)
    parts = number_of_parts(parts, round(stored))
    lines = forecast(
        costs.values(),
        tokens,
        batches,
        batches,
        cores,
        memory,
        START_SECONDS,
        parts=parts,
        pages=tokens / TOKENS_PER_PAGE,
    )
    return batches, lines


def keys_read(
    costs: Mapping[str, Cost], tokens: float, batches: int, bundles: int, parts: int, memory: str = MEMORY
) -> float:
    """Returns the bytes of keys that all processes of `blocks match` read, once per chunk and once for a filter.

    They are all duplicate n-grams, or, in a corpus of several parts, those of the bundle.
    """
    ngrams = round(NGRAMS_PER_TOKEN * tokens / batches)
    if parts == 1:
        keys = round(costs["ngrams merge"].bytes_per_token / BYTES_PER_DUPLICATE * tokens)
        return batches * match_chunks(parse_size(memory), keys, ngrams).readings * keys * BYTES_PER_KEY
    keys = round(bundle_bytes(costs) / BYTES_PER_BUNDLE_KEY * tokens / bundles)
    chunks = match_chunks(parse_size(memory), keys, ngrams)
    return batches * keys * (chunks.parts * BYTES_PER_BUNDLE_KEY + bool(chunks.filter_bytes) * BYTES_PER_KEY)


def bundle_bytes(costs: Mapping[str, Cost]) -> float:
    """Returns the bytes per token of the keys of all bundles, which `ngrams merge-part` writes beside those of all."""
    return costs["ngrams merge-part"].bytes_per_token - costs["ngrams merge"].bytes_per_token


def forecast_table(costs: Mapping[str, Cost], archive_bytes_per_token: float) -> str:
    """Returns the forecast, one column per corpus."""
    columns = []
    for tokens in TOKENS:
        batches, lines = partition(costs, tokens, archive_bytes_per_token)
        aside = [line for line in lines if line.aside]
        waited = [line for line in lines if not line.aside]
        to_corpus = waited[: [line.step for line in waited].index("corpus") + 1]
        columns.append(
            [
                bytes_text(tokens * archive_bytes_per_token),
                f"{batches:,} of {bytes_text(tokens * archive_bytes_per_token / batches)}",
                f"{sum(line.core_seconds for line in lines) / 3600:,.0f}",
                f"{max(line.memory_mb for line in lines) / 1e3:,.1f} GB",
                bytes_text(sum(line.disk_bytes for line in lines if not line.temporary)),
                bytes_text(sum(line.disk_bytes for line in lines if line.temporary)),
                bytes_text(
                    keys_read(
                        costs, tokens, batches, batches, number_of_parts(0, round(tokens * archive_bytes_per_token))
                    )
                ),
                duration_text(total_wall(to_corpus)),
                _slowest(to_corpus),
                duration_text(total_wall(waited)),
                _slowest(waited),
                _slowest(aside),
                f"{number_of_parts(0, round(tokens * archive_bytes_per_token))}",
            ]
        )
    names = (
        "archives",
        "batches",
        "core hours",
        "memory of a job",
        "disk, kept",
        "disk, temporary",
        "keys read by `blocks match`",
        "wall-clock time to the corpus",
        "longest steps to the corpus",
        "with statistics and report",
        "longest steps of all",
        "steps that no other step waits for",
        "parts",
    )
    head = ["", *(f"10^{round(math.log10(tokens))} tokens" for tokens in TOKENS)]
    return as_table(head, ([name, *cells] for name, *cells in zip(names, *columns, strict=True)))


def parts_table(costs: Mapping[str, Cost], archive_bytes_per_token: float) -> str:
    """Returns hours of the steps that are divided, for the largest corpus: in one process, and in parts."""

    def hours(parts: int) -> list[float]:
        _, lines = partition(costs, TOKENS[-1], archive_bytes_per_token, parts)
        wall = {line.step: line.wall_seconds for line in lines}
        waited = [line for line in lines if not line.aside]
        to_corpus = [line.step for line in waited].index("corpus") + 1
        found = [sum(wall.get(step, 0) for step in steps) for steps in _DIVIDED.values()]
        return [seconds / 3600 for seconds in (*found, total_wall(waited[:to_corpus]), total_wall(waited[to_corpus:]))]

    names = (*_DIVIDED, "to the corpus", "statistics and report, after the corpus")
    rows = zip(names, hours(1), hours(0), strict=True)
    return as_table(
        ["step", "one process", "in parts"], ([name, f"{one:.2f}", f"{many:.2f}"] for name, one, many in rows)
    )


def _slowest(lines: Sequence[StepForecast]) -> str:
    longest = sorted(lines, key=lambda line: -line.wall_seconds)[:3]
    return ", ".join(f"{line.step} {duration_text(line.wall_seconds)}" for line in longest)
