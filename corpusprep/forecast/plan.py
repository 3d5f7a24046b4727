"""The forecast for a config, as lines of text."""

import math
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from corpusprep.archive import batches as batching
from corpusprep.archive.patterns import expand
from corpusprep.config import file as config_file
from corpusprep.config import settings as configuration
from corpusprep.errors import CorpusprepError
from corpusprep.forecast import comparison, costs, crawl_sampling, joined, sample_run, sampling
from corpusprep.io.sizes import parse_size
from corpusprep.jobs import resources as jobs
from corpusprep.jobs import workers
from corpusprep.pipeline import STEPS

#: The smallest sample, in bytes as stored.
LEAST_SAMPLE = 5_000_000
#: Fewer pages in a sample give a rough forecast.
FEW_PAGES = 500
#: Bytes as stored of what runs before the sample, so that libraries are loaded.
FIRST_BYTES = 200_000
#: CPU seconds of a command that hands over to a worker.
HANDING_OVER = 0.04
#: Ranges of core time, in multiples of the estimate: of steps that were measured on the sample; of those that the table
#: of costs has; and of those that work on what de-duplication leaves (docs/measurements/forecast.md).
MEASURED, ESTIMATED, LEFT = (0.8, 1.2), (0.65, 1.35), (0.5, 1.2)
OF_KEPT = {step.cost for step in STEPS.values() if step.of_kept}
#: Languages of a crawl that are named with their shares.
SHOWN_LANGUAGES = 6
_SMALL = "The sample is small; a larger one (--sample) is more exact."
ROW = "{:<22} {:>9} {:>16} {:>10} {:>9} {:>9}"


def read_config(path: Path) -> tuple[dict[str, configuration.CorpusSettings], dict[str, str]]:
    """The settings of each corpus in a config file, by name; and its languages made from samples (sample_run.measure).

    Raises:
        ConfigError: the file cannot be read or is no config; in one line.
    """
    config = config_file.read(path)
    settings = configuration.resolve(config, configuration.load_schema(), path.parent)
    made = configuration.normal(config).get("languages", {})
    return settings, {code: jobs.sample_options(sample) for code, sample in made.items()}


def shares_processes(settings: Iterable[configuration.CorpusSettings]) -> bool:
    """Returns whether a run of these corpora has workers, which run the commands of several steps.

    Raises:
        ArchiveError: an archive cannot be found.
    """
    corpora = list(settings)
    archives: set[Path] = set()
    joined_bytes = 0
    for corpus in corpora:
        try:
            joined_bytes += sum(sum(batch.sizes) for batch in joined.batches_of(corpus)) if corpus.sources else 0
            archives.update(expand(corpus.archives) if corpus.archives else ())
        except CorpusprepError as error:
            raise type(error)(f"corpora.{corpus.name}: {error}") from None
    return workers.suit(
        sum(map(batching.stored_size, archives)) + joined_bytes,
        min(parse_size(corpus.memory) for corpus in corpora),
        any(map(workers.has_own_code, corpora)),
    )


