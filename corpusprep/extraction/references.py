"""Chooses and gathers two reference pages per host, for algorithms that compare its pages (Baisa 2009, 2.4).

Of all pages of a host in the corpus, the one in the middle by size (bytes of the decoded body) is the reference page;
a neighbour by size is the reference page for that page itself. Pages with the same bytes count once, and date and URL
break ties: the choice does not depend on batches or on the order of archives.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from corpusprep.archive import plain_text
from corpusprep.archive.accepted_pages import accepted_pages
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter
from studies.baselines.density_site import reference_pages


def choose(encodings: Sequence[Path]) -> pl.DataFrame:
    """Returns the table schemas.CHOSEN_REFERENCES of a corpus, from its tables of `encoding`."""
    columns = ["batch", "record", "record_type", "host", "page_digest", "payload_bytes", "date", "url", "verdict"]
    # Texts have no markup of their host.
    of_pages = (pl.col("verdict") == KEPT) & (pl.col("record_type") != plain_text.RECORD_TYPE)
    pages = pl.concat([read_table(path, schemas.ENCODING, columns).filter(of_pages) for path in encodings])
    order = ["payload_bytes", "date", "url", "page_digest"]
    distinct = (
        pages.filter(pl.col("host") != "")
        .sort("host", *order)
        .unique(["host", "page_digest"], keep="first", maintain_order=True)
    )
    rows: list[pl.DataFrame] = []
    counted = distinct.with_columns(place=pl.int_range(pl.len()).over("host"), size=pl.len().over("host"))
    for (size,), hosts in counted.filter(pl.col("size") > 1).group_by("size", maintain_order=True):
        assert isinstance(size, int)
        for stand_in, place in enumerate(reference_pages(range(size))):
            rows.append(hosts.filter(place=place).with_columns(stand_in=pl.lit(bool(stand_in))))
    names = schemas.CHOSEN_REFERENCES.names()
    chosen = pl.concat(rows).select(names) if rows else pl.DataFrame(schema=schemas.CHOSEN_REFERENCES)
    return chosen.sort("host", "stand_in")


def gather(encoding: Path, chosen: Path, output: Path) -> None:
    """Writes the table schemas.REFERENCES of a batch: the chosen pages that its archives hold."""
    rows = read_table(encoding, schemas.ENCODING)
    found = read_table(chosen, schemas.CHOSEN_REFERENCES)
    here = {row["record"]: row for row in found.join(rows.select("batch").unique(), on="batch").iter_rows(named=True)}
    wanted = rows.with_columns(
        verdict=pl.when(pl.col("record").is_in(list(here))).then("verdict").otherwise(pl.lit("not chosen"))
    )
    with TableWriter(output, schemas.REFERENCES) as references:
        for record, name, body in accepted_pages(wanted):
            references.append((*here[record].values(), name, body), len(body))
