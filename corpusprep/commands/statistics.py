"""`corpusprep statistics`: the statistics tables of one corpus, counted batch by batch and then added up."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import click
import polars as pl

from corpusprep.commands.threshold_options import threshold_options
from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.pages.algorithms.justext import JusText, Thresholds
from corpusprep.pages.algorithms.registry import algorithm
from corpusprep.report.samples import Samples
from corpusprep.statistics import corpus_size, counts, duplicate_ngrams, processing_times
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.fates import ROWS_AT_ONCE, BatchTables, Corpus, Fates, parts
from corpusprep.statistics.fragmentation import Fragmentation
from corpusprep.statistics.key_sums import HELD, KeySums, merged
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.ledger import Ledger
from corpusprep.statistics.thresholds import WordsKept
from corpusprep.statistics.totals import Totals

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
    tables: BatchTables,
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


def compute(corpus_dir: Path, output: Path, preset: str = "A", thresholds: Thresholds | None = None) -> None:
    """Writes the statistics tables (TSV) of the corpus whose stage files lie in `corpus_dir`.

    What `count` wrote is added up; memory does not grow with the corpus, but for `output`'s small tables.

    Args:
        corpus_dir: the folder.
        output: where the tables go.
        preset: the setting of jusText that the corpus's thresholds come from.
        thresholds: these; None if it was not made by jusText, which leaves the table of thresholds empty.

    Raises:
        StageFileError: a file is missing or damaged, or of another version.
    """
    corpus = Corpus.open(corpus_dir)
    output.mkdir(parents=True, exist_ok=True)
    tables = small_tables(preset, thresholds)
    numbers = {table.name: table.numbers for table in tables} | {_RUNNING: Keywords.numbers}
    files = []
    with ExitStack() as stack:
        sums = {name: stack.enter_context(KeySums(output)) for name in numbers}
        for path in track(corpus.paths("counts"), "statistics: batches", len(corpus.batches)):
            batch = counts.Counts.open(path)
            for name, rows in batch.small(numbers):
                sums[name].add(rows)
            files.append(batch)
        totals: dict[str, Totals] = {
            name: {key: tuple(found) for rows in total.sums() for key, *found in rows.iter_rows()}
            for name, total in sums.items()
        }

    for table in tables:
        tsv.write(output / f"{table.name}.tsv", table.columns, table.rows(totals[table.name]))
    hosts, words = Domains(), Keywords()
    of_hosts = merged((file.run(hosts.name, hosts.numbers) for file in files), output)
    tsv.write(output / f"{hosts.name}.tsv", hosts.columns, hosts.rows(of_hosts, output))
    of_words = merged((file.run(words.name, words.numbers) for file in files), output)
    before, after = totals[_RUNNING].get("", (0, 0))
    tsv.write(output / f"{words.name}.tsv", words.columns, words.rows(of_words, before, after))
    size = totals[CorpusSize.name]
    tokens = corpus_size.tokens_of_vertical(size)
    times = processing_times.rows(corpus_dir, corpus_size.crawl_pages(size), tokens)
    tsv.write(output / f"{processing_times.NAME}.tsv", processing_times.COLUMNS, times)
    ngrams = duplicate_ngrams.rows(corpus_dir, corpus_size.tokens_before(size))
    tsv.write(output / f"{duplicate_ngrams.NAME}.tsv", duplicate_ngrams.COLUMNS, ngrams)


def _thresholds(name: str, preset: str, given: dict[str, Any]) -> Thresholds | None:
    classifier = algorithm(name, preset, **given)
    return classifier.thresholds if isinstance(classifier, JusText) else None


PATH = click.Path(path_type=Path)
ALGORITHM = click.option(
    "--algorithm", "name", default="justext", help="The boilerplate algorithm that the corpus was made by."
)


@click.group("statistics")
def command() -> None:
    """Compute the statistics tables from the stage files.

    `count` counts a batch; `tables` adds up the counts of all batches. The options of the stage boilerplate say which
    thresholds the corpus was made with.
    """


@command.command("count")
@click.option("--encoding", required=True, type=PATH, help="The batch's table of `encoding`.")
@click.option("--pages", required=True, type=PATH, help="Its table of pages.")
@click.option("--boilerplate", required=True, type=PATH, help="Its table of blocks.")
@click.option("--language-verdicts", "language", required=True, type=PATH, help="Its table of `language`.")
@click.option("--tokens", required=True, type=PATH, help="Its table of `tokens`.")
@click.option("--documents", required=True, type=PATH, help="Its table of `documents`.")
@click.option("--blocks", required=True, type=PATH, help="Its table of `blocks`.")
@click.option("--samples", required=True, type=PATH, help="Where its pages go that the report may show.")
@click.option("--output", required=True, type=PATH, help="Where the counts go.")
@ALGORITHM
@threshold_options
def count_command(
    output: Path, samples: Path, name: str, preset: str, encoding: Path, pages: Path, boilerplate: Path, language: Path,
    tokens: Path, documents: Path, blocks: Path, **thresholds: Any,
) -> None:  # fmt: skip
    """Count what a batch adds to the tables, and choose pages for the report."""
    tables = BatchTables(encoding, pages, boilerplate, language, tokens, documents, blocks)
    count(tables, output, samples, preset, _thresholds(name, preset, thresholds))


@command.command("tables")
@click.option(
    "--corpus-dir",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the corpus's stage files (it holds batches.tsv), with the counts of its batches in counts/.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write the tables to.",
)
@ALGORITHM
@threshold_options
def tables_command(corpus_dir: Path, output: Path, name: str, preset: str, **thresholds: Any) -> None:
    """Add up the counts of all batches.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv, domains.tsv,
    fragmentation.tsv, keywords.tsv and thresholds.tsv.
    """
    compute(corpus_dir, output, preset, _thresholds(name, preset, thresholds))
