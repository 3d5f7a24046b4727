"""Counts the contribution of one batch to the statistics tables."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from corpusprep.dedup.forgetting import ForgetList
from corpusprep.io.progress import track
from corpusprep.statistics import counts_file, registry
from corpusprep.statistics.forgotten_pages import forgotten_pages
from corpusprep.statistics.joined_verdicts import ROWS_AT_ONCE, parts
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.sampled_pages import Samples
from corpusprep.statistics.table import Inputs
from corpusprep.statistics.thresholds import Used
from corpusprep.statistics.word_counts import WordCounts
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.key_sums import HELD_BYTES, KeySums

#: Blocks that are counted at once: each part takes about 250 calls of polars.
ROWS_COUNTED_AT_ONCE = 3 * ROWS_AT_ONCE

#: Words may take this many times the bytes of hosts: the fewer runs, the fewer words are written and merged again.
HELD_FACTOR = 12

#: Not a table: the number of all running words, before and after cleaning.
RUNNING_WORDS = "running_words"


def count(
    tables: BatchFiles,
    output: Path,
    samples: Path,
    preset: str,
    thresholds: Used | None = None,
    listed: ForgetList | None = None,
    rows_at_once: int = ROWS_COUNTED_AT_ONCE,
    bytes_in_memory: int = HELD_BYTES,
    *,
    with_subwords: bool = False,
    with_personal: bool = False,
) -> None:
    """Writes the counts of a batch, and its candidates for the report's sampled pages.

    Args:
        tables: the batch's tables.
        output: the file of counts (schemas.COUNTS).
        samples: the file of sampled pages (schemas.SAMPLES).
        preset: the preset of jusText that the corpus's thresholds are based on.
        thresholds: the corpus's thresholds; None: stored scores do not decide, so the table of thresholds is empty.
        listed: what the corpus forgets.
        rows_at_once: approximate number of blocks in memory.
        bytes_in_memory: bytes of hosts in memory, and a twelfth of the bytes of words; the rest is in temporary files
            in the folder of `output`.
        with_subwords: whether the tokens of a model are counted.
        with_personal: whether personal data is looked for.

    Raises:
        StageFileError: a stage's file is missing or damaged, or the files are from different runs.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    sampled = Samples()
    with ExitStack() as stack:
        words = stack.enter_context(WordCounts(output.parent, HELD_FACTOR * bytes_in_memory))
        kinds = [*registry.counted(many_keys=True), *registry.counted(many_keys=False)]
        every = [kind(Inputs(preset, thresholds)) for kind in kinds if kind is not Keywords]
        sums = {table.name: stack.enter_context(KeySums(output.parent, bytes_in_memory)) for table in every}
        joined = parts(tables, rows_at_once, with_subwords=with_subwords, with_personal=with_personal)
        for part in track(joined, "statistics: parts of a batch"):
            for table in every:
                sums[table.name].add(table.count(part))
            forgotten = forgotten_pages(part, listed)
            words.add(part, forgotten)
            sampled.add(part, forgotten)
            del part  # frees its memory before the next part is read
        running = dict.fromkeys(Keywords.numbers, 0)

        def run_over(pieces: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
            for piece in pieces:
                for name in running:
                    running[name] += int(piece[name].sum())
                yield piece

        def sections() -> Iterator[tuple[str, Sequence[str], Iterable[pl.DataFrame]]]:
            for kind in kinds:
                pieces = run_over(words.sums()) if kind is Keywords else sums[kind.name].sums()
                yield kind.name, kind.numbers, pieces
            yield RUNNING_WORDS, Keywords.numbers, [pl.DataFrame({"key": "", **running})]

        counts_file.write(output, sections())
    sampled.write(samples)
