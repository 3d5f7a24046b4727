"""Forecasts a month of Common Crawl: 90,000 archives of 1 GB, from a sample of web pages and the measured rates.

    python bench month [--data FOLDER] [--crawls en-l3s-gn1 en-cleaneval] [--plan] [--page docs/measurements/scale.md]

The sample is run as `corpusprep plan` runs it. Its pages are smaller than those of the month: what reads archives is
taken to cost as much per byte, all other steps as much per page. What a step reads and writes follows from the sizes of
the sample's files; a file of the whole corpus counts once for each process that reads it. With `--plan`, made archives
of that number (empty files of that size) show what Snakemake takes to plan the jobs. Prints three tables, or writes
them into the page.
"""

import json
import math
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import page_tables
import running

from corpusprep.archive import batches as batching
from corpusprep.archive.patterns import expand
from corpusprep.config.settings import CorpusSettings
from corpusprep.forecast import costs, plan, sample_run, sampling
from corpusprep.io.sizes import parse_size
from corpusprep.jobs.resources import number_of_parts
from corpusprep.pipeline import FILES, JOBS, STEPS, Scope, Step
from scale.page import START_SECONDS, as_table, bundle_bytes, keys_read

ARCHIVES, ARCHIVE_BYTES, PAGES = 90_000, 1_000_000_000, 2_500_000_000
STORED = ARCHIVES * ARCHIVE_BYTES
#: Settings `batch_bytes` and `memory`.
SETTINGS = ((1_000_000_000, "4G"), (10_000_000_000, "4G"), (30_000_000_000, "4G"), (30_000_000_000, "16G"))
#: Those of the table of steps.
CHOSEN = SETTINGS[-1]
CORES = (320, 3_200)
#: Bytes that the file system moves in a second.
BANDWIDTHS = (20_000_000_000, 100_000_000_000)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample says of the month.

    Attributes:
        corpus: its settings.
        costs: of each step on this machine.
        tokens: in the vertical before de-duplication.
        files: bytes of each of FILES of which there is one per batch, bundle or part, per token.
    """

    corpus: CorpusSettings
    costs: Sequence[costs.Cost]
    tokens: float
    files: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Division:
    """How the archives are divided: batches, bundles and parts; and the setting `memory`."""

    batch_bytes: int
    memory: str
    batches: int
    largest: int
    bundles: int
    parts: int

    def units(self, scope: Scope) -> int:
        """Returns the number of jobs of a step with that scope."""
        return {
            Scope.BATCH: self.batches,
            Scope.BUNDLE: self.bundles,
            Scope.PART: self.parts,
            Scope.CORPUS: 1,
        }[scope]


def take_sample(corpus: CorpusSettings) -> Sample:
    """Runs the steps on all archives of a corpus.

    Raises:
        ArchiveError, StageFileError: as `corpusprep plan`.
    """
    archives = expand(corpus.archives)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample = sampling.take(archives, 1.0, folder)
        (folder / "first").mkdir()
        first = sampling.take(sample.archives, min(1.0, plan.FIRST_BYTES / sample.stored_bytes), folder / "first")
        measured = sample_run.measure(corpus, {}, sample, folder, first)
        sizes = {
            file: sum(path.stat().st_size for path in (folder / "run").glob(declared.glob) if path.is_file())
            for file, declared in FILES.items()
            if "{" in declared.pattern
        }
    per_token = {file: size / measured.tokens for file, size in sizes.items() if size}
    table = costs.load_costs()
    per_token |= {"duplicates_parts": table["ngrams merge"].bytes_per_token, "bundle_keys": bundle_bytes(table)}
    heavier = STORED / PAGES * measured.pages / sample.stored_bytes
    scaled = [
        replace(cost, seconds=cost.seconds * heavier) if any(map(reads_archives, costs.STEPS[_name(cost)])) else cost
        for cost in measured.costs
    ]
    return Sample(corpus, scaled, measured.tokens / measured.pages * PAGES, per_token)


def reads_archives(step: Step) -> bool:
    """Returns whether a step reads the archives themselves."""
    return "archives" in step.takes or step.reads_archives


def _name(cost: costs.Cost) -> str:
    return cost.step.removesuffix(costs.JOINED)


def divisions(archives: Sequence[Path]) -> list[Division]:
    """Returns the divisions of made archives for each of SETTINGS."""
    found = []
    for size, memory in SETTINGS:
        batches = batching.plan(archives, size)
        sizes = [sum(batch.sizes) for batch in batches]
        parts = number_of_parts(0, sum(sizes))
        found.append(Division(size, memory, len(batches), max(sizes), len(batching.bundles(batches)), parts))
    return found


def moved(step: Step, sample: Sample, division: Division) -> tuple[float, float]:
    """Returns the bytes that all processes of a step read and write."""
    processes = division.units(Scope.BATCH if step.process_per_batch else step.scope)
    read = float(STORED) if reads_archives(step) else 0.0
    of_parts = {name for other in STEPS.values() if other.divides == step.name for name in other.reads}
    for name in step.reads + step.implied:
        if division.parts > 1 and name in of_parts:  # what is left of it reads what its parts wrote
            continue
        size = sample.files.get(name, _of_writer(name, sample)) * sample.tokens
        if step.name == "blocks match" and name == "bundle_keys":
            table = {cost.step: cost for cost in sample.costs}
            read += keys_read(table, sample.tokens, processes, division.bundles, division.parts, division.memory)
        elif step.name != "blocks match" or name != "duplicates":  # it reads the header only
            read += size * (1 if "{" in FILES[name].pattern else processes)
    written = sum(sample.files.get(name, _of_writer(name, sample)) for name in step.writes) * sample.tokens
    return read, written


def _of_writer(name: str, sample: Sample) -> float:
    """Returns the bytes per token of a file that the sample does not have, as the table of costs has its step."""
    for cost in sample.costs:
        for step in costs.STEPS[_name(cost)]:
            if name in step.writes:
                return cost.bytes_per_token / len(step.writes)
    return 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A step in the month: its forecast, the bytes that it moves, its files, and the outputs that Snakemake records."""

    forecast: costs.StepForecast
    read: float
    written: float
    files: int
    outputs: int

    def wall(self, bandwidth: float) -> float:
        """Seconds, by the cores or by the file system."""
        return max(self.forecast.wall_seconds, (self.read + self.written) / bandwidth)


