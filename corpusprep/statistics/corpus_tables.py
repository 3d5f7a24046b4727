"""Adds up the counts of all batches and writes the statistics tables of a corpus."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.pages.algorithms.content import ContentSettings
from corpusprep.pages.algorithms.justext import Thresholds
from corpusprep.statistics import corpus_size, counts_file, duplicate_ngrams, processing_times
from corpusprep.statistics.batch_counts import RUNNING_WORDS, small_tables
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.crawl import Crawl
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.exact_duplicates import ExactDuplicates
from corpusprep.statistics.host_sizes import HostSizes
from corpusprep.statistics.joined_verdicts import Corpus
from corpusprep.statistics.key_sums import KeySums, merged
from corpusprep.statistics.keywords import Keywords

if TYPE_CHECKING:
    from corpusprep.statistics.totals import Totals


def compute(
    corpus_dir: Path, output: Path, preset: str = "A", thresholds: Thresholds | ContentSettings | None = None
) -> None:
    """Writes the statistics tables (TSV) of the corpus with its stage files in `corpus_dir`.

    Adds up the files that `batch_counts.count` wrote. Memory does not depend on the size of the corpus.

    Args:
        corpus_dir: the corpus's folder.
        output: folder for the tables.
        preset: the preset of jusText that the corpus's thresholds are based on.
        thresholds: the corpus's thresholds; None: stored scores do not decide, so the table of thresholds is empty.

    Raises:
        StageFileError: a file is missing or damaged, or of another version.
    """
    corpus = Corpus.open(corpus_dir)
    output.mkdir(parents=True, exist_ok=True)
    tables = small_tables(preset, thresholds)
    numbers = {table.name: table.numbers for table in tables} | {RUNNING_WORDS: Keywords.numbers}
    files = []
    with ExitStack() as stack:
        sums = {name: stack.enter_context(KeySums(output)) for name in numbers}
        for path in track(corpus.paths("counts"), "statistics: batches", len(corpus.batches)):
            batch = counts_file.CountsFile.open(path)
            for name, rows in batch.small(numbers):
                sums[name].add(rows)
            files.append(batch)
        totals: dict[str, Totals] = {
            name: {key: tuple(found) for rows in total.sums() for key, *found in rows.iter_rows()}
            for name, total in sums.items()
        }

    for table in tables:
        tsv.write(output / f"{table.name}.tsv", table.columns, table.rows(totals[table.name]))
    size = totals[CorpusSize.name]

    def of_all(table: Crawl | ExactDuplicates | Domains | Keywords) -> Iterator[pl.DataFrame]:
        return merged((file.run(table.name, table.numbers) for file in files), output)

    crawl, duplicates, hosts, host_sizes, words = Crawl(), ExactDuplicates(), Domains(), HostSizes(), Keywords()
    tsv.write(output / f"{crawl.name}.tsv", crawl.columns, crawl.rows(of_all(crawl), corpus))
    tsv.write(output / f"{duplicates.name}.tsv", duplicates.columns, duplicates.rows(of_all(duplicates), size))
    of_hosts = host_sizes.counting(of_all(hosts))
    tsv.write(output / f"{hosts.name}.tsv", hosts.columns, hosts.rows(of_hosts, output))
    tsv.write(output / f"{host_sizes.name}.tsv", host_sizes.columns, host_sizes.rows())
    before, after = totals[RUNNING_WORDS].get("", (0, 0))
    tsv.write(output / f"{words.name}.tsv", words.columns, words.rows(of_all(words), before, after))
    tokens = corpus_size.tokens_of_vertical(size)
    times = processing_times.rows(corpus_dir, corpus_size.crawl_pages(size), tokens)
    tsv.write(output / f"{processing_times.NAME}.tsv", processing_times.COLUMNS, times)
    ngrams = duplicate_ngrams.rows(corpus_dir, corpus_size.tokens_before(size))
    tsv.write(output / f"{duplicate_ngrams.NAME}.tsv", duplicate_ngrams.COLUMNS, ngrams)
