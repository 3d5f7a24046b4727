"""The blocks of a vertical's documents: what the tables say of them, in the vertical's order."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import schemas
from corpusprep.context import CODES
from corpusprep.errors import StageFileError
from corpusprep.verdicts import KEPT

GOOD_BLOCK = 4  # flag on a class code: the block is in the vertical (native/include/corpusprep/matches.hpp)


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """What the kernel needs to know of a batch's documents.

    Attributes:
        kept: shape (documents,): 1 if `documents` kept it.
        ranks: shape (documents,): place in the stable order.
        block_starts: shape (documents + 1,): where the page's blocks start in `classes`; a document that was not
            kept has none.
        classes: shape (blocks,): context.CODES of each block's context-free class, plus GOOD_BLOCK.
        tokens: tokens of the vertical when it was written.
    """

    kept: NDArray[np.uint8]
    ranks: NDArray[np.uint64]
    block_starts: NDArray[np.uint64]
    classes: NDArray[np.uint8]
    tokens: int


def read_document_table(documents: Path, boilerplate: Path, tokens: Path) -> DocumentTable:
    """Reads the tables of one batch.

    Raises:
        StageFileError: a table is missing or damaged, or they do not belong together.
    """
    frame, token_count = documents_of(documents, tokens)
    blocks = page_blocks(boilerplate, frame)
    starts = np.searchsorted(blocks["document"].to_numpy(), np.arange(len(frame) + 1, dtype=np.uint32))
    return DocumentTable(
        kept=(frame["verdict"] == KEPT).cast(pl.UInt8).to_numpy(),
        ranks=frame["rank"].to_numpy(),
        block_starts=starts.astype(np.uint64),
        classes=blocks["class"].to_numpy() + blocks["good"].to_numpy().astype(np.uint8) * np.uint8(GOOD_BLOCK),
        tokens=token_count,
    )


def documents_of(documents: Path, tokens: Path) -> tuple[pl.DataFrame, int]:
    """The documents of a batch's vertical in its order, and its tokens.

    Returns:
        Columns batch, record, document, verdict, rank, left_out; the number of tokens.

    Raises:
        StageFileError: a table is missing or damaged, or they do not belong together.
    """
    frame = schemas.read(documents, schemas.DOCUMENTS, ["batch", "record", "document", "verdict", "rank"])
    frame = frame.sort("document")
    of_vertical = schemas.read(tokens, schemas.TOKENS, ["record", "document", "tokens", "left_out"]).sort("document")
    numbered = frame["document"].equals(pl.Series(np.arange(len(frame), dtype=np.uint32)))
    if not numbered or not frame["record"].equals(of_vertical["record"]):
        raise StageFileError(f"{documents} does not describe the documents of {tokens}; run `documents` again")
    return frame.with_columns(of_vertical["left_out"]), int(of_vertical["tokens"].sum())


def page_blocks(boilerplate: Path, documents: pl.DataFrame, *, good_only: bool = False) -> pl.DataFrame:
    """All blocks of the kept documents, or the good ones, in order: record, block, document, class (its code), good.

    A block that `language` left out counts as bad, as everything that surrounds the text does.

    Raises:
        StageFileError: the table is missing or damaged.
    """
    free = pl.col("context_free_label")
    code = pl.coalesce(pl.when(free == name).then(pl.lit(code, pl.UInt8)) for name, code in CODES.items())
    good = pl.col("label") == "good"
    with schemas.reading(boilerplate):
        blocks = (
            pl.scan_parquet(boilerplate)
            .filter(good if good_only else True)
            .select("record", "block", code.alias("class"), good.alias("good"))
            .collect(engine="streaming")
        )
    if blocks["class"].null_count():
        raise StageFileError(f"{boilerplate}: it has a block of an unknown class; run the stage boilerplate again")
    kept = documents.filter(verdict=KEPT).select("record", "document", "left_out")
    blocks = _in_order(blocks, kept)
    left_out = kept.select("document", block="left_out").explode("block").drop_nulls()
    if left_out.is_empty():
        return blocks
    out = _places(blocks).is_in(_places(left_out).implode())
    bad = pl.lit(CODES["bad"], pl.UInt8)
    blocks = blocks.with_columns(pl.when(out).then(bad).otherwise("class").alias("class"), pl.col("good") & ~out)
    return blocks.filter("good") if good_only else blocks


def _in_order(blocks: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """The blocks of kept documents, with their number, in its order and that of the page."""
    records, numbers = blocks["record"].to_numpy(), blocks["block"].to_numpy()
    starts = np.append(True, records[1:] != records[:-1])[: len(records)]
    firsts = np.flatnonzero(starts)
    # A row a page, to be joined: rows of a page lie together.
    pages = pl.DataFrame({"record": records[firsts]}).join(kept, on="record", how="left", maintain_order="left")
    lengths = np.diff(firsts, append=len(records))
    document = pages["document"]
    of_rows = np.repeat(document.fill_null(0).to_numpy(), lengths)
    blocks = blocks.with_columns(document=of_rows).filter(np.repeat(document.is_not_null().to_numpy(), lengths))
    # Written in this order, as is the vertical; sorting anew would take most of the time.
    ordered = document.drop_nulls().is_sorted() and (starts[1:] | (numbers[1:] > numbers[:-1])).all()
    return blocks if ordered else blocks[_places(blocks).arg_sort()]


def _places(blocks: pl.DataFrame) -> pl.Series:
    """A number for each block that is in the order of (document, block)."""
    return blocks["document"].cast(pl.UInt64) * 2**32 + blocks["block"]
