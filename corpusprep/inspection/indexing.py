"""Writes the index of URLs (corpusprep.inspection.url_index): an external sort by ranges of keys.

`write_index` does it in one process. In parts, which do not wait for each other:

1. `sort_records`, per bundle: an index of the bundle, with small pieces and a sample of its keys.
2. `write_part`, per part: from all bundles, the pieces of a range of keys. The samples say where pieces begin.
3. `join_parts`: the pieces of all parts, one after another.

The sample has the same rows of each table in both ways. So the index is the same bytes.
"""

import io
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

import polars as pl

from corpusprep._native.ngrams import checksum
from corpusprep.inspection.url_index import DIRECTORY, FOOTER, IDS, MAGIC, ROWS, URLS, VERSION, UrlIndex, key_of_row
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, scratch
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces

#: Rows of a piece: 5 to 20 MB while it is read.
ROWS_PER_PIECE = 1 << 17
#: Rows of a piece of the index of a bundle: a part reads those that it shares with other parts as a whole.
ROWS_PER_RANGE = 1 << 12
#: The most rows of a table that are distributed to pieces at once, the least, and the bytes that one takes.
MOST_ROWS, LEAST_ROWS, ROW_BYTES = 1 << 18, 1 << 13, 1_000
#: Rows of a table that are read at once. The index does not depend on the memory.
READ_ROWS = 1 << 16
#: Bytes for sorting and writing one piece, and for the sample.
SORTING = 100 << 20
#: One row in this many is sampled to find where the pieces begin. Of very large corpora fewer are: at most MOST_SAMPLED
#: keys are held.
SAMPLED, MOST_SAMPLED = 512, 1 << 19
#: How the index of a bundle names its sample of the keys of a section.
_SAMPLE = "sample of {}"

_Compression = Literal["zstd", "lz4"]
_LENGTH = struct.Struct("<Q")


def write_index(corpus_dir: Path, batches: Sequence[str], output: Path, memory: int) -> None:
    """Writes the index of a corpus.

    Args:
        corpus_dir: the folder of the corpus, with the tables `encoding` and `tokens` of all batches.
        batches: names of the batches.
        output: the file to write.
        memory: bytes that the process may use.

    Raises:
        StageFileError: a table is missing or damaged.
        ResourceError: the memory is too little.
    """
    at_once = _rows_at_once(corpus_dir, memory)
    with scratch(output) as folder, _writing(output) as index:
        for tables in _sections(corpus_dir, batches):
            starts = tables.sample().starts()
            for rows in _sorted(tables.section, tables.rows(at_once), starts, folder / tables.section, at_once):
                index.add(tables.section, rows)


def sort_records(corpus_dir: Path, batches: Sequence[str], output: Path, memory: int) -> None:
    """Writes the index of a bundle, from which `write_part` reads ranges; arguments and errors as in `write_index`."""
    at_once = _rows_at_once(corpus_dir, memory)
    with scratch(output) as folder, _writing(output, compression="lz4") as index:
        for tables in _sections(corpus_dir, batches):
            sample = tables.sample()
            for rows in _sorted(
                tables.section, tables.rows(at_once), sample.starts(), folder / tables.section, at_once
            ):
                for piece in rows.iter_slices(ROWS_PER_RANGE):
                    index.add(tables.section, piece)
            stored = _stored(sample.table(), "lz4")
            index.add_stored(_SAMPLE.format(tables.section), "", 1, stored)


