"""What each stage's jobs used (Pomikálek 2011, 3.6.5, table 3.7)."""

from pathlib import Path

from corpusprep.io import times
from corpusprep.io.tsv import Cell, ratio

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

#: The stages with jobs of their own, in the order of the pipeline.
STAGES = (
    "batches",
    "encoding",
    "boilerplate",
    "language",
    "tokens",
    "documents",
    "ngrams",
    "blocks",
    "corpus",
)

#: Stages before there are tokens; `batches` does not look at pages either.
_BEFORE_TOKENS = ("batches", "encoding", "boilerplate", "language")


def rows(folder: Path, pages: int, tokens: int) -> list[tuple[Cell, ...]]:
    """The table from `times/<stage>/**/*.tsv` under the corpus's folder.

    Seconds are summed over a stage's jobs, whether they ran side by side or not; the peak is that of the
    largest job. Speeds relate all the pages of the crawl and all the tokens of the tokeniser to a stage's
    CPU seconds; they are empty for a stage without pages or tokens, or whose jobs were not timed.

    Args:
        folder: the corpus's folder.
        pages: pages that `encoding` kept.
        tokens: tokens that `tokens` wrote.

    Raises:
        StageFileError: a file of times is not one.
    """
    return [_row(folder, stage, pages, tokens) for stage in STAGES]


def _row(folder: Path, stage: str, pages: int, tokens: int) -> tuple[Cell, ...]:
    jobs, wall, cpu, peak = times.read_times(folder / "times" / stage)
    page_speed = ratio(pages, cpu, 1) if cpu and stage != "batches" else ""
    token_speed = ratio(tokens, cpu, 1) if cpu and stage not in _BEFORE_TOKENS else ""
    return (stage, jobs, f"{wall:.2f}", f"{cpu:.2f}", round(peak), page_speed, token_speed)