def lines(sample: Sample, division: Division, cores: int) -> list[Line]:
    """Returns the steps of a month on a cluster."""
    memory = costs.memory_by_step(division.largest, STORED, division.memory, [sample.corpus])
    forecasts = costs.forecast(
        sample.costs,
        sample.tokens,
        division.batches,
        division.bundles,
        cores,
        memory,
        START_SECONDS,
        parts=division.parts,
        pages=PAGES,
    )
    found = []
    for line in forecasts:
        read = written = 0.0
        files = outputs = 0
        for step in costs.STEPS[line.step]:
            of_step = moved(step, sample, division)
            read, written = read + of_step[0], written + of_step[1]
            units = division.units(step.scope)
            each = division.units(Scope.BATCH) if step.process_per_batch else units
            results = sum(division.units(FILES[name].scope) for name in step.writes)
            if step.name == "corpus":
                results += division.batches * len(set(sample.corpus.sections["corpus"]["formats"]) - {"vertical"})
            files += units + each + results  # logs, times and results; times of a bundle's batches are one output
            outputs += units + results
        found.append(Line(line, read, written, files, outputs))
    return found


def steps_table(sample: Sample, division: Division) -> str:
    """Returns what each step takes, with the settings CHOSEN."""
    rows = lines(sample, division, CORES[-1])
    body = [
        [
            row.forecast.step,
            f"{row.forecast.processes:,}",
            f"{row.forecast.core_seconds / 3600:,.0f}",
            plan.bytes_text(row.read),
            plan.bytes_text(row.written) + " ×" * row.forecast.temporary,
            f"{row.forecast.memory_mb / 1000:,.1f} GB",
            f"{row.files:,}",
        ]
        for row in rows
    ]
    body.append(
        [
            "in all",
            f"{sum(row.forecast.processes for row in rows):,}",
            f"{sum(row.forecast.core_seconds for row in rows) / 3600:,.0f}",
            plan.bytes_text(sum(row.read for row in rows)),
            plan.bytes_text(sum(row.written for row in rows)),
            "",
            f"{sum(row.files for row in rows):,}",
        ]
    )
    return as_table(["step", "processes", "core hours", "reads", "writes", "memory of a job", "files"], body)


