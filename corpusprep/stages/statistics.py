"""`corpusprep statistics`: the statistics tables of one corpus, from its stage files alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import click

from corpusprep.progress import track
from corpusprep.statistics import duplicate_ngrams, fates, processing_times, tsv
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.fragmentation import Fragmentation
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.ledger import Ledger


class Table(Protocol):
    """A table that is added up batch by batch."""

    @property
    def name(self) -> str:
        """Its file's name, without the ending."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""

    def add(self, fates: fates.Fates) -> None:
        """Adds a batch."""

    def rows(self) -> Sequence[Sequence[tsv.Cell]]:
        """The rows, in their order."""


def compute(corpus_dir: Path, output: Path) -> None:
    """Writes the statistics tables (TSV) of the corpus whose stage files lie in `corpus_dir`.

    Every number is recomputed from the stage files, a batch at a time; a batch takes some 100 bytes a
    block, and its texts are read in slices.

    Raises:
        StageFileError: a stage's file is missing or damaged, or files of different runs are mixed.
    """
    corpus = fates.Corpus.open(corpus_dir)
    output.mkdir(parents=True, exist_ok=True)
    size, keywords = CorpusSize(), Keywords(output)
    tables: list[Table] = [size, Ledger(), Encodings(), Domains(), Fragmentation(), keywords]
    tokens = 0
    for batch in track(corpus.batches, "statistics: batches", len(corpus.batches)):
        batch_fates = fates.read(corpus, batch)
        tokens += int(batch_fates.documents["tokens"].sum())
        for table in tables:
            table.add(batch_fates)
    for table in tables:
        tsv.write(output / f"{table.name}.tsv", table.columns, table.rows())
    times = processing_times.rows(corpus_dir, size.crawl_pages, tokens)
    tsv.write(output / f"{processing_times.NAME}.tsv", processing_times.COLUMNS, times)
    ngrams = duplicate_ngrams.rows(corpus_dir, size.tokens_before)
    tsv.write(output / f"{duplicate_ngrams.NAME}.tsv", duplicate_ngrams.COLUMNS, ngrams)


@click.command("statistics")
@click.option(
    "--corpus-dir",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the corpus's stage files (it holds batches.tsv).",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write the tables to.",
)
def command(corpus_dir: Path, output: Path) -> None:
    """Compute the statistics tables from the stage files.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv,
    domains.tsv, fragmentation.tsv and keywords.tsv.
    """
    compute(corpus_dir, output)
