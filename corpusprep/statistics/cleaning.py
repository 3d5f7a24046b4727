"""Counts what was changed or left out of the text of pages, character by character."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.totals import Totals

#: Columns of JoinedVerdicts.documents, by what they count.
_COUNTED = {"undecodable_bytes": "undecodable", "invisible_characters": "invisible", "cut_attributes": "cut"}


class Cleaning:
    """Bytes that could not be decoded, characters that nobody sees, and attributes that were cut.

    Of the pages that `encoding` kept; attributes of those that `language` kept.
    """

    name = "cleaning"
    columns = ("change", "pages", "count")

    numbers = ("pages", "count")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the pages and changes in a part of a batch."""
        counts = [part.documents[column].fill_null(0).cast(pl.Int64) for column in _COUNTED.values()]
        return pl.DataFrame(
            {
                "key": list(_COUNTED),
                "pages": [int((column > 0).sum()) for column in counts],
                "count": [int(column.sum()) for column in counts],
            }
        )

    def rows(self, totals: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per kind of change."""
        found = dict(totals.items())
        return [(change, *found.get(change, (0, 0))) for change in _COUNTED]
