"""Lists the hosts most of whose text was removed, and measures how the words of a corpus are spread over its hosts."""

from collections.abc import Iterable, Iterator

import polars as pl

from corpusprep.io.tsv import Cell, percent

#: Rows of the table.
ROWS = 50
#: The hosts whose share of all words is measured.
LARGEST = 10


class HostLosses:
    """The hosts that lost more than half of their words, those that lost most words first."""

    name = "host_losses"
    columns = ("host", "documents_crawl", "documents", "words_crawl", "words", "removed_percent")

    def __init__(self) -> None:
        """Starts without hosts."""
        self._lost: pl.DataFrame | None = None
        self._largest: list[int] = []
        self.hosts = self.words = 0

    def watching(self, sums: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yields pieces with one row per host (domains.Domains) unchanged, and keeps what the table needs."""
        for piece in sums:
            lost = pl.col("words_crawl") - pl.col("words")
            found = piece.filter(2 * pl.col("words") < pl.col("words_crawl")).select(
                *(name if name != "host" else pl.col("key").alias("host") for name in self.columns[:-1]), lost=lost
            )
            every = found if self._lost is None else pl.concat([self._lost, found])
            self._lost = every.sort("lost", "host", descending=[True, False]).head(ROWS)
            self.hosts += int((piece["words"] > 0).sum())
            self.words += int(piece["words"].sum())
            self._largest = sorted([*self._largest, *piece["words"].top_k(LARGEST).to_list()])[-LARGEST:]
            yield piece

    @property
    def words_of_largest(self) -> int:
        """Words of the ten hosts with the most."""
        return sum(self._largest)

    def first(self, number: int) -> list[str]:
        """Returns the first hosts of the table."""
        return [] if self._lost is None else self._lost["host"].head(number).to_list()

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table."""
        if self._lost is not None:
            for *row, lost in self._lost.iter_rows():
                yield *row, percent(lost, row[self.columns.index("words_crawl")])
