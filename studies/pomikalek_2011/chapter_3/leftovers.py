"""Measures what each comparator and block de-duplication leave of a corpus (Pomikálek 2011, 3.6.2 and 3.6.4)."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.io import memory as limits
from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.io.times import TotalUsage, read_times
from corpusprep.reuse.comparator import Comparator
from corpusprep.reuse.documents import Documents
from studies.pomikalek_2011.chapter_3.comparators.registry import comparators
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus
from studies.pomikalek_2011.chapter_3.removal import duplicate_instances, removed_tokens
from studies.pomikalek_2011.chapter_3.set_memory import bitmap_bytes

COLUMNS = (
    "method", "threshold", "pairs", "tokens_left", "tokens_left_percent", "duplicate_10grams_left",
    "duplicate_10grams_left_percent", "stored_bytes", "peak_memory_mb", "cpu_seconds",
)  # fmt: skip


class Leftover(NamedTuple):
    """What a method leaves: tokens, and instances of n-grams that occur twice or more."""

    method: str
    tokens: int
    duplicates: int
    threshold: float | None = None
    pairs: int | None = None
    stored: int | None = None  # bytes
    peak: float | None = None  # peak memory of the process, megabytes
    seconds: float | None = None  # CPU time


def measure(documents: Documents, several: Iterable[Comparator]) -> Iterator[Leftover]:
    """Yields what each comparator leaves of documents at its threshold; the first row is without de-duplication.

    Comparators read the documents without punctuation (3.6.2); duplicate 10-grams are made of all tokens (3.6.4).
    """
    yield Leftover("none", len(documents.words), duplicate_instances(documents))
    counted = documents.without_punctuation()
    for comparator in several:
        before = time.process_time()
        with limits.peak() as peak:
            found_pairs = comparator.find(counted)
            removed, pairs = removed_tokens(found_pairs, documents)
            peak_bytes = peak()
        seconds = time.process_time() - before
        left = documents.keep(~removed)
        yield Leftover(
            comparator.name,
            len(left.words),
            duplicate_instances(left),
            comparator.threshold,
            pairs,
            found_pairs.stored,
            None if peak_bytes is None else peak_bytes / (1 << 20),
            seconds,
        )


def by_blocks(corpus: TokenCorpus, kept: NDArray[np.bool_], keys: NgramKeys, used: TotalUsage) -> Leftover:
    """Returns what the workflow's own block de-duplication leaves.

    Args:
        corpus: before block de-duplication.
        kept: bool, shape (tokens,): the tokens that it keeps.
        keys: of the duplicate n-grams; block de-duplication holds one bit for each.
        used: time and memory of the jobs of the stages `ngrams` and `blocks`.
    """
    left = corpus.documents.keep(kept)
    row = Leftover("blocks", len(left.words), duplicate_instances(left), stored=bitmap_bytes(keys.count))
    return row._replace(peak=used.peak_memory_mb, seconds=used.cpu_seconds) if used.jobs else row


def write(folder: Path, memory: int, output: Path) -> None:
    """Writes the table of what every comparator and block de-duplication leave of a corpus.

    Args:
        folder: the folder of the corpus's stage files.
        memory: bytes that the process may use.
        output: the table.

    Raises:
        StageFileError: a stage file is missing or damaged.
        ResourceError: the corpus is too large for `memory`.
    """
    corpus = TokenCorpus.of_folder(folder, memory)
    kept = corpus.kept_by_blocks(folder)
    used = read_times(folder / "times" / "ngrams", folder / "times" / "blocks")
    blocks = by_blocks(corpus, kept, NgramKeys.open(folder / "ngrams" / "counted" / "duplicates.keys"), used)
    methods = comparators()
    rows = [*track(measure(corpus.documents, methods), "comparators", len(methods) + 1), blocks]
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
        "" if row.peak is None else f"{row.peak:.0f}",
        "" if row.seconds is None else f"{row.seconds:.1f}",
    )
