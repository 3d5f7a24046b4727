"""What building a corpus will take: core hours, memory, disk and wall-clock time, step by step.

Every step costs what starting its processes costs, and a rate by token: both were measured on corpora of four sizes
(docs/scale.md) and stand in costs.tsv.
"""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from corpusprep.errors import StageFileError

#: What `make scale` measured: a row a step, in the order of the work.
COSTS = Path(__file__).with_name("costs.tsv")
#: Steps that see every page; what they take hangs on the pages more than on the tokens that are left of them.
PAGE_STEPS = ("encoding", "boilerplate", "language", "tokens")
#: Steps that write a batch's part of the corpus, one job together.
WRITING_STEPS = ("blocks apply", "corpus", "statistics count")
#: Steps of which a job takes a bundle of batches; all but one of them in one process.
BUNDLED_STEPS = ("ngrams words", "ngrams runs", "blocks match", "statistics runs")
PROCESS_A_BATCH = ("blocks match",)
#: Steps whose files are removed once they have been read.
TEMPORARY = ("ngrams words", "ngrams candidates", "ngrams runs", "blocks match", "blocks verdicts", "statistics runs")


@dataclass(slots=True, frozen=True)
class Cost:
    """What a step costs: CPU seconds and peak megabytes as lines in the tokens, and bytes it writes a token."""

    step: str
    a_batch: int  # processes for each batch
    a_corpus: int  # processes for all batches together
    start_seconds: float  # a process
    seconds: float  # a million tokens
    start_megabytes: float
    megabytes: float  # a million tokens of the process
    bytes_a_token: float


@dataclass(slots=True, frozen=True)
class Line:
    """What a step will take."""

    step: str
    processes: int
    core_seconds: float
    memory_mb: int  # that its job asks for
    disk_bytes: float
    wall_seconds: float

    @property
    def temporary(self) -> bool:
        """Whether what it writes is removed once it has been read."""
        return self.step in TEMPORARY


def load_costs(path: Path = COSTS) -> dict[str, Cost]:
    """The costs by step.

    Raises:
        StageFileError: the table is damaged.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [
                Cost(
                    row["step"],
                    int(row["a_batch"]),
                    int(row["a_corpus"]),
                    *(float(row[field.name]) for field in fields(Cost)[3:]),
                )
                for row in csv.DictReader(file, delimiter="\t")
            ]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise StageFileError(f"{path}: not a table of costs: {error}") from None
    return {row.step: row for row in rows}


def forecast(
    costs: Iterable[Cost],
    tokens: float,
    batches: int,
    bundles: int,
    cores: int,
    memory_mb: Mapping[str, int],
    start_wall: float = 0.0,
) -> list[Line]:
    """What a corpus will take.

    Args:
        costs: of the steps.
        tokens: in the vertical, before de-duplication.
        batches: that the archives are packed into, taken as equal.
        bundles: that the batches are put in, taken as equal.
        cores: at work at once; a process has one.
        memory_mb: what a job asks for, by step.
        start_wall: seconds from a job's submission to its work, on a cluster's idle nodes.
    """
    lines = []
    for cost in costs:
        together = bundles if cost.step in BUNDLED_STEPS else batches
        work = cost.a_batch * together + cost.a_corpus  # jobs, or processes that follow each other in one
        processes = cost.a_batch * batches + cost.a_corpus if cost.step in PROCESS_A_BATCH else work
        seconds = cost.start_seconds * processes + cost.seconds * tokens / 1e6
        wall = (start_wall + seconds / work) * math.ceil(work / cores)
        lines.append(Line(cost.step, processes, seconds, memory_mb[cost.step], cost.bytes_a_token * tokens, wall))
    return lines


def total_wall(lines: Sequence[Line]) -> float:
    """Seconds from start to end: the steps follow each other."""
    return sum(line.wall_seconds for line in lines)


def peak_disk(lines: Sequence[Line]) -> float:
    """Bytes that lie on disk at most, if no temporary file goes before the end."""
    return sum(line.disk_bytes for line in lines)


def bottleneck(lines: Sequence[Line]) -> Line:
    """The step that takes longest."""
    return max(lines, key=lambda line: line.wall_seconds)
