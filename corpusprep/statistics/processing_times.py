"""Sums time and memory of each stage's jobs (Pomikálek 2011, 3.6.5, table 3.7)."""

from pathlib import Path

from corpusprep.io import times
from corpusprep.io.tsv import Cell, ratio
from corpusprep.pipeline import STAGES, Stage
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.table import Column, Table


class ProcessingTimes(Table):
    """What the jobs of each stage used (thesis, table 3.7).

    Seconds are added up, also of jobs that ran in parallel. Speeds are all pages of the crawl, and all tokens,
    per CPU second; they are empty for stages that do not see pages or tokens, or have no times.
    """

    name = "processing_times"
    columns = (
        Column("stage", "the stage"),
        Column("jobs", "number of processes"),
        Column("wall_seconds", "wall-clock time, added up over the processes"),
        Column("cpu_seconds", "CPU time, user and system"),
        Column("peak_memory_mb", "peak memory of the largest process, in MB"),
        Column("pages_per_cpu_second", "speed, for stages that see pages"),
        Column("tokens_per_cpu_second", "speed, for stages that see tokens"),
    )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per stage.

        Raises:
            StageFileError: a file of times is invalid.
        """
        folder, size = self.inputs.corpus.folder, self.inputs.table(CorpusSize)
        return [
            _row(folder, stage, size.crawl_pages, size.tokens_of_vertical)
            for stage in STAGES.values()
            if stage.timed and (stage.always or (folder / "times" / stage.name).is_dir())
        ]


def _row(folder: Path, stage: Stage, pages: int, tokens: int) -> tuple[Cell, ...]:
    jobs, wall, cpu, peak = times.read_times(folder / "times" / stage.name)
    counted = {"pages": pages, "tokens": tokens}
    speeds = [ratio(counted[unit], cpu, 1) if cpu and unit in stage.rates else "" for unit in counted]
    return (stage.name, jobs, f"{wall:.2f}", f"{cpu:.2f}", round(peak), *speeds)
