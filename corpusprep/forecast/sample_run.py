"""Runs the steps on a sample of a corpus's archives, to measure what they cost per token on this machine.

The steps on batches and bundles run in a worker (jobs.workers), so that their times have no start-up in them: it
is as long as the work on a sample. A part of the sample goes first, twice: the first time loads the libraries, and the
second says what a step costs before its first token. Three processes that only start say how long a start-up takes
here. Steps of one process for the whole corpus are not measured, but for those that only some settings need: the table
of costs has their rates. How much faster or slower the measured steps are than in that table is taken to be true of
these, too.
"""

import contextlib
import csv
import resource
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from corpusprep import handover, languages
from corpusprep.archive import batches
from corpusprep.config.settings import CorpusSettings
from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.forecast import costs as forecast
from corpusprep.forecast.costs import Cost, load_costs
from corpusprep.forecast.sampling import ArchiveSample
from corpusprep.io.sizes import parse_size
from corpusprep.jobs import resources as jobs
from corpusprep.jobs import workers
from corpusprep.pipeline import FILES, STEPS, Scope, Settings, Step
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: The steps before de-duplication: they run on every sample of a corpus that has them.
SAMPLED = tuple(step for step in STEPS.values() if step.sampled)
#: The annotator of a corpus, if it has one, runs on every sample, too: the table of costs cannot know it.
ANNOTATE = STEPS["annotate"]
#: Steps that only some settings need; the table of costs does not have them either.
BEFORE = tuple(step for step in SAMPLED if step.when)


def _after() -> tuple[Step, ...]:
    """Returns the steps on batches after them, and the steps that these wait for."""
    apart = (ANNOTATE, STEPS["batches"])  # the sample is one batch
    whole = [step for step in STEPS.values() if not step.sampled and not step.divides and step not in apart]
    steps: list[Step] = []
    awaited: set[str] = set()
    for step in reversed(whole):
        if step.scope in (Scope.BATCH, Scope.BUNDLE) or awaited.intersection(step.writes):
            steps.insert(0, step)
            awaited.update(step.reads)
    return tuple(steps)


AFTER = _after()
#: The slowest and the fastest machine that is believed, relative to the table's.
SLOWEST, FASTEST = 5.0, 0.2
#: Processes that are started to measure how long loading takes; the median counts.
STARTS = 3
#: What loading_seconds gives on the machine of the table of costs; `bench scale` prints it. Loading is two thirds of
#: what a process of `tokens` costs beside its work.
TABLE_LOADING_SECONDS = 0.157
#: A sample this many times as large as a part of it tells what a token costs from what a process costs.
TIMES_LARGER = 3
#: Seconds for a worker to be ready.
PATIENCE = 20.0
_STARTED = "tokens"


@dataclass(slots=True, frozen=True)
class SampleCosts:
    """What the steps found in the sample, and what they cost.

    Attributes:
        pages: number of pages.
        tokens: in the vertical, before de-duplication.
        costs: of all steps, as they are on this machine.
        steps: names of the rows of costs that were measured on the sample.
    """

    pages: int
    tokens: int
    costs: tuple[Cost, ...]
    steps: frozenset[str]


@dataclass(slots=True, frozen=True)
class _Run:
    """A run of the steps on a sample: its pages, its tokens, and what each step used."""

    pages: int
    tokens: int
    used: Mapping[str, "_Used"]


@dataclass(slots=True, frozen=True)
class _Used:
    """What a step used on a sample."""

    cpu_seconds: float
    written_bytes: int


def measure(
    corpus: CorpusSettings, made: Mapping[str, str], sample: ArchiveSample, folder: Path, first: ArchiveSample
) -> SampleCosts:
    """Runs the steps on the sample, in `folder`, as the workflow would.

    Args:
        corpus: its settings.
        made: languages that are made from samples, by code, each as options of `corpusprep language make`.
        sample: what sampling.take gave.
        folder: for what the steps write.
        first: a part of the sample; running it loads the libraries.

    Raises:
        ArchiveError: there is no page in it.
        StageFileError: a step fails.
    """
    # The sample is not compared with other corpora, which may not be built yet.
    blocks = {**corpus.sections["blocks"], "against": []}
    corpus = replace(corpus, sections={**corpus.sections, "blocks": blocks})
    models, rivals = _models(corpus, made, folder)
    if not workers.suit(0, parse_size(corpus.memory), workers.has_own_code(corpus)):
        whole = _run((*SAMPLED, ANNOTATE), corpus, models, rivals, sample, folder / "run")
        return _measured(whole, None, 1.0, corpus)
    starts = loading_seconds() / TABLE_LOADING_SECONDS
    steps = (*SAMPLED, ANNOTATE, *AFTER)
    little = None
    stop = workers.start(1)
    try:
        handover.wait(PATIENCE)
        with contextlib.suppress(ArchiveError):  # its few pages may have no text to keep
            for number in range(2):
                little = _run(steps, corpus, models, rivals, first, folder / f"run-first-{number}")
        whole = _run(steps, corpus, models, rivals, sample, folder / "run")
    finally:
        stop()
    return _measured(whole, little or _Run(0, 0, {}), starts, corpus)


