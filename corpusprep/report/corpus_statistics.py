"""Reads the tables of the statistics of a corpus for its report."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpusprep.io import tsv
from corpusprep.pipeline import TABLES
from corpusprep.report.plain_tables import PlainTable, plain_table
from corpusprep.statistics import registry

#: Tables that the report has a place for, by themselves or in figures; the others follow in sections of their own.
PLACED = frozenset(
    "corpus_size crawl ledger processing_times exact_duplicates duplicate_ngrams encodings cleaning domains".split()
    + "host_sizes fragmentation keywords thresholds removed_words host_words templates host_losses".split()
    + "document_languages years lengths frequent_words word_dispersion dispersion".split()
)
#: The rows that are read of a table with a row per host.
HOSTS = 20


@dataclass(frozen=True)
class CorpusStatistics:
    """The statistics of a corpus.

    Attributes:
        rows: the rows of the tables in PLACED, by table; of `domains` the first HOSTS.
        all_hosts: number of hosts.
        others: the other tables.
    """

    rows: Mapping[str, list[tsv.Row]]
    all_hosts: int
    others: list[PlainTable]

    @classmethod
    def read(cls, folder: Path) -> "CorpusStatistics":
        """Reads the tables in `folder`.

        Raises:
            StageFileError: a table is missing or damaged.
        """
        rows = {name: tsv.read(folder / f"{name}.tsv") for name in TABLES if name in PLACED and name != "domains"}
        rows["domains"], all_hosts = tsv.head(folder / "domains.tsv", HOSTS)
        others = []
        for kind in (registry.table(name) for name in TABLES if name not in PLACED):
            path = folder / f"{kind.name}.tsv"
            first, number = tsv.head(path, kind.most_rows) if kind.most_rows else (tsv.read(path), 0)
            if first or not kind.optional:
                others.append(plain_table(kind, first, number))
        return cls(rows, all_hosts, others)

    def __getitem__(self, table: str) -> list[tsv.Row]:
        """Returns the rows of a table."""
        return self.rows[table]

    def counts(self, stage: str, unit: str) -> dict[str, int]:
        """Returns verdict -> count of a stage and unit in the ledger."""
        return {
            row["verdict"]: int(row["count"]) for row in self["ledger"] if (row["stage"], row["unit"]) == (stage, unit)
        }

    @property
    def words(self) -> int:
        """Words in the corpus."""
        return int(self["corpus_size"][-1]["words"])
