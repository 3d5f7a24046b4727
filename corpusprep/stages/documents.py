"""Stage `documents`: exact duplicates over the whole corpus (Pomikálek 2011, 3.6.1), and its stable order.

The order: crawl date, URL, digest of the text, then digest and encoding of the page, each by the bytes of
its UTF-8; a document without a date comes after all that have one. Of equal digests of the text the first in
it is kept. Documents that are equal in all five give the same corpus whichever is kept; between them alone
the place in the batches decides.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import schemas
from corpusprep.batches import batch_names
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.progress import track
from corpusprep.sizes import parse_size
from corpusprep.verdicts import KEPT

ORDER = ["date", "url", "digest", "page_digest", "encoding", "position"]
UNDATED = "\U0010ffff"  # sorts after every date
ROW_BYTES = 250  # of a row of ORDER in memory, beside its URL
SORTING = 1.5  # of the rows' bytes are in use while they are sorted
READING = 200_000_000  # bytes: the interpreter, and what reads Parquet
DOCUMENT_BYTES = 48  # of a document all along: its rank, and the duplicates found so far
SMALLEST_PASS = 32_000_000  # bytes of rows


class TokenTables:
    """The tables of `tokens` of all batches, as one: `position` counts their rows through.

    Raises:
        StageFileError: a table is missing, cannot be read, or its rows are not those of its vertical.
    """

    def __init__(self, folder: Path, batches: Sequence[str]) -> None:
        self._paths = [folder / f"{batch}.parquet" for batch in batches]
        self.starts = [0]
        self.url_bytes = 0
        for path in self._paths:
            table = schemas.read(path, schemas.TOKENS, ["document", "url"])
            if not np.array_equal(table["document"].to_numpy(), np.arange(table.height)):
                raise StageFileError(f"{path}: its documents are not numbered from 0; run the stage tokens again")
            self.starts.append(self.starts[-1] + table.height)
            self.url_bytes += int(table["url"].str.len_bytes().sum())

    @property
    def documents(self) -> int:
        """Documents of all batches."""
        return self.starts[-1]

    def rows(self, columns: Sequence[str], condition: pl.Expr | None = None) -> pl.DataFrame:
        """The rows of all batches that meet the condition: `position` and the named columns.

        Dates are made to sort, nulls made empty. One table is read at a time.
        """
        parts = []
        for path, start in zip(self._paths, self.starts, strict=False):
            part = schemas.read(path, schemas.TOKENS, list(columns)).with_row_index("position", start)
            part = part.with_columns(pl.col(pl.String).fill_null(""))
            if "date" in columns:
                part = part.with_columns(pl.col("date").replace("", UNDATED))
            if condition is not None:
                # Filtered strings keep all the text they came from in memory; joined to nothing, they are copied.
                part = part.filter(condition).with_columns(pl.col(pl.String) + "")
            parts.append(part)
        return pl.concat(parts)


def find_duplicates(batches: Sequence[str], tokens: Path, output: Path, memory: int) -> None:
    """Ranks all documents, finds exact duplicates, and writes a table (schemas.DOCUMENTS) for each batch.

    Args:
        batches: names of the batches.
        tokens: the folder with `<batch>.parquet` of the stage `tokens`.
        output: the folder the tables go to.
        memory: bytes the job may use; the documents are sorted in as many passes as that takes.

    Raises:
        StageFileError: a table is missing or cannot be read.
        ResourceError: the memory is too small for so many documents.
    """
    tables = TokenTables(tokens, batches)
    passes = passes_needed(tables, memory)
    ranks = stable_ranks(tables, passes)
    duplicates = exact_duplicates(tables, ranks, passes)
    spans = zip(batches, pairwise(tables.starts), strict=True)
    for batch, (start, end) in track(spans, "documents: batches", total=len(batches)):
        rows = schemas.read(tokens / f"{batch}.parquet", schemas.TOKENS, ["batch", "record", "document"])
        own = duplicates.filter(pl.col("position").is_between(start, end, closed="left"))
        duplicate_of: list[str | None] = [None] * (end - start)
        for position, kept in own.iter_rows():
            duplicate_of[position - start] = kept
        rows = rows.with_columns(
            pl.Series("duplicate_of", duplicate_of, pl.String), pl.Series("rank", ranks[start:end], pl.UInt64)
        ).with_columns(
            verdict=pl.when(pl.col("duplicate_of").is_null()).then(pl.lit(KEPT)).otherwise(pl.lit("exact_duplicate"))
        )
        schemas.write(rows, schemas.DOCUMENTS, output / f"{batch}.parquet")


def passes_needed(tables: TokenTables, memory: int) -> int:
    """In how many parts the documents are sorted, for the job to stay within `memory` bytes."""
    needed = SORTING * (tables.url_bytes + ROW_BYTES * tables.documents)
    always = READING + DOCUMENT_BYTES * tables.documents
    if needed <= SMALLEST_PASS:
        return 1
    if memory < always + SMALLEST_PASS:
        raise ResourceError(
            f"memory: {memory} bytes are too few to order {tables.documents} documents;"
            f" give the stage documents {always + SMALLEST_PASS} or more"
        )
    return math.ceil(needed / (memory - always))


def stable_ranks(tables: TokenTables, passes: int) -> NDArray[np.uint32]:
    """The place of each document in the stable order, by position."""
    ranks = np.zeros(tables.documents, dtype=np.uint32)
    ranked = 0
    for part in _parts(tables, passes):
        positions = tables.rows(ORDER[:-1], part).sort(ORDER)["position"].to_numpy()
        ranks[positions] = np.arange(ranked, ranked + len(positions))
        ranked += len(positions)
    return ranks


def _parts(tables: TokenTables, passes: int) -> Iterator[pl.Expr | None]:
    """Conditions on date and URL that cut the stable order into `passes` parts, of about the same size.

    Documents of equal date and URL are in one part.
    """
    if passes == 1:
        yield None
        return
    step = max(1, tables.documents // (200 * passes))
    sample = tables.rows(["date", "url"], pl.col("position") % step == 0).sort("date", "url").drop("position")
    bounds = [sample.row(sample.height * part // passes) for part in range(1, passes)]

    def before(bound: tuple[str, str]) -> pl.Expr:
        date, url = pl.col("date"), pl.col("url")
        return (date < bound[0]) | ((date == bound[0]) & (url < bound[1]))

    for part in range(passes):
        after_last = ~before(bounds[part - 1]) if part > 0 else pl.lit(True)
        yield after_last & before(bounds[part]) if part < passes - 1 else after_last


def exact_duplicates(tables: TokenTables, ranks: NDArray[np.uint32], passes: int) -> pl.DataFrame:
    """The documents whose text has been seen before in the stable order.

    Returns:
        Columns position, duplicate_of: the id of the first document with that text.
    """
    found = [pl.DataFrame(schema={"position": pl.UInt32, "duplicate_of": pl.String})]
    limits = [f"{part * 0x10000 // passes:04x}" for part in range(passes)] + ["g"]  # digests are hexadecimal
    for low, high in pairwise(limits):
        part = pl.col("digest").is_between(pl.lit(low), pl.lit(high), closed="left") if passes > 1 else None
        repeated = tables.rows(["digest", "id"], part).filter(pl.col("digest").is_duplicated())
        repeated = repeated.with_columns(rank=ranks[repeated["position"].to_numpy()]).sort("digest", "rank")
        repeated = repeated.with_columns(duplicate_of=pl.col("id").first().over("digest"))
        found.append(repeated.filter(~pl.col("digest").is_first_distinct()).select("position", "duplicate_of"))
    return pl.concat(found).sort("position")


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