def plan(
    corpus: configuration.CorpusSettings,
    made: Mapping[str, str],
    share: float,
    cores: int,
    *,
    shared: bool = False,
    compared: bool = False,
) -> list[str]:
    """Returns the lines of the forecast for a corpus, each at most 80 characters long.

    Args:
        corpus: its settings.
        made: languages made from samples.
        share: of the archives' bytes, for the sample.
        cores: number of processes at the same time.
        shared: whether the run has workers.
        compared: whether the corpus is finished, and its forecast is shown beside what it took.

    Raises:
        ArchiveError, ConfigError: as the workflow would; or there is no page in the sample; or nothing to compare with.
    """
    took = comparison.taken(Path(corpus.folder)) if compared else {}
    if corpus.sources:
        return _joined(corpus, cores, took if compared else None)
    archives = expand(corpus.archives)
    batches = batching.plan(archives, parse_size(corpus.batch_bytes))
    stored = sum(sum(batch.sizes) for batch in batches)
    share = min(1.0, max(share, LEAST_SAMPLE / stored))
    with tempfile.TemporaryDirectory(prefix="corpusprep-plan-") as folder:
        sample = sampling.take(archives, share, Path(folder))
        Path(folder, "first").mkdir()
        first = sampling.take(sample.archives, min(1.0, FIRST_BYTES / sample.stored_bytes), Path(folder, "first"))
        measured = sample_run.measure(corpus, made, sample, Path(folder), first)
    times = stored / sample.stored_bytes
    tokens = measured.tokens * times
    lines = costs.forecast(
        # The report loads a library for figures that no other step uses, and an annotator a model.
        [
            replace(cost, start_seconds=HANDING_OVER) if shared and cost.step not in ("report", "annotate") else cost
            for cost in measured.costs
        ],
        tokens,
        len(batches),
        len(batching.bundles(batches)),
        cores,
        costs.memory_by_step(max(sum(batch.sizes) for batch in batches), stored, corpus.memory, [corpus]),
        spreads={cost.step: _spread(cost.step, measured.steps) for cost in measured.costs},
        parts=jobs.number_of_parts(corpus.parts, stored),
        pages=measured.pages * times,
    )
    archive_count = f"{len(archives):,} archive{'s'[: len(archives) != 1]}"
    return [
        f"{corpus.name}: {archive_count}, {bytes_text(stored)}, in {len(batches):,} batch{'es' * (len(batches) != 1)}",
        f"About {_round(measured.pages * times)} pages, {_round(tokens)} tokens before de-duplication;"
        f" sample: {measured.pages:,} pages, {_percent(100 / times)} %",
        *([_SMALL] if measured.pages < FEW_PAGES and times > 1 else []),
        *(comparison.table(comparison.compare(lines, took)) if compared else _table(lines, cores)),
    ]


def _joined(corpus: configuration.CorpusSettings, cores: int, took: Mapping[str, float] | None) -> list[str]:
    """Returns the same lines for a corpus that is made from finished ones."""
    batches = joined.batches_of(corpus)
    pages, tokens = joined.sizes(corpus)
    lines = joined.forecast(corpus, batches, pages, tokens, cores, ESTIMATED)
    stored = sum(sum(batch.sizes) for batch in batches)
    return [
        f"{corpus.name}: {len(corpus.sources):,} finished corpora, {bytes_text(stored)}, in {len(batches):,}"
        f" batch{'es' * (len(batches) != 1)}",
        f"About {_round(pages)} pages, {_round(tokens)} tokens before de-duplication; no page is read again",
        *(comparison.table(comparison.compare(lines, took)) if took is not None else _table(lines, cores)),
    ]


def plan_crawl(
    corpora: Mapping[str, configuration.CorpusSettings], made: Mapping[str, str], share: float, cores: int
) -> list[str]:
    """Returns the lines of the forecast for a crawl of several languages, each at most 80 characters long.

    Args:
        corpora: the settings of its languages, by folder; one at least.
        made: languages made from samples.
        share: of the archives' bytes, for the sample.
        cores: number of processes at the same time.

    Raises:
        ArchiveError, ConfigError: as the workflow would; or there is no page in the sample.
    """
    crawl = next(iter(corpora.values())).crawl
    if crawl is None:
        raise TypeError("not a crawl of several languages")
    shared = crawl.settings
    archives = expand(shared.archives)
    batches = batching.plan(archives, parse_size(shared.batch_bytes))
    stored = sum(sum(batch.sizes) for batch in batches)
    share = min(1.0, max(share, LEAST_SAMPLE / stored))
    with tempfile.TemporaryDirectory(prefix="corpusprep-plan-") as folder:
        sample = sampling.take(archives, share, Path(folder))
        measured = crawl_sampling.measure(crawl, corpora, made, sample, Path(folder))
    times = stored / sample.stored_bytes
    most = max(sum(batch.sizes) for batch in batches)
    memory = costs.memory_by_step(most, stored, shared.memory, corpora.values())
    tokens = {code: language.tokens * times for code, language in measured.languages.items()}
    total = sum(tokens.values())
    spreads = {name: _spread(name, measured.page_costs) for name in (*costs.load_costs(), *measured.page_costs)}
    pages = costs.forecast(
        measured.page_costs.values(), total, len(batches), len(batches), cores, memory, spreads=spreads
    )
    table = sample_run.with_chosen(costs.load_costs(), {"annotate"}.intersection(measured.costs))
    later = [measured.costs.get(name, cost) for name, cost in table.items() if name not in measured.page_costs]
    of_languages = []
    for code in crawl.languages:
        stored_of = measured.languages[code].stored_bytes * times if code in measured.languages else 0.0
        count = max(1, math.ceil(stored_of / max(most, parse_size(shared.batch_bytes))))
        alike = [batching.Batch(str(number), tuple(archives[:1]), (int(stored_of / count),)) for number in range(count)]
        bundled = len(batching.bundles(alike))
        of_languages.append(
            costs.forecast(
                [cost for cost in later if costs.runs(cost.step, corpora[f"{shared.folder}/{code}"])],
                tokens.get(code, 0.0),
                count,
                bundled,
                cores,
                memory,
                spreads=spreads,
                pages=measured.pages * times * tokens.get(code, 0.0) / max(total, 1.0),
            )
        )
    lines = [*pages, *costs.together(of_languages, cores)]
    archive_count = f"{len(archives):,} archive{'s'[: len(archives) != 1]}"
    named = sorted(measured.languages, key=lambda code: (-measured.languages[code].tokens, code))
    shares = ", ".join(
        f"{code} {_percent(100 * tokens[code] / max(total, 1e-9))} %" for code in named[:SHOWN_LANGUAGES]
    )
    return [
        f"{Path(shared.folder).name}: {archive_count}, {bytes_text(stored)}, in {len(batches):,}"
        f" batch{'es' * (len(batches) != 1)}, {len(crawl.languages):,} languages",
        f"About {_round(measured.pages * times)} pages, {_round(total)} tokens before de-duplication;"
        f" sample: {measured.pages:,} pages, {_percent(100 / times)} %",
        f"Tokens: {shares}{', …' * (len(named) > SHOWN_LANGUAGES)}",
        *([_SMALL] if measured.pages < FEW_PAGES and times > 1 else []),
        *_table(lines, cores),
    ]