def write_part(bundles: Sequence[Path], part: int, parts: int, output: Path, memory: int) -> None:
    """Writes the pieces of a range of URLs, and of a range of identifiers.

    Args:
        bundles: what `sort_records` wrote, of all bundles.
        part: the number of the ranges, from 0.
        parts: number of ranges.
        output: the file to write.
        memory: bytes that the process may use.

    Raises:
        StageFileError: a file is missing or damaged.
        ResourceError: the memory is too little.
    """
    at_once = _rows_at_once(output.parent, memory)
    with scratch(output) as folder, _writing(output) as index:
        for section in ROWS:
            starts = _sample_of(bundles, section).starts()
            first, end = ((len(starts) + 1) * number // parts for number in (part, part + 1))
            if first == end:
                continue
            low = starts[first - 1] if first > 0 else None
            high = starts[end - 1] if end <= len(starts) else None
            entries = _of_range(bundles, section, low, high)
            for rows in _sorted(section, entries, starts[first : end - 1], folder / section, at_once):
                index.add(section, rows)


def join_parts(parts: Sequence[Path], output: Path) -> None:
    """Writes the index of a corpus from what `write_part` wrote, of all parts in order.

    Raises:
        StageFileError: a file is missing or damaged.
    """
    indexes = [UrlIndex.open(path, written_by="urls part") for path in parts]
    with _writing(output) as joined:
        for section in ROWS:
            for index in track(indexes, f"index: joining parts ({section})"):
                for first, rows, stored in index.stored(section):
                    joined.add_stored(section, first, rows, stored)


def _rows_at_once(folder: Path, memory: int) -> int:
    free = limits.budget(memory, SORTING + LEAST_ROWS * ROW_BYTES, f"indexing the records of {folder}")
    return min(MOST_ROWS, (free - SORTING) // ROW_BYTES)


@dataclass
class _Index:
    """An index that is being written: pieces in order."""

    file: BinaryIO
    compression: _Compression
    directory: list[tuple[str, str, int, int, int, int]] = field(default_factory=list)

    def add(self, section: str, rows: pl.DataFrame) -> None:
        """Writes a piece."""
        self.add_stored(section, rows["key"][0], rows.height, _stored(rows, self.compression))

    def add_stored(self, section: str, first: str, rows: int, stored: bytes) -> None:
        """Writes a piece as another index has it."""
        self.directory.append((section, first, self.file.tell(), len(stored), rows, checksum(stored)))
        self.file.write(stored)

    def finish(self) -> None:
        """Writes the directory."""
        stored = _stored(pl.DataFrame(self.directory, schema=DIRECTORY, orient="row"), "zstd")
        offset = self.file.tell()
        self.file.write(stored + FOOTER.pack(MAGIC, VERSION, offset, len(stored), checksum(stored)))


@contextmanager
def _writing(output: Path, compression: _Compression = "zstd") -> Iterator[_Index]:
    """Writes an index; the file appears when it ends without an error."""
    with replacing(output) as temporary, temporary.open("wb") as file:
        index = _Index(file, compression)
        yield index
        index.finish()


def _stored(rows: pl.DataFrame, compression: _Compression) -> bytes:
    data = io.BytesIO()
    rows.write_parquet(data, compression=compression, row_group_size=ROWS_PER_PIECE)
    return data.getvalue()


@dataclass
class _Sample:
    """Keys of one row in SAMPLED of each table; if they are more than MOST_SAMPLED, of half of these, and so on.

    Which ones are left depends on their numbers within their tables. So it depends neither on the order of tables nor
    on the bundles that they are in.
    """

    keys: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    every: int = 1  # one key in so many is left

    def extend(self, keys: Iterable[str], numbers: Iterable[int]) -> None:
        """Adds keys, with their numbers among the sampled ones of their table."""
        self._take(zip(keys, numbers, strict=True))
        while len(self.keys) > MOST_SAMPLED:
            self.thin(2 * self.every)

    def thin(self, every: int) -> None:
        """Leaves one key in so many of each table, if more are left."""
        if every > self.every:
            self.every = every
            entries = zip(self.keys, self.numbers, strict=True)
            self.keys, self.numbers = [], []
            self._take(entries)

    def _take(self, numbered: Iterable[tuple[str, int]]) -> None:
        for key, number in numbered:
            if (number + 1) % self.every == 0:
                self.keys.append(key)
                self.numbers.append(number)

    def table(self) -> pl.DataFrame:
        """Returns the sample as one row. One without keys has it too: it says how far it was thinned."""
        return pl.DataFrame(
            {"keys": [self.keys], "numbers": [self.numbers], "every": [self.every]},
            {"keys": pl.List(pl.String), "numbers": pl.List(pl.UInt32), "every": pl.UInt64},
        )

    def starts(self) -> pl.Series:
        """Returns the first keys of all pieces but the first."""
        keys = pl.Series("key", self.keys, pl.String).sort()
        return keys.gather_every(max(1, ROWS_PER_PIECE // (SAMPLED * self.every)))[1:].unique().sort()


@dataclass(frozen=True)
class _Tables:
    """The rows of a section in the tables of batches."""

    section: str
    paths: Sequence[Path]
    columns: list[str | pl.Expr]  # the first one is the key
    key_of: list[str]  # the stored columns that the key is made of
    where: pl.Expr | None = None

    def rows(self, at_once: int) -> Iterator[pl.DataFrame]:
        """Yields them in pieces of up to `at_once`."""
        for path in track(self.paths, f"index: reading tables ({self.section})"):
            yield from TablePieces(path, self.columns, min(at_once, READ_ROWS), self.where)

    def sample(self) -> _Sample:
        """Returns a sample of the keys."""
        sample = _Sample()
        for path in self.paths:
            number = 0
            for rows in TablePieces(path, self.key_of, READ_ROWS, self.where):
                # Python's strings are copies. Series of them would keep the text of all rows that were read.
                keys = rows.gather_every(SAMPLED).select(self.columns[0]).to_series().to_list()
                sample.extend(keys, range(number, number + len(keys)))
                number += len(keys)
        return sample


def _sections(corpus_dir: Path, batches: Sequence[str]) -> list[_Tables]:
    files = [BatchFiles.of(corpus_dir, batch) for batch in batches]
    of_urls: list[str | pl.Expr] = [key_of_row().alias("key"), "url", "batch", "record"]
    of_ids: list[str | pl.Expr] = [pl.col("id").alias("key"), "batch", "record"]
    return [
        _Tables(
            URLS,
            [batch_files.encoding for batch_files in files],
            of_urls,
            ["url", "host"],
            pl.col("url").fill_null("") != "",
        ),
        _Tables(IDS, [batch_files.tokens for batch_files in files], of_ids, ["id"]),
    ]


def _sample_of(bundles: Sequence[Path], section: str) -> _Sample:
    """Returns the sample of all bundles."""
    sample = _Sample()
    for path in track(bundles, f"index: reading samples ({section})"):
        for rows in _bundle(path).between(_SAMPLE.format(section), None, None):
            sample.thin(rows["every"].item())
            sample.extend(
                rows["keys"].explode().drop_nulls().to_list(), rows["numbers"].explode().drop_nulls().to_list()
            )
    return sample


def _of_range(bundles: Sequence[Path], section: str, low: str | None, high: str | None) -> Iterator[pl.DataFrame]:
    """Yields the rows of all bundles with keys from `low` to before `high`."""
    for path in track(bundles, f"index: reading bundles ({section})"):
        for rows in _bundle(path).between(section, low, high):
            begin = 0 if low is None else int(rows["key"].search_sorted(low, "left"))
            end = rows.height if high is None else int(rows["key"].search_sorted(high, "left"))
            yield rows[begin:end]


def _bundle(path: Path) -> UrlIndex:
    return UrlIndex.open(path, written_by="urls sort")


def _sorted(
    section: str, pieces: Iterable[pl.DataFrame], starts: pl.Series, folder: Path, at_once: int
) -> Iterator[pl.DataFrame]:
    """Yields all rows in sorted pieces, which begin at `starts`: an external sort by ranges of keys."""
    folder.mkdir(parents=True)
    schema = ROWS[section]
    for rows in _together(pieces, at_once):
        # By all columns, as below: polars takes three times as long to sort by one column of strings.
        rows = rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(schema.names())
        ends = [*rows["key"].search_sorted(starts, "left").to_list(), rows.height] if len(starts) else [rows.height]
        begin = 0
        for number, end in enumerate(ends):
            if end > begin:
                _append(rows[begin:end], folder / str(number))
            begin = end
    for number in track(range(len(starts) + 1), f"index: sorting pieces ({section})"):
        path = folder / str(number)
        if path.exists():
            rows = pl.concat(list(_appended(path))).sort(schema.names())
            path.unlink()
            # More than a piece only if very many records have one URL.
            yield from rows.iter_slices(4 * ROWS_PER_PIECE)


def _together(pieces: Iterable[pl.DataFrame], at_once: int) -> Iterator[pl.DataFrame]:
    """Yields rows together, of several batches or bundles: the fewer frames, the fewer writes to each piece.

    There are up to `at_once` rows in a frame, and fewer if they are long: to sort them takes four times their bytes.
    """
    frames: list[pl.DataFrame] = []
    height = size = 0
    for rows in pieces:
        own = int(rows.estimated_size())
        if frames and (height + rows.height > at_once or 4 * (size + own) > at_once * ROW_BYTES):
            yield pl.concat(frames)
            frames, height, size = [], 0, 0
        frames.append(rows)
        height, size = height + rows.height, size + own
    if frames:
        yield pl.concat(frames)


def _append(rows: pl.DataFrame, path: Path) -> None:
    """Appends a frame to a file, behind its length."""
    data = io.BytesIO()
    rows.write_ipc_stream(data, compression="lz4")
    with path.open("ab") as file:
        file.write(_LENGTH.pack(data.tell()))
        file.write(data.getbuffer())


def _appended(path: Path) -> Iterator[pl.DataFrame]:
    """Yields the frames that were appended to a file."""
    with path.open("rb") as file:
        while length := file.read(_LENGTH.size):
            yield pl.read_ipc_stream(io.BytesIO(file.read(_LENGTH.unpack(length)[0])))
