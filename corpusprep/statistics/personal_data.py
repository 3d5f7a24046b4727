"""Counts the places with personal data in the corpus, by kind (`personal`)."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, in_corpus, stays
from corpusprep.statistics.table import Column, Table


class PersonalData(Table):
    """Personal data in the text of the corpus, by kind; none where it is not looked for."""

    name = "personal_data"
    columns = (
        Column("kind", "email, phone, ip, iban, card or identity", form=str),
        Column("places", "places in the text of the corpus, whether they are replaced or not"),
        Column("documents", "documents of the corpus that have one"),
    )
    numbers = ("places", "documents")
    title = "Personal data"
    about = "Places in the text of the corpus. The kinds in `personal: {mask: …}` are replaced."
    without_rows = "no personal data was found"
    optional = True

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the places in a part of a batch; a key is a kind."""
        if part.personal is None:
            return pl.DataFrame(schema={"key": pl.String, **dict.fromkeys(self.numbers, pl.Int64)})
        kept = part.documents.filter(in_corpus()).select("record")
        removed = part.blocks.filter(~stays("quality")).select("record", "block")
        return (
            part.personal.join(kept, on="record", how="semi")
            .join(removed, on=["record", "block"], how="anti")
            .group_by(key="kind")
            .agg(places=pl.len().cast(pl.Int64), documents=pl.col("record").n_unique().cast(pl.Int64))
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: the kinds with most places first."""
        kinds = sorted(self.totals.items(), key=lambda item: (-item[1][0], item[0]))
        return [(kind, *numbers) for kind, numbers in kinds]
