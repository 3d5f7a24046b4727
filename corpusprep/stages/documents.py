"""Stage `documents`: exact duplicates over the whole corpus (Pomikálek 2011, 3.6.1), and its stable order.

The order: crawl date, URL, digest of the text, then digest and encoding of the page, each by the bytes of
its UTF-8; a document without a date comes after all that have one. Of equal digests of the text the first in
it is kept. Documents that are equal in all five give the same corpus whichever is kept; between them alone
the place in the batches decides.
"""

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
import polars as pl

from corpusprep import memory as limits
from corpusprep import schemas
from corpusprep.batches import batch_names
from corpusprep.document_order import DISK_A_DOCUMENT, Census, Sorting, census
from corpusprep.progress import track
from corpusprep.resource_plans import Plan
from corpusprep.sizes import parse_size
from corpusprep.verdicts import KEPT

ROW_BYTES = 250  # of a row of the order in memory, beside its URL
SORTING = 2.5  # of the rows' bytes are in use while they are sorted, as measured
READING = 100_000_000  # bytes: what reads and writes Parquet
LEAST_ROWS = 1 << 14  # that are worth sorting at once


def find_duplicates(batches: Sequence[str], tokens: Path, output: Path, memory: int) -> None:
    """Ranks all documents, finds exact duplicates, and writes a table (schemas.DOCUMENTS) for each batch.

    Args:
        batches: names of the batches.
        tokens: the folder with `<batch>.parquet` of the stage `tokens`.
        output: the folder the tables go to, and meanwhile a scratch folder.
        memory: bytes the job may use; the documents are sorted in as many parts as that takes.

    Raises:
        StageFileError: a table is missing or cannot be read.
        ResourceError: the memory or the disk is too small.
    """
    tables = [tokens / f"{batch}.parquet" for batch in batches]
    found = census(tables)
    plan = plan_of(found, memory)
    plan.announce(output)
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".sorting.", suffix=".partial") as scratch:
        sorting = Sorting(tables, found, Path(scratch), plan.at_once)
        sorting.sort()
        for numbers, ranks, duplicates in track(sorting.groups(), "documents: groups of batches"):
            start = 0
            for number in numbers:
                rows = schemas.read(tables[number], schemas.TOKENS, ["batch", "record", "document"])
                end = start + rows.height
                kept = [f"{duplicates[k]:016x}" if k in duplicates else None for k in range(start, end)]
                rows = rows.with_columns(
                    pl.Series("duplicate_of", kept, pl.String), pl.Series("rank", ranks[start:end], pl.UInt64)
                ).with_columns(
                    verdict=pl.when(pl.col("duplicate_of").is_null())
                    .then(pl.lit(KEPT))
                    .otherwise(pl.lit("exact_duplicate"))
                )
                schemas.write(rows, schemas.DOCUMENTS, output / f"{batches[number]}.parquet")
                start = end


def plan_of(found: Census, memory: int) -> Plan:
    """How many documents are sorted at once, for the job to stay within `memory` bytes.

    Raises:
        ResourceError: that is too few to begin with.
    """
    row = int(SORTING * (ROW_BYTES + found.url_bytes / max(found.documents, 1)))
    least = READING + row * min(LEAST_ROWS, found.documents)
    free = limits.budget(memory, least, f"ordering {found.documents} documents") - READING
    at_once = max(1, min(free // row, max(found.documents, 1)))
    disk = (DISK_A_DOCUMENT + 60) * found.documents + found.url_bytes + (1 << 18)
    return Plan("documents", at_once, "documents", max(1, math.ceil(found.documents / at_once)), memory, disk)


@click.command("documents")
@click.option("--batches", "plan", required=True, type=click.Path(path_type=Path), help="The table batches.tsv.")
@click.option("--tokens", required=True, type=click.Path(path_type=Path), help="The folder of the stage `tokens`.")
@click.option("--memory", default="2G", help="What the job may use: bytes, or with a unit (500M, 2G).")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="The folder the tables go to.")
def command(plan: Path, tokens: Path, memory: str, output: Path) -> None:
    """Find exact duplicates over the whole corpus.

    Puts the documents of all batches in the stable order (crawl date, URL, digest of the text) and keeps the first
    of each digest; the others are `exact_duplicate` and name it. Writes a table for each batch.
    """
    find_duplicates(batch_names(plan), tokens, output, parse_size(memory))
