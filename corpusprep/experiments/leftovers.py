"""What each comparator leaves of a corpus, next to block de-duplication (Pomikálek 2011, 3.6.2 and 3.6.4)."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpusprep.experiments.comparators.interface import Comparator
from corpusprep.experiments.comparators.registry import comparators
from corpusprep.experiments.documents import Documents
from corpusprep.experiments.reading import read_corpus, read_result
from corpusprep.experiments.removal import duplicate_instances, removed_tokens
from corpusprep.progress import track
from corpusprep.statistics import tsv

COLUMNS = (
    "method", "threshold", "pairs", "tokens_left", "tokens_left_percent", "duplicate_10grams_left",
    "duplicate_10grams_left_percent", "stored_bytes", "cpu_seconds",
)  # fmt: skip


class Leftover(NamedTuple):
    """What a method leaves: tokens, and n-grams that occur twice or more; each instance counts."""

    method: str
    threshold: float | None
    pairs: int | None
    tokens: int
    duplicates: int
    stored: int | None  # bytes
    seconds: float | None  # of processor time


def measure(documents: Documents, several: Iterable[Comparator]) -> Iterator[Leftover]:
    """What each comparator leaves of documents, at its threshold; the first row is of none.

    Comparators see the documents without punctuation (3.6.2); duplicate 10-grams are of all tokens (3.6.4).
    """
    yield Leftover("none", None, None, len(documents.words), duplicate_instances(documents), None, None)
    counted = documents.without_punctuation()
    for comparator in several:
        before = time.process_time()
        found = comparator.find(counted)
        seconds = time.process_time() - before
        left = documents.keep(~removed_tokens(found, documents))
        yield Leftover(
            comparator.name,
            comparator.threshold,
            len(found.first),
            len(left.words),
            duplicate_instances(left),
            found.stored,
            seconds,
        )


def write(corpus: Path, output: Path) -> None:
    """Writes the table of what every comparator leaves of a corpus.

    The row `blocks` is the corpus that the workflow made; its memory and time stand in processing_times.tsv.

    Raises:
        StageFileError: a stage's file is missing or damaged.
    """
    result = read_result(corpus)
    blocks = Leftover("blocks", None, None, len(result.words), duplicate_instances(result), None, None)
    documents = read_corpus(corpus)
    methods = comparators()
    rows = [*track(measure(documents, methods), "comparators", len(methods) + 1), blocks]
    tsv.write(output, COLUMNS, (_cells(row, rows[0]) for row in rows))


def _cells(row: Leftover, whole: Leftover) -> tuple[tsv.Cell, ...]:
    return (
        row.method,
        "" if row.threshold is None else f"{row.threshold:.4f}",
        "" if row.pairs is None else row.pairs,
        row.tokens,
        tsv.percent(row.tokens, whole.tokens),
        row.duplicates,
        tsv.percent(row.duplicates, whole.duplicates),
        "" if row.stored is None else row.stored,
        "" if row.seconds is None else f"{row.seconds:.1f}",
    )
