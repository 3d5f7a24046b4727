"""Writes the block verdicts of a batch in page order.

Matches and verdicts come in the order of de-duplication. Their blocks are partitioned by document into files that fit
the memory. Each file is sorted and read in parallel with the blocks of the pages.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native import blocks as kernel
from corpusprep.dedup.kernel_files import fed
from corpusprep.dedup.page_blocks import READING, documents_of, page_blocks, tables_memory
from corpusprep.dedup.resource_plans import MemoryPlan
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import naming, scratch
from corpusprep.io.progress import track
from corpusprep.io.spill import PartitionFiles
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT, MARKS
from corpusprep.tables.writing import TableWriter

#: Verdict codes of the kernel.
VERDICTS = (KEPT, "duplicate", "stub", "duplicate_document", "near_duplicate")

_BLOCK = np.dtype([("document", "<u4"), ("tokens", "<u4"), ("counted", "<u4"), ("covered", "<u4"), ("code", "u1")])
#: Bytes per block while its file is sorted: unsorted and sorted, the same of the file before, and its place.
SORTED_BLOCK = 4 * _BLOCK.itemsize + 16
#: Blocks that are partitioned at once.
PARTITIONED = 1 << 17
WRITING = 48 << 20  # bytes for writing a table
TABLE_ROW = 24  # bytes of a row on disk


def write_blocks(
    decided: Path,
    matches: Path,
    tokens: Path,
    boilerplate: Path,
    documents: Path,
    output: Path,
    memory: int,
    *,
    mark: bool,
) -> None:
    """Writes the table (schemas.BLOCKS) of a batch's good blocks, ordered by record and block.

    Args:
        decided: the verdicts of the batch.
        matches: the matches that the verdicts were made from.
        tokens: the batch's table schemas.TOKENS.
        boilerplate: the batch's table schemas.BOILERPLATE.
        documents: the batch's table schemas.DOCUMENTS.
        output: the table to write.
        memory: bytes that the process may use.
        mark: whether duplicates stay in the corpus: their verdicts are then from verdicts.MARKS.

    Raises:
        StageFileError: an input is missing or damaged, or the inputs do not belong together.
        ResourceError: the memory or the disk is too little.
    """
    purpose = f"the blocks of {documents}"
    fixed = READING + WRITING
    limits.budget(memory, tables_memory(documents, boilerplate, tokens) + fixed + SORTED_BLOCK * PARTITIONED, purpose)
    frame = documents_of(documents, tokens)
    starts, origin = _block_starts(matches, frame.height)
    most = int(np.diff(starts).max(initial=0))
    free = limits.budget(memory, fixed + SORTED_BLOCK * max(most, min(PARTITIONED, int(starts[-1]))), purpose) - fixed
    at_once = max(1, free // SORTED_BLOCK)
    # A document goes to the file of its last block, so a file has at most one document more than its share.
    share = max(1, at_once - most)
    file_of = np.maximum(starts[1:] - 1, 0) // share
    files = int(file_of[-1]) + 1 if len(file_of) else 1
    disk = (_BLOCK.itemsize + 2 * TABLE_ROW) * int(starts[-1]) + (1 << 18)
    MemoryPlan("blocks apply", min(at_once, max(1, int(starts[-1]))), "blocks", files, memory, disk).announce(
        output.parent
    )

    names = pl.Series([MARKS[name] if mark and name != KEPT else name for name in VERDICTS], dtype=pl.String)
    output.parent.mkdir(parents=True, exist_ok=True)
    with naming(output), scratch(output) as folder:
        parts = PartitionFiles(folder / "blocks", _BLOCK)
        for rows in track(_decisions(decided, matches, origin), "blocks apply: reading pieces of matches"):
            parts.add(file_of[rows["document"]], rows)
        sorted_rows = _sorted(parts, files)
        rows = np.empty(0, _BLOCK)
        batch = pl.lit(frame["batch"].first(), pl.String)
        with TableWriter(output, schemas.BLOCKS) as table:
            pieces = page_blocks(boilerplate, frame, good_only=True)
            for good in track(pieces, "blocks apply: writing pieces of the table"):
                while good.height:
                    if not len(rows):
                        rows = next(sorted_rows, rows)
                    count = min(good.height, len(rows))
                    if not count or not np.array_equal(
                        good["document"].head(count).to_numpy(), rows["document"][:count]
                    ):
                        raise _others(matches, boilerplate, documents)
                    table.extend(_rows(good.head(count).with_columns(batch=batch), rows[:count], names))
                    good, rows = good[count:], rows[count:]
            if len(rows) or next(sorted_rows, None) is not None:
                raise _others(matches, boilerplate, documents)


def _rows(good: pl.DataFrame, decisions: NDArray[np.void], names: pl.Series) -> pl.DataFrame:
    """Makes rows of the table; `names` has the verdict of each code."""
    return good.with_columns(
        tokens=pl.lit(pl.Series(decisions["tokens"])),
        counted_tokens=pl.lit(pl.Series(decisions["counted"])),
        covered_tokens=pl.lit(pl.Series(decisions["covered"])),
        verdict=pl.lit(names.gather(decisions["code"])),
    )


def _block_starts(matches: Path, documents: int) -> tuple[NDArray[np.int64], int]:
    """Returns where each document's blocks start among all, shape (documents + 1,), and the checksum of the matches."""
    starts = np.zeros(documents + 1, np.int64)
    table = kernel.MatchTable()
    for _ in fed(table, matches):
        numbers, blocks, _, _ = table.columns()
        if len(numbers):
            if numbers.max() >= documents:
                raise StageFileError(f"{matches} has more documents than its batch; run `blocks match` again")
            starts[numbers.astype(np.int64) + 1] = blocks
    return np.cumsum(starts), table.checksum


def _decisions(decided: Path, matches: Path, origin: int) -> Iterator[NDArray[np.void]]:
    """Yields the verdicts of blocks in the order of de-duplication, in pieces."""
    verdicts = kernel.VerdictTable()
    codes, covered = np.empty(0, np.uint8), np.empty(0, np.uint32)
    pieces = fed(verdicts, decided)
    table = kernel.MatchTable()
    for _ in fed(table, matches):
        document, blocks, tokens, counted = table.columns()
        while len(codes) < len(tokens) and next(pieces, None):
            _, _, more_covered, more_codes = verdicts.columns()
            codes, covered = np.concatenate([codes, more_codes]), np.concatenate([covered, more_covered])
        if len(codes) < len(tokens):
            raise _not_made_from(decided, matches)
        rows = np.empty(len(tokens), _BLOCK)
        rows["document"], rows["tokens"], rows["counted"] = np.repeat(document, blocks), tokens, counted
        rows["covered"], rows["code"] = covered[: len(tokens)], codes[: len(tokens)]
        codes, covered = codes[len(tokens) :], covered[len(tokens) :]
        yield rows
    for _ in pieces:
        codes = np.concatenate([codes, verdicts.columns()[3]])
    if len(codes) or verdicts.origin != origin:
        raise _not_made_from(decided, matches)


def _sorted(parts: PartitionFiles, files: int) -> Iterator[NDArray[np.void]]:
    """Yields the blocks of all files, sorted by document."""
    for number in range(files):
        for rows in parts.take(number):
            yield rows[np.argsort(rows["document"], kind="stable")]


def _not_made_from(decided: Path, matches: Path) -> StageFileError:
    return StageFileError(f"{decided} was not made from {matches}; run `blocks verdicts` again")


def _others(matches: Path, boilerplate: Path, documents: Path) -> StageFileError:
    return StageFileError(f"{matches} was not made with {boilerplate} and {documents}; run `blocks match` again")
