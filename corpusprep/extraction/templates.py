"""Finds the templates of sites: blocks that recur on many pages of one host, whatever an algorithm says of them.

The pages of a host that count are at most MOST_PAGES: one capture per address, the first; one per content; and of these
those with the lowest digests. So the choice depends on the set of pages alone, not on batches or on the order of
archives. Pages with one title and one first heading count as one: an article with several addresses is no template. A
block is known by its text and the element that opened it. Its share is the part of these pages that have it. Shares
below LEAST_SHARE are not stored, so a host has at most 1 / LEAST_SHARE times as many rows as a page blocks.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep.archive.accepted_pages import accepted_pages, extracted_texts
from corpusprep.encoding.pages import page_markup
from corpusprep.extraction.site_blocks import block_keys, title_keys
from corpusprep.io.files import scratch
from corpusprep.io.spill import PartitionFiles
from corpusprep.pages import html
from corpusprep.pages.segmentation import Blocks, Segmenter
from corpusprep.tables import schemas
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter

#: Pages of a host that count; a share of 0.5 is then known to 0.035 (standard error).
MOST_PAGES = 200
#: Shares are stored from here on, per mille.
LEAST_SHARE = 50
#: Bytes of pages that are segmented at once.
_CHUNK_BYTES = 8_000_000
#: Parts of the hosts that are merged one after another.
_PARTS = 256
_ROWS_AT_ONCE = 1_000_000
_COUNT = np.dtype([("host", np.uint32), ("block_key", np.uint64), ("title_key", np.uint64)])


def choose(encodings: Sequence[Path], least_pages: int) -> pl.DataFrame:
    """Returns the table schemas.TEMPLATE_PAGES of a corpus, from its tables of `encoding`.

    Args:
        encodings: the tables of all batches.
        least_pages: hosts with fewer different pages have no templates.
    """
    columns = ["batch", "record", "record_type", "content_type", "host", "url", "date", "page_digest", "verdict"]
    order = ["date", "page_digest", "batch", "record"]
    pages = pl.concat(
        [
            read_table(path, schemas.ENCODING, columns).filter(
                pl.col("verdict") == KEPT, pl.col("host") != "", ~extracted_texts()
            )
            for path in encodings
        ]
    )
    captured = pages.sort("host", "url", *order).unique(["host", "url"], keep="first", maintain_order=True)
    different = captured.sort("host", "page_digest", "date", "url").unique(
        ["host", "page_digest"], keep="first", maintain_order=True
    )
    counted = different.with_columns(place=pl.int_range(pl.len()).over("host"), pages=pl.len().over("host"))
    chosen = counted.filter(pl.col("pages") >= least_pages, pl.col("place") < MOST_PAGES)
    return chosen.with_columns(pages=pl.col("pages").clip(upper_bound=MOST_PAGES)).select(
        pl.col(name).cast(dtype) for name, dtype in schemas.TEMPLATE_PAGES.items()
    )


def count(encoding: Path, chosen: Path, output: Path, *, composed: bool = True) -> None:
    """Writes the table schemas.TEMPLATE_COUNTS of a batch: which blocks its pages that count have.

    Args:
        encoding: the batch's table of `encoding`.
        chosen: the table schemas.TEMPLATE_PAGES.
        output: where the table goes.
        composed: whether texts are in normalisation form C.
    """
    rows = read_table(encoding, schemas.ENCODING)
    here = read_table(chosen, schemas.TEMPLATE_PAGES).join(rows.select("batch").unique(), on="batch", how="semi")
    hosts = dict(here.select("record", "host").iter_rows())
    wanted = rows.with_columns(
        verdict=pl.when(pl.col("record").is_in(list(hosts))).then("verdict").otherwise(pl.lit("not chosen"))
    )
    segmenter = Segmenter(())
    if not composed:
        segmenter.keep_composition()
    waiting: list[tuple[str, str]] = []  # host and title of each page
    found = [schemas.TEMPLATE_COUNTS.to_frame()]
    held = 0

    def flush() -> None:
        blocks = segmenter.take()
        page = np.repeat(np.arange(len(waiting)), np.diff(blocks.pages))
        own = title_keys([title for _, title in waiting], blocks)
        hosts_of_pages = pl.Series([host for host, _ in waiting], dtype=pl.String)
        columns = {"host": hosts_of_pages.gather(page), "block_key": block_keys(blocks), "title_key": own[page]}
        found.append(_different(pl.DataFrame(columns)))
        waiting.clear()

    for accepted in accepted_pages(wanted):
        title = ""
        try:
            markup = page_markup(accepted)[0]
            title = segmenter.add_page(markup, html.parse(markup))
        except html.PageError:
            segmenter.skip()
        waiting.append((hosts[accepted.record], title))
        held += len(accepted.body)
        if held >= _CHUNK_BYTES:
            flush()
            held = 0
    flush()
    with TableWriter(output, schemas.TEMPLATE_COUNTS) as table:
        table.extend(_different(pl.concat(found)))


def _different(rows: pl.DataFrame) -> pl.DataFrame:
    """Returns the different rows of schemas.TEMPLATE_COUNTS, in sorted order."""
    return rows.select(schemas.TEMPLATE_COUNTS.names()).unique().sort(schemas.TEMPLATE_COUNTS.names())


def merge(counts: Sequence[Path], chosen: Path, output: Path) -> None:
    """Writes the table schemas.TEMPLATE_SHARES: hosts in sorted order, each with its blocks by key.

    Counts are spilled to a file per part of the hosts; the memory is what the hosts and the largest part take.

    Args:
        counts: the tables schemas.TEMPLATE_COUNTS of all batches.
        chosen: the table schemas.TEMPLATE_PAGES.
        output: the table to write.
    """
    names = read_table(chosen, schemas.TEMPLATE_PAGES, ["host"]).unique().sort("host")
    hosts = names.with_columns(number=pl.int_range(pl.len(), dtype=pl.UInt32))
    with scratch(output) as folder, TableWriter(output, schemas.TEMPLATE_SHARES) as table:
        files = PartitionFiles(folder / "counts", _COUNT)
        for path in counts:
            for piece in TablePieces(path, schemas.TEMPLATE_COUNTS.names(), _ROWS_AT_ONCE):
                rows = piece.join(hosts.select("host", "number"), on="host")
                values = np.empty(rows.height, _COUNT)
                values["host"] = rows["number"].to_numpy()
                values["block_key"] = rows["block_key"].to_numpy()
                values["title_key"] = rows["title_key"].to_numpy()
                files.add(values["host"].astype(np.int64) * _PARTS // len(hosts), values)
        parts = hosts.with_columns(part=pl.col("number").cast(pl.Int64) * _PARTS // pl.len())
        for (part,), here in parts.group_by("part", maintain_order=True):
            assert isinstance(part, int)
            found = np.concatenate([np.empty(0, _COUNT), *files.take(part)])
            table.extend(_shares(pl.DataFrame({name: found[name] for name in found.dtype.names or ()}), here))


def _shares(counted: pl.DataFrame, hosts: pl.DataFrame) -> pl.DataFrame:
    """Returns rows of schemas.TEMPLATE_SHARES of some hosts: for each host one without a block, and one per block."""
    counted = counted.unique().rename({"host": "number"})
    of_host = counted.group_by("number").agg(pages_of_host=pl.col("title_key").n_unique().cast(pl.UInt64))
    of_blocks = (
        counted.group_by("number", "block_key")
        .agg(pages=pl.len().cast(pl.UInt64))
        .join(of_host, on="number")
        .join(hosts, on="number")
        .with_columns(share=pl.col("pages") * 1000 // pl.col("pages_of_host"))
        .filter(pl.col("pages") > 1, pl.col("share") >= LEAST_SHARE)
    )
    of_hosts = hosts.with_columns(block_key=pl.lit(None, pl.UInt64), share=pl.lit(1000))
    rows = [
        frame.select(pl.col(name).cast(dtype) for name, dtype in schemas.TEMPLATE_SHARES.items())
        for frame in (of_hosts, of_blocks)
    ]
    return pl.concat(rows).sort("host", "block_key", nulls_last=False)


class Templates:
    """The templates of the hosts of a batch."""

    def __init__(self, encoding: pl.DataFrame, shares: Path) -> None:
        """Reads the shares of the blocks of the batch's hosts.

        Args:
            encoding: the batch's table of `encoding`.
            shares: the table schemas.TEMPLATE_SHARES.
        """
        pages = encoding.filter(pl.col("verdict") == KEPT, ~extracted_texts())
        hosts = pages.select("host").unique()
        pieces = TablePieces(shares, schemas.TEMPLATE_SHARES.names(), _ROWS_AT_ONCE)
        tables = [pieces.empty, *(piece.join(hosts, on="host", how="semi") for piece in pieces)]
        self._shares = pl.concat(tables)
        compared = pages.join(self._shares.filter(pl.col("block_key").is_null()), on="host", how="semi")
        self._hosts = dict(compared.select("record", "host").iter_rows())

    def of(self, records: Sequence[int], blocks: Blocks) -> pl.Series:
        """Returns the share of each block, per mille; null on hosts with few pages, 0 below LEAST_SHARE.

        Args:
            records: the numbers of the pages of the blocks, in their order.
            blocks: of these pages.
        """
        hosts = pl.Series([self._hosts.get(record) for record in records], dtype=pl.String)
        pages = np.repeat(np.arange(len(records)), np.diff(blocks.pages))
        asked = pl.DataFrame({"host": hosts.gather(pages), "block_key": block_keys(blocks)})
        joined = asked.join(self._shares, on=["host", "block_key"], how="left", maintain_order="left")
        known = pl.col("host").is_not_null()
        return joined.select(pl.when(known).then(pl.col("share").fill_null(0)).cast(pl.UInt16))["share"]
