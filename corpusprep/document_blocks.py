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
    starts = np.searchsorted(blocks["document"].to_numpy(), np.arange(len(frame) + 1))
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
        Columns record, document, verdict, rank, left_out; the number of tokens.

    Raises:
        StageFileError: a table is missing or damaged, or they do not belong together.
    """
    frame = schemas.read(documents, schemas.DOCUMENTS, ["record", "document", "verdict", "rank"]).sort("document")
    of_vertical = schemas.read(tokens, schemas.TOKENS, ["record", "document", "tokens", "left_out"]).sort("document")
    numbered = frame["document"].equals(pl.Series(np.arange(len(frame), dtype=np.uint32)))
    if not numbered or not frame["record"].equals(of_vertical["record"]):
        raise StageFileError(f"{documents} does not describe the documents of {tokens}; run `documents` again")
    return frame.with_columns(of_vertical["left_out"]), int(of_vertical["tokens"].sum())


def page_blocks(boilerplate: Path, documents: pl.DataFrame) -> pl.DataFrame:
    """All blocks of the kept documents, in order: batch, record, block, document, class (its code), good.

    A block that `language` left out counts as bad, as everything that surrounds the text does.

    Raises:
        StageFileError: the table is missing or damaged.
    """
    kept = documents.lazy().filter(pl.col("verdict") == KEPT).select("record", "document", "left_out")
    names, codes = list(CODES), list(CODES.values())
    code = pl.col("context_free_label").replace_strict(names, codes, return_dtype=pl.UInt8)
    with schemas.reading(boilerplate):
        blocks = (
            pl.scan_parquet(boilerplate)
            .select("batch", "record", "block", code.alias("class"), (pl.col("label") == "good").alias("good"))
            .join(kept, on="record", maintain_order="left")
            .with_columns(out=pl.col("left_out").list.contains(pl.col("block")).fill_null(False))
            .with_columns(
                pl.when("out").then(pl.lit(CODES["bad"], pl.UInt8)).otherwise("class").alias("class"),
                pl.col("good") & ~pl.col("out"),
            )
            .drop("left_out", "out")
            .collect(engine="streaming")
        )
    # Written in this order, as is the vertical; sorting anew would take most of the time.
    place = blocks["document"].cast(pl.UInt64) * 2**32 + blocks["block"]
    return blocks if place.is_sorted() else blocks[place.arg_sort()]