def _spread(step: str, measured: Collection[str]) -> tuple[float, float]:
    """Returns the range of a step's core time, in multiples of the estimate."""
    return LEFT if step in OF_KEPT else MEASURED if step in measured else ESTIMATED


def _table(lines: Sequence[costs.StepForecast], cores: int) -> list[str]:
    rows = [ROW.format("step", "processes", "core time", "memory", "disk", "temporary")]
    for line in lines:
        disk, temporary = (bytes_text(line.disk_bytes) if line.temporary is wanted else "" for wanted in (False, True))
        work = range_text(line.least_seconds, line.most_seconds)
        rows.append(ROW.format(line.step, f"{line.processes:,}", work, f"{line.memory_mb:,} MB", disk, temporary))
    kept, removed = (sum(line.disk_bytes for line in lines if line.temporary is wanted) for wanted in (False, True))
    work = range_text(sum(line.least_seconds for line in lines), sum(line.most_seconds for line in lines))
    most, count = max(line.memory_mb for line in lines), sum(line.processes for line in lines)
    rows.append(ROW.format("in all", f"{count:,}", work, f"{most:,} MB", bytes_text(kept), bytes_text(removed)))
    slowest = costs.bottleneck(lines)
    wall = costs.total_wall(lines)
    how = "one process" if slowest.processes == 1 else f"{slowest.processes:,} processes"
    rows += [
        f"On {cores:,} core{'s' * (cores != 1)}: {duration_text(wall)}."
        f" Longest: {slowest.step}, {duration_text(slowest.wall_seconds)} ({how})."
    ]
    return [row.rstrip() for row in rows]


def bytes_text(number: float) -> str:
    """Returns a size with its unit, in powers of 1000."""
    for unit in ("kB", "MB", "GB", "TB"):
        number /= 1000
        if number < 999.5 or unit == "TB":
            return f"{number:,.1f} {unit}"
    raise AssertionError


def _percent(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def range_text(least: float, most: float) -> str:
    """Returns a range of core time: in hours, or in seconds if it is short."""
    unit, size = ("s", 1) if most < 120 else ("h", 3600)
    digits = 1 if unit == "s" else 2 if most / size < 100 else 0
    low, high = (f"{seconds / size:,.{digits}f}" for seconds in (least, most))
    return f"{high} {unit}" if low == high else f"{low} to {high} {unit}"


def _round(number: float) -> str:
    """Three digits: a forecast is not more exact."""
    return f"{float(f'{number:.3g}'):,.0f}"


def duration_text(seconds: float) -> str:
    """Returns a time in a suitable unit."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:,.1f} days"
