"""Lists the words that are typical of what was removed from each of the hosts that lost most, against the corpus."""

from collections.abc import Iterator, Sequence

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.grouped_words import GroupedWords
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import is_removed
from corpusprep.statistics.removed_words import ComparedWords, compared, scored
from corpusprep.statistics.table import Column, Inputs, Source, printed_host
from corpusprep.statistics.word_dispersion import WordDispersion

#: Hosts, and words of each.
HOSTS, WORDS = 20, 20


class HostWords(ComparedWords):
    """Words that are typical of what was removed from the hosts that lost most words, against the corpus.

    Up to 20 for each of the first 20 hosts of `host_losses.tsv`, as in `removed_words.tsv`. Of hosts with more
    than 100 pages, 100 are read, and for the comparison with the corpus 10,000 pages of larger crawls: always
    the same ones, however the archives are divided into batches.
    """

    name = "host_words"
    columns = (
        Column("host", "host name", form=printed_host, foreign=True),
        *compared(
            "occurrences in what was removed from the host",
            "occurrences in the corpus, of all hosts, or in what is left of 10,000 pages",
        ),
    )
    title = "Words typical of what was removed from these hosts"
    most_rows = 6
    sources = (Source.PAGES,)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without words."""
        super().__init__(inputs)
        self._words = GroupedWords()

    def add_pages(self, part: JoinedVerdicts, pages: pl.DataFrame) -> None:
        """Adds the removed words of the pages of hosts."""
        self._words.add(part.blocks.filter(is_removed()), pages.filter("of_host").select("record", group="host"))

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: up to WORDS words per host, the most typical first."""
        return self.compared(self.inputs.table(HostLosses).first(HOSTS), *self.inputs.table(WordDispersion).kept())

    def compared(self, hosts: Sequence[str], kept: pl.DataFrame, running_kept: int) -> Iterator[tuple[Cell, ...]]:
        """Yields the rows of hosts.

        Args:
            hosts: in the order of the table.
            kept: words of the corpus that the hosts are compared with: key and count_after.
            running_kept: number of running words of the corpus.
        """
        if not running_kept:
            return
        every = self._words.all().rename({"count": "removed"}).join(kept, on="key", how="left")
        every = every.with_columns(pl.col("count_after").fill_null(0))
        for host in hosts:
            words = every.filter(pl.col("group") == host)
            running = int(words["removed"].sum())
            if not running:
                continue
            best = scored(words, "removed", running, running_kept).sort("low", "word", descending=[True, False])
            for word, removed, there, ratio, low, high in best.head(WORDS).iter_rows():
                millions = (f"{1e6 * removed / running:.1f}", f"{1e6 * there / running_kept:.1f}")
                yield (host, word, removed, there, *millions, *(f"{value:.3f}" for value in (ratio, low, high)))
