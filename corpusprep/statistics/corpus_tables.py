"""Adds up the counts of all batches and writes the statistics tables of a corpus."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from corpusprep.dedup.forgetting import ForgetList
from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.statistics import chosen_pages, counts_file, large_tables, registry
from corpusprep.statistics.batch_counts import RUNNING_WORDS
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.forgotten_pages import forgotten_pages
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.host_words import HOSTS
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.table import Inputs, Source, Table
from corpusprep.statistics.thresholds import Used
from corpusprep.tables.key_sums import KeySums


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
    corpus = CorpusFolder.open(corpus_dir)
    output.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        inputs = Inputs(preset, thresholds, corpus, output, stack)
        counts = _BatchSums(inputs, parts)
        for source in Source:
            kinds = registry.made_from(source)
            inputs.tables |= {kind.name: kind(inputs) for kind in kinds if kind.sources[0] is source}
            reading = [inputs.tables[kind.name] for kind in kinds]
            if source is Source.PAGES:
                _read_pages(inputs, listed, reading)
            else:
                counts.read(source, reading)
            for table in reading:
                if table.sources[-1] is source:
                    tsv.write(output / f"{table.name}.tsv", table.names, table.rows())


class _BatchSums:
    """The counts of all batches."""

    def __init__(self, inputs: Inputs, parts: Sequence[Path]) -> None:
        self._inputs = inputs
        self._divided = [counts_file.CountsFile.open(part) for part in parts]
        self._files: list[counts_file.CountsFile] = []

    def read(self, source: Source, tables: Sequence[Table]) -> None:
        """Gives the counts to the tables that read a source."""
        if source is Source.BATCHES:
            self._add_up()
        elif source is Source.HOSTS:
            for hosts in self._sums(Domains):
                for table in tables:
                    table.add_hosts(hosts)
        else:
            for words in self._sums(Keywords):
                for table in tables:
                    table.add_words(words)

    def _add_up(self) -> None:
        """Adds up the tables with few keys, and those with many keys of which only sums are needed."""
        corpus, totals = self._inputs.corpus, self._inputs.totals
        numbers = {kind.name: kind.numbers for kind in registry.counted(many_keys=False)}
        numbers[RUNNING_WORDS] = Keywords.numbers
        with ExitStack() as stack:
            sums = {name: stack.enter_context(KeySums(self._inputs.folder)) for name in numbers}
            for path in track(corpus.paths("counts"), "statistics: batches", len(corpus.batches)):
                if self._divided:
                    rows_of_tables = large_tables.small_tables(path, numbers)
                else:
                    self._files.append(counts_file.CountsFile.open(path))
                    rows_of_tables = self._files[-1].small(numbers)
                for name, rows in rows_of_tables:
                    sums[name].add(rows)
            for name, total in sums.items():
                totals[name] = {key: tuple(row) for rows in total.sums() for key, *row in rows.iter_rows()}
        running = totals[RUNNING_WORDS].get("", (0,) * len(Keywords.numbers))
        self._inputs.running |= zip(Keywords.numbers, running, strict=True)
        for kind in registry.counted(many_keys=True):
            if kind.sums_of_keys:
                totals[kind.name] = {"": pl.concat(self._sums(kind)).select(kind.sums_of_keys).sum().row(0)}

    def _sums(self, kind: type[Table]) -> Iterable[pl.DataFrame]:
        """Returns what the tables can need of the keys of a table, in pieces."""
        if self._divided:
            return large_tables.of_parts(self._divided, kind.name)
        if kind is Domains:
            return large_tables.of_hosts(self._files, self._inputs.folder)
        return [large_tables.in_one(self._files, kind.name, self._inputs.running, self._inputs.folder)]


def _read_pages(inputs: Inputs, listed: ForgetList | None, tables: Sequence[Table]) -> None:
    """Chooses pages, of the hosts that lost most as well, and gives them to the tables."""
    chosen = chosen_pages.choose(inputs.corpus, inputs.table(HostLosses).first(HOSTS))
    for part in chosen_pages.read(inputs.corpus, chosen):
        pages = chosen.join(part.records.select("batch", "record"), on=["batch", "record"], how="semi")
        # No text of a forgotten page is shown.
        pages = pages.join(forgotten_pages(part, listed), on="record", how="anti")
        for table in tables:
            table.add_pages(part, pages)
