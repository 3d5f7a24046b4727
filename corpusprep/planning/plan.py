"""The forecast for a config, as lines of text."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from corpusprep import config as configuration
from corpusprep import config_file
from corpusprep.archive import batches as batching
from corpusprep.io.sizes import parse_size
from corpusprep.planning import forecast as costs
from corpusprep.planning import jobs, sampling

#: The smallest sample, in bytes as stored.
LEAST_SAMPLE = 5_000_000
#: Fewer pages in a sample give a rough forecast.
FEW_PAGES = 500
_SMALL = "The sample is small; a larger one (--sample) is more exact."
ROW = "{:<18} {:>9} {:>11} {:>11} {:>12} {:>12}"


def read_config(path: Path) -> tuple[dict[str, configuration.CorpusSettings], dict[str, str]]:
    """The settings of each corpus in a config file, by name; languages made from samples, as sampling.measure has it.

    Raises:
        ConfigError: the file cannot be read or is no config; in one line.
    """
    config = config_file.read(path)
    settings = configuration.resolve(config, configuration.load_schema(), path.parent)
    made = configuration.normal(config).get("languages", {})
    return settings, {code: jobs.sample_options(sample) for code, sample in made.items()}


def plan(corpus: configuration.CorpusSettings, made: Mapping[str, str], share: float, cores: int) -> list[str]:
    """Returns the lines of the forecast for a corpus, each at most 80 characters long.

    Args:
        corpus: its settings.
        made: languages made from samples.
        share: of the archives' bytes, for the sample.
        cores: number of processes at the same time.

    Raises:
        ArchiveError, ConfigError: as the workflow would; or there is no page in the sample.
    """
    archives = batching.expand(corpus.archives)
    batches = batching.plan(archives, parse_size(corpus.batch_bytes))
    stored = sum(sum(batch.sizes) for batch in batches)
    share = min(1.0, max(share, LEAST_SAMPLE / stored))
    with tempfile.TemporaryDirectory(prefix="corpusprep-plan-") as folder:
        sample = sampling.take(archives, share, Path(folder))
        measured = sampling.measure(corpus, made, sample, Path(folder))
    times = stored / sample.stored_bytes
    tokens = measured.tokens * times
    lines = costs.forecast(
        [measured.costs.get(step, cost) for step, cost in costs.load_costs().items()],
        tokens,
        len(batches),
        len(batching.bundles(batches)),
        cores,
        costs.memory_by_step(max(sum(batch.sizes) for batch in batches), corpus.memory),
    )
    archive_count = f"{len(archives):,} archive{'s'[: len(archives) != 1]}"
    return [
        f"{corpus.name}: {archive_count}, {bytes_text(stored)}, in {len(batches):,} batch{'es' * (len(batches) != 1)}",
        f"About {_round(measured.pages * times)} pages, {_round(tokens)} tokens before de-duplication;"
        f" sample: {measured.pages:,} pages, {_percent(100 / times)} %",
        *(
            ["The sample is small; a larger one (--sample) is more exact."]
            if measured.pages < FEW_PAGES and times > 1
            else []
        ),
        *_table(lines, cores),
    ]


def _table(lines: Sequence[costs.Line], cores: int) -> list[str]:
    rows = [ROW.format("step", "processes", "core time", "memory", "disk", "temporary")]
    for line in lines:
        disk, temporary = (bytes_text(line.disk_bytes) if line.temporary is wanted else "" for wanted in (False, True))
        work = core_text(line.core_seconds)
        rows.append(ROW.format(line.step, f"{line.processes:,}", work, f"{line.memory_mb:,} MB", disk, temporary))
    kept, removed = (sum(line.disk_bytes for line in lines if line.temporary is wanted) for wanted in (False, True))
    work = core_text(sum(line.core_seconds for line in lines))
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


def core_text(seconds: float) -> str:
    """Returns core time in hours, or in seconds if it is short."""
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 3600:,.2f} h"


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
