"""Chooses, gathers and reads two reference pages per host, for density-site (Baisa 2009, 2.4).

Of all pages of a host in the corpus, the one in the middle by size (bytes of the decoded body) is the reference page;
a neighbour by size is the reference page for that page itself. Pages with the same bytes count once, and date and URL
break ties: the choice does not depend on batches or on the order of archives.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.archive.accepted_pages import accepted_pages, extracted_texts
from corpusprep.cleaners.interface import ALONE
from corpusprep.encoding.pages import page_markup
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter
from studies.baselines.choice_of_pages import reference_pages


def choose(encodings: Sequence[Path]) -> pl.DataFrame:
    """Returns the table schemas.CHOSEN_REFERENCES of a corpus, from its tables of `encoding`."""
    columns = [
        "batch",
        "record",
        "record_type",
        "content_type",
        "host",
        "page_digest",
        "payload_bytes",
        "date",
        "url",
        "verdict",
    ]
    # Texts have no markup of their host.
    of_pages = (pl.col("verdict") == KEPT) & ~extracted_texts()
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
    chosen_rows = read_table(chosen, schemas.CHOSEN_REFERENCES)
    here = {
        row["record"]: row for row in chosen_rows.join(rows.select("batch").unique(), on="batch").iter_rows(named=True)
    }
    wanted = rows.with_columns(
        verdict=pl.when(pl.col("record").is_in(list(here))).then("verdict").otherwise(pl.lit("not chosen"))
    )
    with TableWriter(output, schemas.REFERENCES) as references:
        for page in accepted_pages(wanted):
            body = page_markup(page)[0] if page.plain else page.body
            name = "utf-8" if page.plain else page.encoding
            references.append((*here[page.record].values(), name, body), len(body))


class References:
    """The reference pages of the hosts of a batch."""

    def __init__(self, encoding: pl.DataFrame, tables: Sequence[Path]) -> None:
        """Reads the reference pages of the batch's hosts: its table of `encoding`, and the tables of all batches."""
        pages = encoding.filter(verdict=KEPT)
        hosts = pages.select("host").unique()
        tables_of_hosts = [read_table(table, schemas.REFERENCES).join(hosts, on="host", how="semi") for table in tables]
        rows = pl.concat(tables_of_hosts) if tables_of_hosts else pl.DataFrame(schema=schemas.REFERENCES)
        self._pages = {
            (host, stand_in): (digest, body, name)
            for host, stand_in, digest, body, name in rows.select(
                "host", "stand_in", "page_digest", "body", "encoding"
            ).iter_rows()
        }
        self._records = {
            record: (host, digest) for record, host, digest in pages.select("record", "host", "page_digest").iter_rows()
        }

    def of(self, records: Sequence[int]) -> tuple[list[tuple[bytes, str]], NDArray[np.int64]]:
        """Returns (body and encoding of each reference page, number of each record's reference page).

        The reference pages are numbered after the records. ALONE: the host has no other page. A page with the same
        bytes as its reference page is compared with a substitute for it.
        """
        numbers: dict[tuple[str, bool], int] = {}
        bodies: list[tuple[bytes, str]] = []
        against = np.full(len(records), ALONE, np.int64)
        for place, record in enumerate(records):
            host, digest = self._records[record]
            if (host, False) not in self._pages:
                continue
            key = (host, digest == self._pages[host, False][0])
            if key not in numbers:
                numbers[key] = len(records) + len(bodies)
                bodies.append(self._pages[key][1:])
            against[place] = numbers[key]
        return bodies, against
