"""Stage `documents`: exact duplicates in the whole corpus (Pomikálek 2011, 3.6.1), and its stable order.

Documents are ordered by crawl date, URL, digest of the text, then digest and encoding of the page, each by the bytes of
its UTF-8. Documents without a date come last. Of documents with equal text digests the first is kept. If all five are
equal, the place in the batches decides; the corpus is the same then.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.dedup.document_order import (
    DISK_PER_DOCUMENT,
    Along,
    Census,
    Sorting,
    census,
    read_documents,
    reading_memory,
    rows,
)
from corpusprep.dedup.forgetting import COLUMNS, ForgetList
from corpusprep.dedup.resource_plans import MemoryPlan
from corpusprep.io import memory as limits
from corpusprep.io.files import naming, scratch
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter

WRITING = 96 << 20  # bytes for partitioning and sorting, and later for writing a table
LEAST_ROWS = 1 << 13  # the least documents to sort at once


def find_duplicates(
    batches: Sequence[str], tokens: Path, output: Path, memory: int, forgotten: ForgetList | None = None
) -> None:
    """Ranks all documents, finds exact duplicates, and writes a table (schemas.DOCUMENTS) for each batch.

    Args:
        batches: names of the batches.
        tokens: the folder with `<batch>.parquet` of the stage `tokens`.
        output: the folder for the tables and a temporary folder.
        memory: bytes that the job may use; this decides how many parts are sorted one after another.
        forgotten: documents that are left out.

    Raises:
        StageFileError: a table is missing or cannot be read.
        ResourceError: the memory or the disk is too little.
    """
    tables = [tokens / f"{batch}.parquet" for batch in batches]
    fixed = max(WRITING, reading_memory(tables))
    limits.budget(memory, limits.POLARS + fixed, f"reading the tables of {tokens}")
    counted = census(tables)
    plan, room = plan_of(counted, memory, fixed)
    plan.announce(output)
    output.mkdir(parents=True, exist_ok=True)
    with naming(output), scratch(output / "sorting") as folder:
        sorting = Sorting(lambda: read_documents(tables, forgotten), counted, folder, room)
        sorting.sort()
        decided = Along(sorting)
        for batch, path in zip(batches, track(tables, "documents: writing tables"), strict=True):
            with TableWriter(output / f"{batch}.parquet", schemas.DOCUMENTS) as table:
                for piece in decided.take(keyed_rows(path, forgotten)):
                    table.extend(table_rows(*piece))


def keyed_rows(path: Path, forgotten: ForgetList | None) -> Iterator[pl.DataFrame]:
    """Reads the keys of a table of `tokens`, in pieces; with a list, also the `entry` that forgets a document.

    Raises:
        StageFileError: the table is missing, cannot be read, or its rows do not fit its vertical.
    """
    for piece in rows(path, ["batch", "record", *(COLUMNS if forgotten else ())]):
        yield piece if forgotten is None else piece.with_columns(forgotten.matched(piece)).drop(COLUMNS)


def table_rows(
    documents: pl.DataFrame, ranks: NDArray[np.uint64], kept: NDArray[np.uint64], repeats: NDArray[np.bool_]
) -> pl.DataFrame:
    """Makes rows of the table schemas.DOCUMENTS.

    Args:
        documents: what `keyed_rows` yielded.
        ranks: of the documents.
        kept: ids of the documents that are kept instead.
        repeats: whether they are exact duplicates.
    """
    digits = kept[repeats].astype(">u8").tobytes().hex()
    originals = np.full(documents.height, None, object)
    originals[repeats] = [digits[start : start + 16] for start in range(0, len(digits), 16)]
    verdicts = pl.Series(np.where(repeats, "exact_duplicate", KEPT))
    if "entry" in documents.columns:
        verdicts = verdicts.zip_with(documents["entry"].is_null(), pl.Series(["forgotten"]))
        documents = documents.drop("entry")
    return documents.with_columns(
        verdict=pl.lit(verdicts),
        duplicate_of=pl.lit(pl.Series(originals.tolist(), dtype=pl.String)),
        rank=pl.lit(pl.Series(ranks)),
    )


def plan_of(census: Census, memory: int, fixed: int = WRITING) -> tuple[MemoryPlan, int]:
    """Plans how many documents are sorted at once within `memory` bytes.

    Args:
        census: the census of the corpus.
        memory: bytes that the process may hold.
        fixed: bytes for reading and writing tables.

    Returns:
        The plan, and the bytes that documents may take at once.

    Raises:
        ResourceError: `memory` is too little to start with.
    """
    row = census.room / max(census.documents, 1)
    least = fixed + int(row * min(LEAST_ROWS, census.documents))
    room = limits.budget(memory, least, f"ordering {census.documents} documents") - fixed
    at_once = max(1, min(int(room / row), census.documents)) if census.documents else 1
    disk = (DISK_PER_DOCUMENT + 60) * census.documents + census.url_bytes + (1 << 18)
    parts = max(1, math.ceil(census.room / room))
    return MemoryPlan("documents", at_once, "documents", parts, memory, disk), room
