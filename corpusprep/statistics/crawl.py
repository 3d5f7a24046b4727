"""The size of the crawl (PRESEMT D3.1.3, table 2; Pomikálek 2011, table 3.9)."""

import hashlib

import polars as pl

from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Table
from corpusprep.tables.verdicts import KEPT

#: Bytes of the digest that stands for an address. Of 10^9 different ones, 0.03 are expected to be taken for another.
_DIGEST_BYTES = 8

#: The key of records that are not pages.
_NO_PAGE = ""


class Crawl(Table):
    """The crawl (PRESEMT D3.1.3, table 2, and thesis, table 3.9). One row."""

    name = "crawl"
    columns = (
        Column("archives", "number of archives"),
        Column("stored_bytes", "size of the archives as stored"),
        Column(
            "body_bytes",
            "size of the bodies of all records, decoded (without their HTTP headers and the headers of the archive)",
        ),
        Column("records", "number of records"),
        Column("pages", "records that `encoding` kept"),
        Column("urls", "number of different addresses of the pages"),
    )
    numbers = ("records", "body_bytes")
    sums_of_keys = ("records", "body_bytes", "pages", "urls")

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the records in a part of a batch; the key of a page is a digest of its address."""
        records = part.records.select("verdict", "url", pl.col("payload_bytes").fill_null(0))
        is_page = records["verdict"].eq_missing(KEPT)
        keys = [
            hashlib.blake2b((url or "").encode(), digest_size=_DIGEST_BYTES).hexdigest() if page else _NO_PAGE
            for page, url in zip(is_page, records["url"], strict=True)
        ]
        counted = records.select(key=pl.Series(keys, dtype=pl.String), body_bytes="payload_bytes")
        return counted.group_by("key").agg(pl.len().cast(pl.Int64).alias("records"), pl.col("body_bytes").sum())

    @staticmethod
    def added_up(sums: pl.DataFrame) -> tuple[int, int, int, int]:
        """Returns the records, body_bytes, pages and urls of keys that occur once each."""
        of_pages = sums.filter(pl.col("key") != _NO_PAGE)
        totals = sums["records"].sum(), sums["body_bytes"].sum(), of_pages["records"].sum()
        return int(totals[0]), int(totals[1]), int(totals[2]), of_pages.height

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row."""
        records, body_bytes, pages, urls = self.totals[""]
        corpus = self.inputs.corpus
        return [(corpus.archives, corpus.archive_bytes, body_bytes, records, pages, urls)]
