"""Orders near-duplicates by which of them stays: the first, the longest, the best or the latest."""

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.parquet_sizes import height
from corpusprep.tables.reading import read_table

#: What stays of near-duplicates. Equal ones follow the stable order.
KEEP = ("first", "longest", "score", "latest")
#: Bytes per document of a batch while its preferences are read: rows of two tables, with dates, and the join.
_DOCUMENT = 200


def preferences_memory(tokens: Path) -> int:
    """Returns the bytes that reading the preferences of a batch takes."""
    return _DOCUMENT * height(tokens)


def preferences(keep: str, tokens: Path, language: Path) -> NDArray[np.uint64]:
    """Returns one number per document of a batch's vertical, in its order; lower ones are preferred.

    Args:
        keep: one of KEEP.
        tokens: the batch's table schemas.TOKENS.
        language: the batch's table schemas.LANGUAGE, for `score`.

    Raises:
        StageFileError: a table is missing or damaged, or they do not belong together.
    """
    columns = {"longest": ["words"], "latest": ["date"]}.get(keep, [])
    documents = read_table(tokens, schemas.TOKENS, ["record", "document", *columns]).sort("document")
    if keep == "first":
        return np.zeros(documents.height, np.uint64)
    if keep == "longest":
        least = documents["words"].cast(pl.UInt64)
    elif keep == "latest":
        # ISO 8601 to the second in UTC, so digits decide; documents without a date come last.
        digits = pl.col("date").str.replace_all(r"\D", "").str.head(14).str.pad_end(14, "0")
        least = documents.select(digits.cast(pl.UInt64, strict=False).fill_null(0)).to_series()
    else:
        scores = read_table(language, schemas.LANGUAGE, ["record", "score"])
        of_documents = documents.join(scores, on="record", how="left", maintain_order="left")
        if of_documents.height != documents.height:
            raise StageFileError(f"{language} does not belong to {tokens}; run the stage language again")
        return ~_ordered(of_documents["score"].fill_null(float("-inf")).fill_nan(float("-inf")).to_numpy())
    return ~least.to_numpy()


def _ordered(numbers: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Returns integers in the order of the numbers: the bits of IEEE 754, with those of negative numbers turned."""
    bits = (numbers + 0.0).view(np.uint64)
    ordered: NDArray[np.uint64] = np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))
    return ordered