def _measured(whole: _Run, little: _Run | None, starts: float, corpus: Settings) -> SampleCosts:
    """Returns the costs: measured ones per token, and the others as the table has them, for this machine.

    Args:
        whole: of the sample.
        little: of a part of it, by the same process; None if each step had a process of its own.
        starts: how long a start-up takes here, relative to the table.
        corpus: its settings: steps that it does not have cost nothing.
    """
    measured: dict[str, Cost] = {}
    speeds = []
    known = {name: cost for name, cost in load_costs().items() if forecast.runs(name, corpus)}
    table = with_chosen(known, [step.name for step in (*BEFORE, ANNOTATE) if step.name in whole.used])
    for name, cost in table.items():
        steps = [step for step in STEPS.values() if step.cost == name and step.name in whole.used]
        if not steps or (steps[0].scope is Scope.CORPUS and name in known):
            continue
        written = sum(whole.used[step.name].written_bytes for step in steps) / whole.tokens
        seconds = sum(_rate(step.name, whole, little, cost.start_seconds) for step in steps)
        measured[name] = replace(cost, seconds=seconds, bytes_per_token=written)
        if not steps[0].sampled and cost.seconds:
            speeds.append(seconds / cost.seconds)
    speed = min(max(statistics.median(speeds or [1.0]), FASTEST), SLOWEST)
    costs = (
        measured.get(name) or replace(cost, seconds=cost.seconds * speed, chosen_seconds=cost.chosen_seconds * speed)
        for name, cost in table.items()
    )
    once = {ANNOTATE.name: _once(ANNOTATE.name, whole, little)}
    here = tuple(replace(cost, start_seconds=cost.start_seconds * starts + once.get(cost.step, 0.0)) for cost in costs)
    return SampleCosts(whole.pages, whole.tokens, here, frozenset(measured))


def with_chosen(table: Mapping[str, Cost], steps: Iterable[str]) -> Mapping[str, Cost]:
    """Returns costs with rows for steps that only some corpora have, in the order of the work. They start as tokens."""
    start = table[_STARTED].start_seconds
    rows = {**table, **{step: Cost(step, start, 0.0, 0.0, 0.0, 0.0) for step in steps}}
    order = list(forecast.STEPS)
    return {name: rows[name] for name in sorted(rows, key=lambda name: order.index(name.removesuffix(forecast.JOINED)))}


def _rate(step: str, whole: _Run, little: _Run | None, start_seconds: float) -> float:
    """Returns the CPU seconds of a step per million tokens, without what each process does once."""
    seconds, tokens = whole.used[step].cpu_seconds, whole.tokens
    if little is None:
        seconds -= start_seconds
    elif TIMES_LARGER * little.tokens <= tokens and step in little.used:
        seconds -= little.used[step].cpu_seconds
        tokens -= little.tokens
    return max(0.0, seconds) / tokens * 1e6


def _once(step: str, whole: _Run, little: _Run | None) -> float:
    """Returns the CPU seconds that a step takes before its first token, such as to load a tagger."""
    if little is None or step not in whole.used or step not in little.used:
        return 0.0
    rate = _rate(step, whole, little, 0.0)
    return max(0.0, little.used[step].cpu_seconds - rate * little.tokens / 1e6)


