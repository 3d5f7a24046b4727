"""Counts what one batch adds to the statistics tables."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import polars as pl

from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.pages.algorithms.justext import Thresholds
from corpusprep.statistics import counts
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.fates import ROWS_AT_ONCE, Fates, parts
from corpusprep.statistics.fragmentation import Fragmentation
from corpusprep.statistics.key_sums import HELD, KeySums
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.ledger import Ledger
from corpusprep.statistics.sampled_pages import Samples
from corpusprep.statistics.thresholds import WordsKept
from corpusprep.statistics.totals import Totals
from corpusprep.tables.batch_files import BatchFiles

#: Beside the tables: all running words, before and after.
_RUNNING = "running_words"


class Counted(Protocol):
    """What is counted of a batch, a part at a time: numbers by a text, the key."""

    @property
    def name(self) -> str:
        """Its file's name, without the ending."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers."""

    def count(self, fates: Fates) -> pl.DataFrame:
        """Column `key`, and the numbers; a key may come more than once."""


class Table(Counted, Protocol):
    """What is counted by keys that are few: they are in memory when the table is made."""

    def rows(self, totals: Totals) -> Sequence[Sequence[tsv.Cell]]:
        """The rows, in their order."""


def small_tables(preset: str, thresholds: Thresholds | None) -> tuple[Table, ...]:
    """The tables whose keys are few, whatever the corpus."""
    return CorpusSize(), Ledger(), Encodings(), Fragmentation(), WordsKept(preset, thresholds)


def count(
    tables: BatchFiles,
    output: Path,
    samples: Path,
    preset: str = "A",
    thresholds: Thresholds | None = None,
    rows_at_once: int = ROWS_AT_ONCE,
    held: int = HELD,
) -> None:
    """Writes what a batch adds to the statistics, and its pages that may be among those the report shows.

    Args:
        tables: of the batch.
        output: a table schemas.COUNTS.
        samples: a table schemas.SAMPLES.
        preset: the setting of jusText that the corpus's thresholds come from.
        thresholds: these; None if it was not made by jusText, which leaves the table of thresholds empty.
        rows_at_once: blocks in memory, about.
        held: bytes of hosts in memory, and of words; more go to files beside `output` until it is written.

    Raises:
        StageFileError: a stage's file is missing or damaged, or files of different runs are mixed.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    sampled = Samples()
    with ExitStack() as stack:
        words = Keywords(held)
        every: tuple[Counted, ...] = (Domains(), words, *small_tables(preset, thresholds))
        counted = [(table, stack.enter_context(KeySums(output.parent, held))) for table in every]
        for part in track(parts(tables, rows_at_once), "statistics: parts of a batch"):
            for table, sums in counted:
                sums.add(table.count(part))
            sampled.add(part)
            del part  # before the next one is read
        dict(counted)[words].add(words.rest())
        running = dict.fromkeys(Keywords.numbers, 0)

        def run_over(pieces: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
            for piece in pieces:
                for name in running:
                    running[name] += int(piece[name].sum())
                yield piece

        def sections() -> Iterator[tuple[str, Sequence[str], Iterable[pl.DataFrame]]]:
            for table, sums in counted:
                pieces = sums.sums()
                yield table.name, table.numbers, run_over(pieces) if table.name == Keywords.name else pieces
            yield _RUNNING, Keywords.numbers, [pl.DataFrame({"key": "", **running})]

        counts.write(output, sections())
    sampled.write(samples)
