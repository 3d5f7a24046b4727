"""Finds exact duplicates and the stable order of documents in parts, which do not wait for each other.

1. `sort_documents`, per bundle: what decides on each document, once by date and URL, and once by the digest of its
   text.
2. `decide_part`, per part: of a range of dates and URLs the ranks, counted from the first of the range; of a range of
   digests the duplicates.
3. `write_tables`, per bundle: the tables of its batches, with what the parts have found.

Each part is an external sort (document_order). The tables equal those that `exact_duplicates.find_duplicates` writes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep.dedup.document_order import SORTED_ROW, Along, Sorting, census_of, read_documents, reading_memory
from corpusprep.dedup.exact_duplicates import LEAST_ROWS, WRITING, keyed_rows, plan_of, table_rows
from corpusprep.dedup.forgetting import ForgetList
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import scratch
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.parquet_sizes import height
from corpusprep.tables.reading import TablePieces, reading
from corpusprep.tables.writing import ROWS_PER_GROUP, TableWriter

#: Where a document is: the number of its batch in the list of batches, and its own number there.
_PLACE = {"place": pl.UInt32, "document": pl.UInt32}
#: What decides on a document. Rows are sorted in pieces, not as a whole: a range is found by the bounds of row groups.
SORTED = pl.Schema(
    _PLACE
    | {
        **dict.fromkeys(("date", "url", "page_digest", "encoding"), pl.String),
        **dict.fromkeys(("high", "low", "record_digest", "id"), pl.UInt64),
    }
)
RANKS = pl.Schema(_PLACE | {"rank": pl.UInt64})
DUPLICATES = pl.Schema(_PLACE | {"kept": pl.UInt64})
#: Rows of a row group of these tables: a reader of a range reads whole groups.
ROWS_PER_RANGE = 1 << 13
#: Bundles whose documents decide the ranges of dates and URLs.
SAMPLED_BUNDLES = 16
#: Documents of such a bundle for each part.
SAMPLED_PER_PART = 256
#: Bytes per document of a batch while its table is written: ranks, kept ids, marks, and a part of them as read.
GATHERED_ROW = 64


def sort_documents(
    batches: Mapping[str, int],
    tokens: Path,
    by_order: Path,
    by_digest: Path,
    memory: int,
    forgotten: ForgetList | None = None,
) -> None:
    """Writes the documents of batches twice, sorted by date and URL and by digest (schema SORTED).

    Args:
        batches: name -> its number in the list of all batches.
        tokens: the folder with `<batch>.parquet` of the stage `tokens`.
        by_order: the table to write, by date and URL.
        by_digest: the table to write, by digest.
        memory: bytes that the process may use.
        forgotten: documents that are left out.

    Raises:
        StageFileError: a table is missing or cannot be read.
        ResourceError: the memory is too little.
    """
    tables = [tokens / f"{batch}.parquet" for batch in batches]
    fixed = limits.POLARS + 2 * WRITING + reading_memory(tables)
    free = limits.budget(memory, fixed + LEAST_ROWS * SORTED_ROW, f"sorting the documents of {tokens}") - fixed
    with (
        TableWriter(by_order, SORTED, ROWS_PER_RANGE) as ordered,
        TableWriter(by_digest, SORTED, ROWS_PER_RANGE) as digested,
    ):
        for number, path in zip(batches.values(), track(tables, "exact sort: tables"), strict=True):
            pieces = read_documents([path], forgotten)
            for piece in _gathered(pieces, free // 2):
                documents = piece.with_columns(document="position", place=pl.lit(number))
                ordered.extend(documents.sort("date", "url", "position"))
                digested.extend(documents.sort("high", "position"))


def _gathered(pieces: Iterable[pl.DataFrame], room: int) -> Iterator[pl.DataFrame]:
    """Joins pieces up to about `room` bytes while they are sorted."""
    waiting: list[pl.DataFrame] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += SORTED_ROW * piece.height + int(piece["url"].str.len_bytes().sum())
        if size >= room:
            yield pl.concat(waiting)
            waiting, size = [], 0
    if waiting:
        yield pl.concat(waiting)


def decide_part(
    by_order: Sequence[Path],
    by_digest: Sequence[Path],
    part: int,
    parts: int,
    ranks: Path,
    duplicates: Path,
    memory: int,
) -> None:
    """Writes the ranks of a range of dates and URLs, and the duplicates of a range of digests.

    Args:
        by_order: what `sort_documents` wrote of all bundles, by date and URL.
        by_digest: the same by digest.
        part: the number of the ranges, from 0.
        parts: number of ranges.
        ranks: the table to write (schema RANKS).
        duplicates: the table to write (schema DUPLICATES).
        memory: bytes that the process may use, beside the documents of a bundle that are in the range.

    Raises:
        StageFileError: a table is missing or damaged.
        ResourceError: the memory or the disk is too little.
    """
    range_of_order = _range_of_order(_cuts(by_order, parts), part)
    with scratch(ranks) as folder, TableWriter(ranks, RANKS, ROWS_PER_RANGE) as table:
        pieces = partial(_pieces, by_order, range_of_order)
        sorting = _sorted(pieces, folder / "order", memory, compare=False)
        for piece, rank, _, _ in Along(sorting).take(pieces()):
            table.extend(piece.select(*_PLACE, pl.lit(pl.Series("rank", rank))))
    with scratch(duplicates) as folder, TableWriter(duplicates, DUPLICATES, ROWS_PER_RANGE) as table:
        pieces = partial(_pieces, by_digest, _range_of_digests(part, parts))
        sorting = _sorted(pieces, folder / "digests", memory, compare=True)
        for piece, _, kept, repeats in Along(sorting).take(pieces()):
            table.extend(piece.select(*_PLACE, pl.lit(pl.Series("kept", kept))).filter(pl.Series(repeats)))


def _cuts(by_order: Sequence[Path], parts: int) -> list[tuple[str, str]]:
    """Returns the dates and URLs that divide the documents into parts of similar size; the same in each process."""
    keys: list[tuple[str, str]] = []
    sampled = by_order[:: max(1, len(by_order) // SAMPLED_BUNDLES)]
    every = max(1, sum(height(path) for path in sampled) // (SAMPLED_PER_PART * parts))
    for path in sampled:
        for piece in TablePieces(path, ["date", "url"], ROWS_PER_GROUP):
            keys += piece.gather_every(every).rows()
    # Python compares code points, which gives the order of the UTF-8 bytes.
    keys.sort()
    return [keys[len(keys) * number // parts] if keys else ("", "") for number in range(1, parts)]


def _range_of_order(cuts: Sequence[tuple[str, str]], part: int) -> pl.Expr:
    def from_cut(date: str, url: str) -> pl.Expr:
        same = pl.col("date") == pl.lit(date)
        return (pl.col("date") > pl.lit(date)) | (same & (pl.col("url") >= pl.lit(url)))

    low = from_cut(*cuts[part - 1]) if part > 0 else pl.lit(True)
    return low & ~from_cut(*cuts[part]) if part < len(cuts) else low


def _range_of_digests(part: int, parts: int) -> pl.Expr:
    low, high = (-(-(number << 64) // parts) for number in (part, part + 1))
    in_range = pl.col("high") >= pl.lit(low, pl.UInt64)
    return in_range & (pl.col("high") < pl.lit(high, pl.UInt64)) if part + 1 < parts else in_range


def _pieces(paths: Sequence[Path], where: pl.Expr) -> Iterator[pl.DataFrame]:
    """Reads the documents of a range, always in the same order."""
    position = 0
    for path in track(paths, "exact part: bundles"):
        with reading(path):
            rows = pl.scan_parquet(path, glob=False).filter(where).collect()
        for piece in rows.iter_slices(ROWS_PER_GROUP):
            yield piece.with_columns(
                position=pl.int_range(position, position + piece.height, dtype=pl.UInt64, eager=True)
            )
            position += piece.height


def _sorted(pieces: Callable[[], Iterator[pl.DataFrame]], folder: Path, memory: int, *, compare: bool) -> Sorting:
    """Sorts the documents of a range, and compares their digests if asked."""
    folder.mkdir(parents=True)
    census = census_of(pieces())
    plan, room = plan_of(census, memory, limits.POLARS + WRITING)
    plan.announce(folder)
    sorting = Sorting(lambda: (piece.drop(*_PLACE) for piece in pieces()), census, folder, room)
    sorting.sort(compare=compare)
    return sorting


def write_tables(
    batches: Mapping[str, int],
    tokens: Path,
    ranks: Sequence[Path],
    duplicates: Sequence[Path],
    output: Path,
    memory: int,
    forgotten: ForgetList | None = None,
) -> None:
    """Writes the tables (schemas.DOCUMENTS) of batches.

    Args:
        batches: name -> its number in the list of all batches.
        tokens: the folder with `<batch>.parquet` of the stage `tokens`.
        ranks: what `decide_part` wrote, of all parts.
        duplicates: the same.
        output: the folder for the tables.
        memory: bytes that the process may use.
        forgotten: documents that are left out.

    Raises:
        StageFileError: a table is missing or damaged, or the tables are from different runs.
        ResourceError: the memory is too little.
    """
    before = np.cumsum([0, *(height(path) for path in ranks)])
    for batch, number in batches.items():
        path = tokens / f"{batch}.parquet"
        documents = height(path)
        fixed = limits.POLARS + WRITING + reading_memory([path])
        limits.budget(memory, fixed + GATHERED_ROW * documents, f"the documents of {path}")
        rank, kept = np.zeros(documents, np.uint64), np.zeros(documents, np.uint64)
        ranked, repeats = np.zeros(documents, bool), np.zeros(documents, bool)
        for first, of_ranks, of_duplicates in zip(before[:-1].tolist(), ranks, duplicates, strict=True):
            rows = _of_batch(of_ranks, number, documents)
            rank[rows["document"]], ranked[rows["document"]] = rows["rank"].to_numpy() + np.uint64(first), True
            rows = _of_batch(of_duplicates, number, documents)
            kept[rows["document"]], repeats[rows["document"]] = rows["kept"], True
        start = 0
        with TableWriter(output / f"{batch}.parquet", schemas.DOCUMENTS) as table:
            for piece in keyed_rows(path, forgotten):
                of_piece = slice(start, start + piece.height)
                start += piece.height
                left = np.ones(piece.height, bool) if forgotten is None else piece["entry"].is_null().to_numpy()
                if not np.array_equal(ranked[of_piece], left):
                    raise StageFileError(
                        f"{ranks[0].parent}: not the parts of {path}; run `corpusprep step exact` again"
                    )
                table.extend(table_rows(piece, rank[of_piece], kept[of_piece], repeats[of_piece]))


def _of_batch(path: Path, number: int, documents: int) -> pl.DataFrame:
    """Reads what a part has found of a batch."""
    with reading(path):
        rows = pl.scan_parquet(path, glob=False).filter(pl.col("place") == pl.lit(number, pl.UInt32)).collect()
    if rows.height and int(rows["document"].to_numpy().max()) >= documents:
        raise StageFileError(f"{path}: has more documents than their batch; run `corpusprep step exact` again")
    return rows
