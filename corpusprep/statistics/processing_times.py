"""Sums time and memory of each stage's jobs (Pomikálek 2011, 3.6.5, table 3.7)."""

from pathlib import Path

from corpusprep.io import times
from corpusprep.io.tsv import Cell, ratio
from corpusprep.pipeline import STAGES, Stage

NAME = "processing_times"
COLUMNS = (
    "stage",
    "jobs",
    "wall_seconds",
    "cpu_seconds",
    "peak_memory_mb",
    "pages_per_cpu_second",
    "tokens_per_cpu_second",
)


def rows(folder: Path, pages: int, tokens: int) -> list[tuple[Cell, ...]]:
    """Returns the table, computed from `times/<stage>/**/*.tsv` in the corpus's folder.

    Seconds are summed over a stage's jobs, also if they ran in parallel. The peak is that of the largest job. Speeds
    are all pages of the crawl, and all tokens, per CPU second of a stage. They are empty for a stage that does not
    process pages or tokens, and for a stage without times.

    Args:
        folder: the corpus's folder.
        pages: number of pages that `encoding` kept.
        tokens: number of tokens that `tokens` wrote.

    Raises:
        StageFileError: a file of times is invalid.
    """
    stages = [stage for stage in STAGES.values() if stage.timed]
    return [
        _row(folder, stage, pages, tokens)
        for stage in stages
        if stage.always or (folder / "times" / stage.name).is_dir()
    ]


def _row(folder: Path, stage: Stage, pages: int, tokens: int) -> tuple[Cell, ...]:
    jobs, wall, cpu, peak = times.read_times(folder / "times" / stage.name)
    counted = {"pages": pages, "tokens": tokens}
    speeds = [ratio(counted[unit], cpu, 1) if cpu and unit in stage.rates else "" for unit in counted]
    return (stage.name, jobs, f"{wall:.2f}", f"{cpu:.2f}", round(peak), *speeds)
