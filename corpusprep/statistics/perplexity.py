"""Divides documents by their perplexity into head, middle and tail (Wenzek et al. 2020, CCNet, section 3.4)."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, stays
from corpusprep.statistics.table import Column, Table

#: Shares of the documents up to the ends of head and middle.
BUCKETS = {"head": 0.3, "middle": 0.6, "tail": 1.0}
#: Perplexities are told apart by a hundredth, up to the largest: there are few keys in a corpus of any size.
_UNIT, _LARGEST = 100, 100


class Perplexity(Table):
    """Documents by the perplexity of their words: those that the filter sees, whatever it decides.

    The bounds are those of all documents together, so they depend neither on order nor on batches. Documents of one
    perplexity are in one bucket.
    """

    name = "perplexity"
    columns = (
        Column("bucket", "head: the 30 % of the documents with the lowest values; middle: the next 30 %; tail"),
        Column("least_perplexity", "lowest value, to 2 decimals", form=str),
        Column("most_perplexity", f"highest value, to 2 decimals; {_LARGEST} stands for larger ones", form=str),
        Column("documents", "number of documents"),
        Column("words", "their words"),
    )
    numbers = ("documents", "words")
    title = "Perplexity"
    about = "Documents by the perplexity of their words under the word list of the language, as in CCNet."
    optional = True

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the documents in a part of a batch; a key is a perplexity in hundredths."""
        words = part.blocks.filter(stays("blocks")).group_by("record").agg(pl.col("words").cast(pl.Int64).sum())
        rows = part.documents.filter(pl.col("perplexity").is_not_null()).select("record", "perplexity")
        value = (pl.col("perplexity").clip(0, _LARGEST) * _UNIT).round().cast(pl.Int64)
        return (
            rows.join(words, on="record")
            .group_by(key=value.cast(pl.String))
            .agg(documents=pl.len().cast(pl.Int64), words=pl.col("words").sum())
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: a row per bucket that has a document."""
        values = sorted((int(key), numbers) for key, numbers in self.totals.items())
        whole = sum(documents for _, (documents, _) in values)
        names = list(BUCKETS)
        found: dict[str, list[tuple[int, int, int]]] = {}
        seen = place = 0
        for value, (documents, words) in values:
            while seen >= BUCKETS[names[place]] * whole:
                place += 1
            found.setdefault(names[place], []).append((value, documents, words))
            seen += documents
        return [
            (
                name,
                f"{rows[0][0] / _UNIT:.2f}",
                f"{rows[-1][0] / _UNIT:.2f}",
                sum(documents for _, documents, _ in rows),
                sum(words for _, _, words in rows),
            )
            for name, rows in found.items()
        ]
