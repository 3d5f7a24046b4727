"""Writes the table of clusters from pairs of ranks, in bounded memory."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.io.sorted_runs import BLOCK_BYTES, Records, SortedRuns
from corpusprep.io.spill import PartitionFiles
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import ROWS_PER_GROUP, TableWriter

#: A document that does not stay: its rank, that of the document that stays for it, and their resemblance.
MEMBER = np.dtype([("rank", "<u8"), ("leader", "<u8"), ("share", "<f8")])
#: Bytes for reading tables of documents, and for writing the table.
TABLE_BYTES = 64 << 20
#: Verdict of the documents that do not stay.
NEAR_DUPLICATE = "near_duplicate"

_PLACE = np.dtype([("rank", "<u8"), ("id", "<u8"), ("batch", "<u4"), ("record", "<u4"), ("document", "<u4")])
#: A row: the rank of the document that stays, and 0 for itself or a rank + 1; documents of the cluster, for itself.
_ROW = np.dtype(
    [("major", "<u8"), ("minor", "<u8"), ("id", "<u8"), ("share", "<f8")]
    + [(name, "<u4") for name in ("batch", "record", "document", "documents", "size", "unused")]
)
#: Memory per rank of a range: a place, a row, the row sorted, and its number of documents.
_RANK = 4 * _ROW.itemsize


class ClusterTable:
    """Gathers the documents that do not stay, by ranges of ranks in files, and writes the table.

    Args:
        folder: for temporary files.
        documents: number of documents of the corpus: all ranks are below it.
        room: bytes for ranges of ranks.

    Attributes:
        clustered: one bit per rank, the lowest of a byte first: whether the document is in a cluster.
    """

    def __init__(self, folder: Path, documents: int, room: int) -> None:
        self._folder, self._documents = folder, documents
        self._room = room
        self._range = max(1, room // _RANK)
        self._members = PartitionFiles(folder / "members", MEMBER)
        self._leaders = PartitionFiles(folder / "leaders", MEMBER)
        self._clustered = np.zeros(documents // 8 + 1, np.uint8)

    def add(self, members: NDArray[np.void]) -> None:
        """Adds documents that do not stay (MEMBER)."""
        self._members.add((members["rank"] // self._range).astype(np.int64), members)
        self._leaders.add((members["leader"] // self._range).astype(np.int64), members)
        for ranks in (members["rank"], members["leader"]):
            np.bitwise_or.at(self._clustered, ranks >> np.uint64(3), _bit(ranks))

    def write(self, files: Mapping[str, BatchFiles], output: Path) -> None:
        """Writes the table (schemas.CLUSTERS): the clusters by their documents that stay, which come first.

        Raises:
            StageFileError: a table of documents is missing or damaged.
        """
        places = PartitionFiles(self._folder / "places", _PLACE)
        for number, batch in enumerate(track(list(files.values()), "blocks clusters: reading tables of documents")):
            for piece in self._places(batch, number):
                places.add((piece["rank"] // self._range).astype(np.int64), piece)
        with tempfile.TemporaryFile(dir=self._folder) as file, TableWriter(output, schemas.CLUSTERS) as table:
            runs = SortedRuns(file, _ROW)
            for number in range(-(-self._documents // self._range)):
                rows = self._rows(number, places)
                if len(rows):
                    runs.start()
                    runs.write(Records(rows, np.empty(0, np.uint64)).sorted())
            batches = list(files)
            last, cluster = np.empty(0, _ROW), -1
            for records in runs.merged(max(2, self._room // (6 * BLOCK_BYTES))):
                rows, count = np.concatenate([last, records.heads]), len(last)
                stays = rows["minor"] == 0
                first = np.maximum.accumulate(np.where(stays, np.arange(len(rows)), 0))
                numbers = cluster + np.cumsum(stays[count:])
                table.extend(_table_rows(rows[count:], rows[first[count:]], numbers, batches))
                last, cluster = rows[first[-1:]], int(numbers[-1])

    def _places(self, batch: BatchFiles, number: int) -> Iterator[NDArray[np.void]]:
        """Yields the places of a batch's documents that are in clusters."""
        ids = TablePieces(batch.tokens, ["record", "id"], ROWS_PER_GROUP)
        for piece in TablePieces(batch.documents, ["record", "document", "rank", "verdict"], ROWS_PER_GROUP):
            named = ids.read()
            if not piece["record"].equals(named["record"]):
                raise StageFileError(f"{batch.documents} does not belong to {batch.tokens}; run `documents` again")
            named = piece.with_columns(named["id"])
            ranks = named["rank"].to_numpy()
            held = (self._clustered[ranks >> np.uint64(3)] & _bit(ranks)) > 0
            named = named.filter(pl.Series(held) & (pl.col("verdict") == KEPT))
            places = np.empty(named.height, _PLACE)
            for name in ("rank", "record", "document"):
                places[name] = named[name].to_numpy()
            places["id"] = np.frombuffer(bytes.fromhex("".join(named["id"])), ">u8")
            places["batch"] = number
            yield places

    def _rows(self, number: int, places: PartitionFiles) -> NDArray[np.void]:
        """Returns the rows of a range of ranks."""
        start = number * self._range
        rows = np.zeros(min(self._range, self._documents - start), _ROW)
        rows["documents"] = 1
        rows["share"] = 1
        rows["major"] = start + np.arange(len(rows))
        for members in self._leaders.take(number, ROWS_PER_GROUP):
            np.add.at(rows["documents"], members["leader"] - np.uint64(start), np.uint32(1))
        for members in self._members.take(number, ROWS_PER_GROUP):
            offsets = members["rank"] - np.uint64(start)
            rows["major"][offsets], rows["minor"][offsets] = members["leader"], members["rank"] + 1
            rows["share"][offsets] = members["share"]
        held = np.zeros(len(rows), bool)
        for piece in places.take(number, ROWS_PER_GROUP):
            offsets = piece["rank"] - np.uint64(start)
            held[offsets] = True
            for name in ("id", "batch", "record", "document"):
                rows[name][offsets] = piece[name]
        return rows[held]


