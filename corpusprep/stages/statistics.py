"""`corpusprep statistics`: the statistics tables of one corpus, from its stage files alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import click

from corpusprep.algorithms.justext import JusText, Thresholds
from corpusprep.algorithms.registry import algorithm
from corpusprep.progress import track
from corpusprep.statistics import duplicate_ngrams, fates, processing_times, tsv
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.fragmentation import Fragmentation
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.ledger import Ledger
from corpusprep.statistics.thresholds import WordsKept
from corpusprep.threshold_options import threshold_options


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


def compute(corpus_dir: Path, output: Path, preset: str = "A", thresholds: Thresholds | None = None) -> None:
    """Writes the statistics tables (TSV) of the corpus whose stage files lie in `corpus_dir`.

    Every number is recomputed from the stage files, a batch at a time; a batch takes some 100 bytes a
    block, and its texts are read in slices.

    Args:
        corpus_dir: the folder.
        output: where the tables go.
        preset: the setting of jusText that the corpus's thresholds come from.
        thresholds: these; None if it was not made by jusText, which leaves the table of thresholds empty.

    Raises:
        StageFileError: a stage's file is missing or damaged, or files of different runs are mixed.
    """
    corpus = fates.Corpus.open(corpus_dir)
    output.mkdir(parents=True, exist_ok=True)
    size, keywords = CorpusSize(), Keywords(output)
    tables: list[Table] = [size, Ledger(), Encodings(), Domains(), Fragmentation(), keywords]
    tables.append(WordsKept(preset, thresholds))
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
@click.option("--algorithm", "name", default="justext", help="The boilerplate algorithm that the corpus was made by.")
@threshold_options
def command(corpus_dir: Path, output: Path, name: str, preset: str, **thresholds: Any) -> None:
    """Compute the statistics tables from the stage files.

    Writes corpus_size.tsv, ledger.tsv, processing_times.tsv, duplicate_ngrams.tsv, encodings.tsv,
    domains.tsv, fragmentation.tsv, keywords.tsv and thresholds.tsv. The options of the stage boilerplate say
    which thresholds the corpus was made with.
    """
    classifier = algorithm(name, preset, **thresholds)
    compute(corpus_dir, output, preset, classifier.thresholds if isinstance(classifier, JusText) else None)
