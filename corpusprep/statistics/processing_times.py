"""The time and memory that each stage used (Pomikálek 2011, 3.6.5, table 3.7)."""

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
    """Returns the rows of the table, from `times/<stage>/**/*.tsv` in the corpus's folder.

    Seconds are the sum over the processes of a stage, also of those that ran at the same time; the peak is that of
    the largest process. A speed is the number of all pages of the crawl, or of all tokens of the vertical, per CPU
    second of the stage. It is empty where the stage is not measured in that unit, or where there are no times.

    Args:
        folder: the corpus's folder.
        pages: pages that `encoding` kept.
        tokens: tokens that `tokens` wrote.

    Raises:
        StageFileError: a file of times is not one.
    """
    return [_row(folder, stage, pages, tokens) for stage in STAGES.values() if stage.timed]


def _row(folder: Path, stage: Stage, pages: int, tokens: int) -> tuple[Cell, ...]:
    jobs, wall, cpu, peak = times.read_times(folder / "times" / stage.name)
    counted = {"pages": pages, "tokens": tokens}
    speeds = [ratio(counted[unit], cpu, 1) if cpu and unit in stage.rates else "" for unit in counted]
    return (stage.name, jobs, f"{wall:.2f}", f"{cpu:.2f}", round(peak), *speeds)