def divisions_table(sample: Sample, found: Sequence[Division], planning: Mapping[int, tuple[float, float, int]]) -> str:
    """Returns what depends on the size of batches."""
    columns = []
    for division in found:
        rows = lines(sample, division, CORES[-1])
        match = next(row for row in rows if row.forecast.step == "blocks match")
        jobs = sum(
            division.units(JOBS[name].scope)
            for name in dict.fromkeys(step.job for row in rows for step in costs.STEPS[row.forecast.step])
        )
        seconds, megabytes, files = planning.get(division.batch_bytes, (math.nan, math.nan, 0))
        measured = bool(files)
        columns.append(
            [
                f"{division.batches:,}, {division.bundles:,}, {division.parts:,}",
                f"{jobs:,}",
                f"{sum(row.forecast.processes for row in rows):,}",
                f"{max(row.forecast.memory_mb for row in rows) / 1000:,.1f} GB",
                plan.bytes_text(match.read),
                f"{sum(row.forecast.core_seconds for row in rows) / 3600:,.0f}",
                f"{sum(row.files for row in rows if not row.forecast.temporary):,}",
                f"{sum(row.outputs for row in rows):,}",
                f"{seconds:,.0f} CPU s, {megabytes / 1000:,.1f} GB" if measured else "not measured",
            ]
        )
    names = (
        "batches, bundles, parts",
        "jobs",
        "processes",
        "memory of the largest job",
        "bytes that `blocks match` reads",
        "core hours",
        "files that stay",
        "files in `.snakemake`, one per output",
        "Snakemake plans them in (measured)",
    )
    head = ["`batch_bytes`, `memory`", *(f"{plan.bytes_text(row.batch_bytes)}, {row.memory}" for row in found)]
    return as_table(head, ([name, *cells] for name, *cells in zip(names, *columns, strict=True)))


def wall_table(sample: Sample, division: Division) -> str:
    """Returns wall-clock hours for CORES and BANDWIDTHS."""
    body = []
    for cores in CORES:
        rows = lines(sample, division, cores)
        waited = [row for row in rows if not row.forecast.aside]
        end = [row.forecast.step for row in waited].index("corpus") + 1
        for bandwidth in BANDWIDTHS:
            to_corpus = sum(row.wall(bandwidth) for row in waited[:end])
            total = sum(row.wall(bandwidth) for row in waited)
            longest = sorted(waited, key=lambda row: -row.wall(bandwidth))[:4]
            told = ", ".join(
                f"{row.forecast.step} {plan.duration_text(row.wall(bandwidth))}"
                + " (file system)" * (row.wall(bandwidth) > row.forecast.wall_seconds)
                for row in longest
            )
            body.append(
                [
                    f"{cores:,}",
                    f"{bandwidth / 1e9:.0f} GB/s",
                    f"{to_corpus / 3600:.1f} h",
                    f"{total / 3600:.1f} h",
                    told,
                ]
            )
    return as_table(["cores", "file system", "to the corpus", "with statistics and report", "longest steps"], body)


def make_archives(folder: Path, count: int) -> list[Path]:
    """Makes empty files of ARCHIVE_BYTES, which take no disk."""
    folder.mkdir()
    paths = [folder / f"CC-MAIN-{number:05}.warc.gz" for number in range(count)]
    for path in paths:
        path.touch()
        os.truncate(path, ARCHIVE_BYTES)
    return paths


def plan_jobs(folder: Path, batch_bytes: int) -> tuple[float, float, int]:
    """Returns CPU seconds and megabytes of a dry run over the made archives, and the files that Snakemake leaves."""
    config = {
        "batch_bytes": batch_bytes,
        "corpora": {"month": {"language": "en", "archives": [f"{folder}/archives/*.warc.gz"]}},
    }
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    snakefile = str(running.REPOSITORY / "Snakefile")
    command = [sys.executable, "-m", "snakemake", "-s", snakefile, "--configfile", "my.json"]
    usage = running.run([*command, "-n", "--quiet", "--cores", "1"], folder)
    files = sum(1 for path in (folder / ".snakemake").rglob("*") if path.is_file())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, files + 1


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints or writes the tables."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--crawls", nargs="+", default=["en-l3s-gn1", "en-cleaneval"], help="crawls of the sample")
    parser.add_argument("--plan", type=parse_size, nargs="*", default=[], help="batch_bytes whose jobs are planned")
    parser.add_argument("--page", type=Path, help="page whose tables `month …` are replaced")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = {"language": "en", "archives": [str(p) for p in running.crawl_archives(options.data, options.crawls)]}
        config = {"results": str(folder / "results"), "corpora": {"sample": corpus}}
        (folder / "sample.json").write_text(json.dumps(config), encoding="utf-8")
        settings, _ = plan.read_config(folder / "sample.json")
        sample = take_sample(settings["sample"])
        archives = make_archives(folder / "archives", ARCHIVES)
        found = divisions(archives)
        planning = {size: plan_jobs(folder, size) for size in options.plan}
    print(f"{PAGES:,} pages, {sample.tokens:,.0f} tokens before de-duplication")
    chosen = found[SETTINGS.index(CHOSEN)]
    tables = {
        "month steps": steps_table(sample, chosen),
        "month batches": divisions_table(sample, found, planning),
        "month wall": wall_table(sample, chosen),
    }
    if options.page:
        page_tables.replace(options.page, tables)
    else:
        print("\n\n".join(tables.values()))
