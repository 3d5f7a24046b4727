"""Reads the blocks of the pages in a batch's vertical, in the order of the vertical, in pieces."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.cleaners.context import CODES
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.tables import schemas
from corpusprep.tables.parquet_sizes import height, row_groups
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.verdicts import HIDDEN, KEPT

ROWS_AT_ONCE = 1 << 18  # rows of the table of blocks
READING = 32 << 20  # bytes for reading ROWS_AT_ONCE rows
DOCUMENT = 150  # bytes per document: rows of two tables, one with a verdict as text, and the arrays for the kernel
GOOD_BLOCK = 4  # flag on a class code: the block is in the vertical (native/dedup/matches.hpp)


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """Arrays about a batch's documents, for the kernel.

    Attributes:
        kept: shape (documents,): 1 if `documents` kept it.
        ranks: shape (documents,): place in the stable order.
        block_starts: shape (documents + 1,): where the blocks of the page start in `classes`; documents that were
            not kept have none.
        classes: shape (blocks,): context.CODES of each block's context-free class, plus GOOD_BLOCK.
        tokens: number of tokens of the vertical when it was written.
        longest: number of tokens of its longest kept document.
    """

    kept: NDArray[np.uint8]
    ranks: NDArray[np.uint64]
    block_starts: NDArray[np.uint64]
    classes: NDArray[np.uint8]
    tokens: int
    longest: int


def read_document_table(documents: Path, boilerplate: Path, tokens: Path) -> DocumentTable:
    """Reads the tables of one batch.

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not belong together.
    """
    frame = documents_of(documents, tokens)
    classes, heights = [np.empty(0, np.uint8)], np.zeros(len(frame) + 1, np.int64)
    for piece in page_blocks(boilerplate, frame):
        classes.append(piece["class"].to_numpy() + piece["good"].to_numpy().astype(np.uint8) * np.uint8(GOOD_BLOCK))
        heights[1:] += np.bincount(piece["document"].to_numpy(), minlength=len(frame))
    return DocumentTable(
        kept=(frame["verdict"] == KEPT).cast(pl.UInt8).to_numpy(),
        ranks=frame["rank"].to_numpy(),
        block_starts=np.cumsum(heights).astype(np.uint64),
        classes=np.concatenate(classes),
        tokens=int(frame["tokens"].sum()),
        longest=int(frame.filter(verdict=KEPT).select(pl.col("tokens").max().fill_null(0)).item()),
    )


def tables_memory(documents: Path, boilerplate: Path, tokens: Path) -> int:
    """Returns the bytes that polars and a batch's tables take once they are read; reading takes READING bytes more.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    left_out = sum(group.decompressed for group in row_groups(tokens, ["left_out"]))
    return limits.POLARS + DOCUMENT * height(documents) + 2 * left_out + 2 * height(boilerplate)


def documents_of(documents: Path, tokens: Path) -> pl.DataFrame:
    """Returns the documents of a batch's vertical, in its order.

    Returns:
        Columns batch, record, document, verdict, rank, left_out, tokens.

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not belong together.
    """
    frame = read_table(documents, schemas.DOCUMENTS, ["batch", "record", "document", "verdict", "rank"])
    frame = frame.sort("document")
    of_vertical = read_table(tokens, schemas.TOKENS, ["record", "document", "tokens", "left_out"]).sort("document")
    numbered = frame["document"].equals(pl.Series(np.arange(len(frame), dtype=np.uint32)))
    if not numbered or not frame["record"].equals(of_vertical["record"]):
        raise StageFileError(f"{documents} does not describe the documents of {tokens}; run `documents` again")
    return frame.with_columns(of_vertical["left_out"], of_vertical["tokens"])


def page_blocks(boilerplate: Path, documents: pl.DataFrame, *, good_only: bool = False) -> Iterator[pl.DataFrame]:
    """Yields all blocks of kept documents, or only good ones, in order: record, block, document, class (code), good.

    A block that `language` left out counts as bad. Hidden blocks are left out: no block has them as context.

    Raises:
        StageFileError: the table is missing or damaged, or its rows are not in the order of document and block.
    """
    free = pl.col("context_free_label")
    code = pl.coalesce(pl.when(free == name).then(pl.lit(code, pl.UInt8)) for name, code in CODES.items())
    good = pl.col("label") == "good"
    kept = documents.filter(verdict=KEPT).select("record", "document", "left_out")
    left_out = kept.select("document", block="left_out").explode("block").drop_nulls()
    columns: list[str | pl.Expr] = ["record", "block", code.alias("class"), good.alias("good")]
    wanted = good if good_only else pl.col("verdict").ne_missing(HIDDEN)
    last = -1
    for piece in TablePieces(boilerplate, columns, ROWS_AT_ONCE, wanted):
        if piece["class"].null_count():
            raise StageFileError(f"{boilerplate}: a block has an unknown class; run the stage boilerplate again")
        piece = _of_documents(piece, kept)
        if piece.is_empty():
            continue
        places = _places(piece)
        # The table and the vertical have this order.
        if places[0] <= last or not places.is_sorted():
            raise StageFileError(f"{boilerplate}: blocks out of order; run the stage boilerplate again")
        last = places[-1]
        out = left_out.filter(pl.col("document").is_between(piece["document"][0], piece["document"][-1]))
        if out.height:
            left = places.is_in(_places(out).implode())
            bad = pl.lit(CODES["bad"], pl.UInt8)
            piece = piece.with_columns(
                pl.when(left).then(bad).otherwise("class").alias("class"), pl.col("good") & ~left
            ).filter(pl.col("good") if good_only else True)
        yield piece


def _of_documents(blocks: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """Returns the blocks of kept documents, with the numbers of the documents."""
    records = blocks["record"].to_numpy()
    firsts = np.flatnonzero(np.append(True, records[1:] != records[:-1])[: len(records)])
    # One row per page for the join: rows of a page lie together.
    pages = pl.DataFrame({"record": records[firsts]}).join(kept, on="record", how="left", maintain_order="left")
    lengths = np.diff(firsts, append=len(records))
    document = pages["document"]
    of_rows = np.repeat(document.fill_null(0).to_numpy(), lengths)
    return blocks.with_columns(document=of_rows).filter(np.repeat(document.is_not_null().to_numpy(), lengths))


def _places(blocks: pl.DataFrame) -> pl.Series:
    """Numbers the blocks in the order of (document, block)."""
    return blocks["document"].cast(pl.UInt64) * 2**32 + blocks["block"]