def near_duplicates(path: Path) -> Iterator[NDArray[np.uint64]]:
    """Yields the ranks of the documents that do not stay, from the table of clusters.

    Raises:
        StageFileError: the table is missing or damaged.
    """
    for piece in TablePieces(path, ["rank"], ROWS_PER_GROUP, pl.col("verdict") == NEAR_DUPLICATE):
        yield piece["rank"].to_numpy()


def marks(path: Path) -> bytes:
    """Returns one bit per rank up to the last, the lowest of a byte first: 1 for documents that do not stay.

    Raises:
        StageFileError: the table is missing or damaged.
    """
    most = max((int(ranks.max()) for ranks in near_duplicates(path) if len(ranks)), default=-1)
    bits = np.zeros((most + 8) // 8, np.uint8)
    for ranks in near_duplicates(path):
        np.bitwise_or.at(bits, ranks >> np.uint64(3), _bit(ranks))
    return bits.tobytes()


def _bit(ranks: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Returns the bits of ranks in their bytes."""
    return np.left_shift(np.uint8(1), (ranks & np.uint64(7)).astype(np.uint8))


def _table_rows(
    rows: NDArray[np.void], stays: NDArray[np.void], clusters: NDArray[np.int64], batches: Sequence[str]
) -> pl.DataFrame:
    """Makes rows of the table: of documents, beside the rows of the documents that stay for them."""
    of_members = rows["minor"] > 0
    return pl.DataFrame(
        {
            "batch": pl.Series(batches, dtype=pl.String).gather(rows["batch"]),
            "record": rows["record"],
            "document": rows["document"],
            "rank": np.where(of_members, rows["minor"] - np.uint64(1), rows["major"]),
            "id": _ids(rows["id"]),
            "cluster": clusters,
            "size": stays["documents"],
            "representative": _ids(stays["id"]),
            "share": rows["share"],
            "verdict": pl.Series([KEPT, NEAR_DUPLICATE], dtype=pl.String).gather(of_members.astype(np.uint32)),
        }
    )


def _ids(numbers: NDArray[np.uint64]) -> list[str]:
    """Returns identifiers as they are in the tables: 16 hexadecimal digits."""
    digits = numbers.astype(">u8").tobytes().hex()
    return [digits[start : start + 16] for start in range(0, len(digits), 16)]