def _models(corpus: CorpusSettings, made: Mapping[str, str], folder: Path) -> tuple[str, list[str] | None]:
    """Makes the models of the language and its rivals in `folder`; returns their paths, and None as the model says."""
    rivals = corpus.sections["language"].get("rivals")
    model = str(folder / "own.model")
    if corpus.language in made:
        call("language", ["make", corpus.language, *shlex.split(made[corpus.language]), "--output", model])
    elif languages.lacks_model(corpus.language):
        languages.save(languages.blank(languages.code_of(corpus.language)), Path(model))
        rivals = []
    else:
        languages.check(corpus.language)
        own = languages.get(corpus.language)
        languages.save(own, Path(model))
        rivals = own.rivals if rivals is None else rivals
    for number, rival in enumerate(rivals or ()):
        languages.save(languages.get(rival), folder / f"rival-{number}.model")
    paths = [str(folder / f"rival-{number}.model") for number in range(len(rivals or ()))]
    return model, paths if rivals is not None else None


def _run(
    steps: Sequence[Step],
    corpus: CorpusSettings,
    model: str,
    rivals: list[str] | None,
    sample: ArchiveSample,
    folder: Path,
) -> _Run:
    """Runs steps on a sample."""
    folder.mkdir()
    (batch,) = batches.plan(sample.archives, sample.stored_bytes + 1)
    batches.write_batches([batch], corpus_file(folder, "plan"))
    bundled = batches.bundles([batch])
    (bundle,) = bundled
    batches.write_bundles(bundled, corpus_file(folder, "bundles"))
    told: dict[str, dict[str, Any]] = {
        "archives": {"archive": list(map(str, batch.archives))},
        "model": {"model": model},
        "rivals": {"rival": rivals or []},
    }
    used: dict[str, _Used] = {}
    pages = tokens = 0
    files = BatchFiles.of(folder, batch.name)
    for step in steps:
        if not step.runs(corpus):
            continue
        words = [str(folder)]
        if step.scope is Scope.BUNDLE and not step.process_per_batch:
            words += ["--bundle", bundle]
        elif step.scope is not Scope.CORPUS:
            words += ["--batch", batch.name]
        words += [word for name in step.takes for word in shlex.split(jobs.flags(told[name]))]
        if "rivals" in step.takes and rivals is not None and not rivals:
            words.append("--no-rivals")
        words += shlex.split(jobs.step_settings(step, corpus))
        seconds, _ = run_step(step.name, words, folder)
        written = sum(path.stat().st_size for path in _written(step, folder, batch.name, bundle))
        used[step.name] = _Used(seconds, written)
        if step.name == "encoding":
            verdicts = read_table(files.encoding, schemas.ENCODING, ["verdict"])
            pages = verdicts.filter(pl.col("verdict") == KEPT).height
        elif step.name == "tokens":
            tokens = int(read_table(files.tokens, schemas.TOKENS, ["tokens"])["tokens"].sum())
        if not pages:
            raise no_page(sample)
        if step.name == "tokens" and not tokens:
            raise ArchiveError(
                f"none of the {pages:,} pages in the sample of {sample.stored_bytes:,} bytes has text to keep"
            )
    return _Run(pages, tokens, used)


def no_page(sample: ArchiveSample) -> ArchiveError:
    """Returns the error of a sample without a page."""
    return ArchiveError(
        f"the sample of {sample.stored_bytes:,} bytes has no page; take a larger one with --sample, if there is more"
    )


def _written(step: Step, folder: Path, batch: str, bundle: str) -> Iterator[Path]:
    """Returns the files that a step has written; files of other formats lie beside the vertical of the corpus."""
    for name in step.writes:
        path = folder / FILES[name].pattern.format(batch=batch, bundle=bundle)
        yield from path.parent.glob("*") if name == "corpus_vertical" else [path] if path.exists() else []


def loading_seconds() -> float:
    """Returns the CPU seconds of a process that only loads what a step needs."""
    return statistics.median(_loading() for _ in range(STARTS))


def _loading() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call(f"step {_STARTED}", ["--help"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_step(step: str, options: Sequence[str], folder: Path) -> tuple[float, float]:
    """Runs a step and returns its CPU seconds and peak megabytes; its times are written to `folder`."""
    times = folder / f"{step}.tsv"
    call(f"step {step}", options, "--times", str(times))
    with times.open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file, delimiter="\t"))
    return float(row["cpu_seconds"]), float(row["peak_memory_mb"])


def call(name: str, options: Sequence[str], *before: str) -> None:
    """Runs a command.

    Raises:
        StageFileError: it fails.
    """
    command = [sys.executable, "-m", "corpusprep", *before, *name.split(), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        messages = done.stderr.strip().splitlines()
        problem = messages[-1].removeprefix("corpusprep: error: ") if messages else f"ended with {done.returncode}"
        raise StageFileError(f"{name.removeprefix('step ')}, on the sample: {problem}")
