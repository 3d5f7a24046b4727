"""Says how a corpus is spread over hosts and years."""

from collections.abc import Iterator

from corpusprep.io.tsv import Cell, percent, ratio
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.table import Column, Source, Table
from corpusprep.statistics.word_dispersion import WordDispersion
from corpusprep.statistics.years import Years


class Dispersion(Table):
    """How the corpus is spread over hosts and years. One row."""

    name = "dispersion"
    columns = (
        Column("hosts", "hosts with words in the corpus"),
        Column("words", "words in the corpus"),
        Column("words_of_ten_hosts", "words of the ten hosts with the most"),
        Column("words_of_ten_hosts_percent", "the same, as a percentage of all words"),
        Column("documents", "documents in the corpus"),
        Column("avg_words", "words per document"),
        Column("first_year", "year of the earliest document in the corpus"),
        Column("last_year", "year of the latest"),
        Column("mean_dp", "mean DP of the words of `word_dispersion.tsv`; empty without words"),
    )
    sources = (Source.PAGES,)

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the row."""
        hosts, years = self.inputs.table(HostLosses), self.inputs.table(Years).totals
        mean = self.inputs.table(WordDispersion).mean()
        documents = sum(numbers[1] for numbers in years.values())
        known = sorted(year for year, numbers in years.items() if year and numbers[1])
        yield (
            hosts.hosts,
            hosts.words,
            hosts.words_of_largest,
            percent(hosts.words_of_largest, hosts.words),
            documents,
            ratio(hosts.words, documents, 1),
            known[0] if known else "",
            known[-1] if known else "",
            "" if mean is None else f"{mean:.4f}",
        )
