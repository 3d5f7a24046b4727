"""Counts what was changed or left out of the text of pages, character by character."""

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table

#: Rows of the table -> what they mean.
CHANGES = {
    "undecodable_bytes": "bytes that are not valid in the page’s encoding, replaced by U+FFFD",
    "invisible_characters": "characters that nobody sees, such as zero-width spaces and icon fonts, left out",
    "cut_attributes": "titles and addresses that were cut at 2,048 bytes",
}

#: Columns of JoinedVerdicts.documents, by what they count.
_COUNTED = {"undecodable_bytes": "undecodable", "invisible_characters": "invisible", "cut_attributes": "cut"}


class Cleaning(Table):
    """What was changed or left out of the text of pages, character by character."""

    name = "cleaning"
    columns = (
        Column(
            "change",
            "`undecodable_bytes` (replaced by U+FFFD), `invisible_characters` (left out of texts; formats), "
            "`cut_attributes` (titles and addresses of more than 2,048 bytes)",
            form=CHANGES.__getitem__,
        ),
        Column("pages", "number of pages with such a change; of attributes, documents that `language` kept"),
        Column("count", "number of these bytes, characters or attributes", heading="number"),
    )

    title = "Changes of the text"
    about = "What decoding and segmentation changed in the text of the pages, character by character."
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

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per kind of change."""
        return [(change, *self.totals.get(change, (0, 0))) for change in _COUNTED]
