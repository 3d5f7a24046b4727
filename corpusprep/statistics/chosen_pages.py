"""Chooses pages of a crawl, at random but always the same ones, and reads what became of their blocks.

What would take too much memory or time for all pages is measured on these. The choice does not depend on how the
archives are divided into batches, and a crawl with fewer pages is taken whole.

Memory does not depend on the size of the crawl: choosing holds ROWS_AT_ONCE rows, reading a portion of WORDS_AT_ONCE
words or one page, with its blocks. What is measured on the pages is held beside it (templates.PAGES).
"""

from collections.abc import Collection, Iterator
from pathlib import Path

import polars as pl

from corpusprep.io.progress import track
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, of_records
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces, reading
from corpusprep.tables.verdicts import KEPT

#: Pages that are chosen from the whole crawl, and from each of some hosts.
PAGES, PAGES_OF_HOST = 10_000, 100
#: Rows of a table that are read at once, and words of the chosen pages.
ROWS_AT_ONCE, WORDS_AT_ONCE = 100_000, 1_000_000
#: Bits of the numbers that decide the order.
_BITS = 60
_COLUMNS = ["batch", "record", "host", "url", "date", "page_digest", "record_id"]
_ORDER = ["order", "page_digest", "url", "date", "record_id"]


def choose(
    corpus: CorpusFolder, hosts: Collection[str], pages: int = PAGES, pages_of_host: int = PAGES_OF_HOST
) -> pl.DataFrame:
    """Returns the chosen pages: batch, record, host, place (in the sample of the crawl; null outside it), of_host.

    Args:
        corpus: the corpus.
        hosts: hosts of which pages are chosen in addition (`of_host`).
        pages: pages of the whole crawl.
        pages_of_host: pages of each host.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    schema = {name: schemas.ENCODING[name] for name in _COLUMNS} | {"order": pl.Int64}
    every = of_hosts = pl.DataFrame(schema=schema)
    for path in track(corpus.paths("encoding"), "statistics: choosing pages", len(corpus.batches)):
        for rows in TablePieces(path, _COLUMNS, ROWS_AT_ONCE, pl.col("verdict") == KEPT):
            candidates = rows.with_columns(pl.col("host").fill_null(""), order=_order()).select(*schema)
            every = pl.concat([every, candidates]).sort(_ORDER).head(pages)
            # A host has at most all pages of the sample, if it is the only one.
            here = pl.concat([of_hosts, candidates.filter(pl.col("host").is_in(hosts))]).sort(_ORDER)
            of_hosts = here.group_by("host", maintain_order=True).head(pages_of_host).select(*schema)
    places = every.select("batch", "record", "host", place=pl.int_range(pl.len(), dtype=pl.UInt32))
    marked = of_hosts.select("batch", "record", "host", of_host=True)
    chosen = places.join(marked, on=["batch", "record", "host"], how="full", coalesce=True, nulls_equal=True)
    return chosen.with_columns(pl.col("of_host").fill_null(False)).sort("batch", "record")


def _order() -> pl.Expr:
    """A number that looks random: from the digest of the bytes, the date and the length of the URL.

    The digest alone would take all copies of a page together, such as the copies of an error message.
    """
    digest = pl.col("page_digest").fill_null("").str.slice(0, _BITS // 4).str.to_integer(base=16, strict=False)
    second = pl.col("date").fill_null("").str.replace_all(r"\D", "").str.slice(0, 14).cast(pl.Int64, strict=False)
    other = (second.fill_null(0) + 7919 * pl.col("url").fill_null("").str.len_bytes().cast(pl.Int64)) % (1 << 28)
    return digest.fill_null(0) ^ (other * 2_654_435_761)


def read(corpus: CorpusFolder, chosen: pl.DataFrame) -> Iterator[JoinedVerdicts]:
    """Yields the chosen pages with the verdicts on their blocks, in parts of bounded size.

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not match.
    """
    by_batch = chosen.partition_by("batch", as_dict=True)
    for (batch,), pages in track(sorted(by_batch.items()), "statistics: reading the chosen pages", len(by_batch)):
        files = BatchFiles.of(corpus.folder, str(batch))
        for records in _portions(files.pages, pages["record"]):
            yield of_records(files, records)


def _portions(path: Path, records: pl.Series) -> Iterator[pl.Series]:
    """Divides records, so that each portion has about WORDS_AT_ONCE words or is one page."""
    with reading(path):
        table = pl.scan_parquet(path, glob=False).select("record", "words")
        words = table.filter(pl.col("record").is_in(records.implode())).sort("record").collect()
    portion = words["words"].cast(pl.Int64).fill_null(0).cum_sum() // WORDS_AT_ONCE
    for part in words.with_columns(portion=portion).partition_by("portion", maintain_order=True):
        yield part["record"]
