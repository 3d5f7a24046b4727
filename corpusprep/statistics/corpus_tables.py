"""Adds up the counts of all batches and writes the statistics tables of a corpus."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from corpusprep.dedup.forgetting import ForgetList
from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.statistics import (
    chosen_pages,
    corpus_size,
    counts_file,
    duplicate_ngrams,
    large_tables,
    processing_times,
)
from corpusprep.statistics.batch_counts import RUNNING_WORDS, small_tables
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.crawl import Crawl
from corpusprep.statistics.dispersion import Dispersion, Years
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.exact_duplicates import ExactDuplicates
from corpusprep.statistics.forgotten_pages import forgotten_pages
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.host_sizes import HostSizes
from corpusprep.statistics.host_words import HOSTS, HostWords
from corpusprep.statistics.joined_verdicts import Corpus
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.removed_words import RemovedWords
from corpusprep.statistics.templates import PAGES, Templates
from corpusprep.statistics.thresholds import Used
from corpusprep.statistics.word_dispersion import WordDispersion
from corpusprep.tables.key_sums import KeySums

if TYPE_CHECKING:
    from corpusprep.statistics.totals import Totals


def compute(
    corpus_dir: Path,
    output: Path,
    preset: str,
    thresholds: Used | None = None,
    parts: Sequence[Path] = (),
    listed: ForgetList | None = None,
) -> None:
    """Writes the statistics tables (TSV) of the corpus with its stage files in `corpus_dir`.

    Adds up the files that `batch_counts.count` wrote. Memory does not depend on the size of the corpus.

    Args:
        corpus_dir: the corpus's folder.
        output: folder for the tables.
        preset: the preset of jusText that the corpus's thresholds are based on.
        thresholds: the corpus's thresholds; None: stored scores do not decide, so the table of thresholds is empty.
        parts: what `large_tables.make_part` wrote, in order, if the tables with many keys are added up already.
        listed: what the corpus forgets.

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
            if not parts:
                files.append(counts_file.CountsFile.open(path))
            for name, rows in large_tables.small_tables(path, numbers) if parts else files[-1].small(numbers):
                sums[name].add(rows)
        totals: dict[str, Totals] = {
            name: {key: tuple(found) for rows in total.sums() for key, *found in rows.iter_rows()}
            for name, total in sums.items()
        }

    for table in tables:
        tsv.write(output / f"{table.name}.tsv", table.columns, table.rows(totals[table.name]))
    size = totals[CorpusSize.name]

    counted = totals[RUNNING_WORDS].get("", (0,) * len(Keywords.numbers))
    running = dict(zip(Keywords.numbers, counted, strict=True))
    divided = [counts_file.CountsFile.open(part) for part in parts]

    def of_all(table: Crawl | ExactDuplicates | Keywords) -> Iterable[pl.DataFrame]:
        if divided:
            return large_tables.of_parts(divided, table.name)
        return [large_tables.in_one(files, table.name, running, output)]

    crawl, duplicates, hosts, host_sizes, words = Crawl(), ExactDuplicates(), Domains(), HostSizes(), Keywords()
    tsv.write(output / f"{crawl.name}.tsv", crawl.columns, crawl.rows(of_all(crawl), corpus))
    tsv.write(output / f"{duplicates.name}.tsv", duplicates.columns, duplicates.rows(of_all(duplicates), size))
    losses, spread = HostLosses(), Dispersion()
    all_hosts = large_tables.of_parts(divided, hosts.name) if divided else large_tables.of_hosts(files, output)
    of_hosts = losses.watching(host_sizes.counting(all_hosts))
    tsv.write(output / f"{hosts.name}.tsv", hosts.columns, hosts.rows(of_hosts, output))
    tsv.write(output / f"{host_sizes.name}.tsv", host_sizes.columns, host_sizes.rows())
    tsv.write(output / f"{losses.name}.tsv", losses.columns, losses.rows())
    before, after, *removed = counted
    typical = RemovedWords(dict(zip(Keywords.numbers[2:], removed, strict=True)), after)
    even = WordDispersion(after)
    of_words = even.watching(typical.watching(of_all(words)))
    tsv.write(output / f"{words.name}.tsv", words.columns, words.rows(of_words, before, after))
    tsv.write(output / f"{typical.name}.tsv", typical.columns, typical.rows())
    templates, host_words = Templates(), HostWords(losses.first(HOSTS))
    _add_pages(corpus, losses.first(HOSTS), listed, templates, host_words, even)
    tsv.write(output / f"{host_words.name}.tsv", host_words.columns, host_words.rows(*even.kept()))
    tsv.write(output / f"{templates.name}.tsv", templates.columns, templates.rows())
    tsv.write(output / f"{even.name}.tsv", even.columns, even.rows())
    tsv.write(output / f"{spread.name}.tsv", spread.columns, spread.rows(losses, totals[Years.name], even.mean()))
    tokens = corpus_size.tokens_of_vertical(size)
    times = processing_times.rows(corpus_dir, corpus_size.crawl_pages(size), tokens)
    tsv.write(output / f"{processing_times.NAME}.tsv", processing_times.COLUMNS, times)
    ngrams = duplicate_ngrams.rows(corpus_dir, corpus_size.tokens_before(size))
    tsv.write(output / f"{duplicate_ngrams.NAME}.tsv", duplicate_ngrams.COLUMNS, ngrams)


def _add_pages(
    corpus: Corpus,
    hosts: list[str],
    listed: ForgetList | None,
    templates: Templates,
    host_words: HostWords,
    even: WordDispersion,
) -> None:
    """Measures on chosen pages what would take too much memory for all."""
    chosen = chosen_pages.choose(corpus, hosts)
    for part in chosen_pages.read(corpus, chosen):
        pages = chosen.join(part.records.select("batch", "record"), on=["batch", "record"], how="semi")
        # No text of a forgotten page is shown.
        pages = pages.join(forgotten_pages(part, listed), on="record", how="anti")
        templates.add(part, pages.filter(pl.col("place") < PAGES).select("record", "host"))
        host_words.add(part, pages.filter("of_host").select("record", "host"))
        even.add(part, pages.filter(pl.col("place").is_not_null()).select("record", "host"))
