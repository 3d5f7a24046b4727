"""The index of a corpus's records by URL, and of its documents by identifier: `urls.index`.

The file has Parquet tables one after another, each of about ROWS_PER_PIECE rows: first the records, sorted by the key
of their URL, then the documents, sorted by identifier. A directory at the end names the first key of each, with a
checksum. To look something up, the directory and one or two pieces are read, whatever the size of the corpus.

The key has the labels of the host in reverse order, then the rest of the URL: `org,example,www)/page?q=1`, as the
indexes of web archives have it (Sort-friendly URI Reordering Transform). So the pages of a host, and the hosts of a
domain, lie together, and the neighbours of an address that is not there are those most like it.
"""

import io
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import polars as pl

from corpusprep._native.ngrams import checksum
from corpusprep.archive.records import host as host_of
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, scratch
from corpusprep.io.progress import track
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces

#: Rows of a piece: 5 to 20 MB while it is read.
ROWS_PER_PIECE = 1 << 17
#: The most rows of a table that are distributed to pieces at once, the least, and the bytes that one takes.
MOST_ROWS, LEAST_ROWS, ROW_BYTES = 1 << 18, 1 << 13, 1_000
#: Rows of a table that are read at once. The index does not depend on the memory.
READ_ROWS = 1 << 16
#: Bytes for sorting and writing one piece, and for the sample.
SORTING = 100 << 20
#: One row in this many is sampled to find where the pieces begin. Of very large corpora fewer are: about MOST_SAMPLED
#: keys are held.
SAMPLED, MOST_SAMPLED = 512, 1 << 19

MAGIC = b"CPURLIDX"
VERSION = 1
_FOOTER = struct.Struct("<8sIQQQ")  # magic, version, offset and length of the directory, its checksum
_LENGTH = struct.Struct("<Q")
_DIRECTORY = pl.Schema(
    {
        "section": pl.String,
        "first": pl.String,
        "offset": pl.UInt64,
        "length": pl.UInt64,
        "rows": pl.UInt32,
        "checksum": pl.UInt64,
    }
)
_URLS, _IDS = "urls", "ids"
_ROWS = {
    _URLS: pl.Schema({"key": pl.String, "url": pl.String, "batch": pl.String, "record": pl.UInt32}),
    _IDS: pl.Schema({"key": pl.String, "batch": pl.String, "record": pl.UInt32}),
}


def with_keys(records: pl.LazyFrame) -> pl.LazyFrame:
    """Returns the records that have a URL, with the columns key, url, batch, record."""
    return records.filter(pl.col("url").fill_null("") != "").select(_key().alias("key"), "url", "batch", "record")


def url_key(url: str) -> str:
    """Returns the key of a URL.

    >>> url_key("http://www.Example.org:80/page?q=1")
    'org,example,www)/page?q=1'
    """
    return str(pl.DataFrame({"url": [url], "host": [host_of(url)]}).select(_key()).item())


def host_key(host: str) -> str:
    """Returns what the keys of a host's URLs begin with.

    >>> host_key("www.example.org")
    'org,example,www)'
    """
    return ",".join(reversed(host.split("."))) + ")"


def _key() -> pl.Expr:
    labels = pl.col("host").fill_null("").str.split(".").list.reverse().list.join(",")
    rest = pl.col("url").str.replace(r"^\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?", "")
    return labels + ")" + rest


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
    free = limits.budget(memory, SORTING + LEAST_ROWS * ROW_BYTES, f"indexing the records of {corpus_dir}")
    at_once = min(MOST_ROWS, (free - SORTING) // ROW_BYTES)
    files = [BatchFiles.of(corpus_dir, batch) for batch in batches]
    directory: list[tuple[str, str, int, int, int, int]] = []
    with replacing(output) as temporary, scratch(output) as folder, temporary.open("wb") as file:
        sections: list[tuple[str, list[Path], list[str | pl.Expr]]] = [
            (_URLS, [one.encoding for one in files], [_key().alias("key"), "url", "batch", "record"]),
            (_IDS, [one.tokens for one in files], [pl.col("id").alias("key"), "batch", "record"]),
        ]
        for section, tables, columns in sections:
            for rows in _sorted(section, tables, columns, folder / section, at_once):
                data = io.BytesIO()
                rows.write_parquet(data, compression="zstd", row_group_size=ROWS_PER_PIECE)
                stored = data.getvalue()
                place = (file.tell(), len(stored), rows.height, checksum(stored))
                directory.append((section, rows["key"][0], *place))
                file.write(stored)
        _finish(file, directory)


def _finish(file: BinaryIO, directory: list[tuple[str, str, int, int, int, int]]) -> None:
    data = io.BytesIO()
    pl.DataFrame(directory, schema=_DIRECTORY, orient="row").write_parquet(data, compression="zstd")
    stored = data.getvalue()
    offset = file.tell()
    file.write(stored + _FOOTER.pack(MAGIC, VERSION, offset, len(stored), checksum(stored)))


def _sorted(
    section: str, tables: Sequence[Path], columns: list[str | pl.Expr], folder: Path, at_once: int
) -> Iterator[pl.DataFrame]:
    """Yields the rows of all tables in sorted pieces: an external sort by ranges of keys."""
    where = pl.col("url").fill_null("") != "" if section == _URLS else None
    starts = _starts(tables, columns, where)
    folder.mkdir(parents=True)
    schema = _ROWS[section]
    for rows in _together(section, tables, columns, where, at_once):
        rows = rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort("key")
        ends = [*rows["key"].search_sorted(starts, "left").to_list(), rows.height] if len(starts) else [rows.height]
        begin = 0
        for number, end in enumerate(ends):
            if end > begin:
                _append(rows[begin:end], folder / str(number))
            begin = end
    for number in track(range(len(starts) + 1), f"index: sorting pieces ({section})"):
        path = folder / str(number)
        if path.exists():
            rows = pl.concat(list(_appended(path))).sort(_ROWS[section].names())
            path.unlink()
            # More than a piece only if very many records have one URL.
            yield from rows.iter_slices(4 * ROWS_PER_PIECE)


def _together(
    section: str, tables: Sequence[Path], columns: list[str | pl.Expr], where: pl.Expr | None, at_once: int
) -> Iterator[pl.DataFrame]:
    """Yields the rows of tables together, several batches at a time: the fewer frames, the fewer writes to each piece.

    There are up to `at_once` rows in a frame, and fewer if they are long: to sort them takes four times their bytes.
    """
    held: list[pl.DataFrame] = []
    for path in track(tables, f"index: reading tables ({section})", total=len(tables)):
        for rows in TablePieces(path, columns, min(at_once, READ_ROWS), where):
            full = sum(one.height for one in held) + rows.height > at_once
            large = 4 * sum(one.estimated_size() for one in (*held, rows)) > at_once * ROW_BYTES
            if held and (full or large):
                yield pl.concat(held)
                held = []
            held.append(rows)
    if held:
        yield pl.concat(held)


def _starts(tables: Sequence[Path], columns: list[str | pl.Expr], where: pl.Expr | None) -> pl.Series:
    """Returns the first keys of all pieces but the first, from a sample of the rows."""
    every = (TablePieces(path, [columns[0]], READ_ROWS, where) for path in tables)
    step = max(SAMPLED, -(-sum(pieces.height for pieces in every) // MOST_SAMPLED))
    found: list[str] = []
    for path in tables:
        for rows in TablePieces(path, [columns[0]], READ_ROWS, where):
            # Python's strings are copies. Series of them would keep the text of all rows that were read.
            found += rows["key"].gather_every(step).to_list()
    keys = pl.Series("key", found, pl.String).sort()
    return keys.gather_every(max(1, ROWS_PER_PIECE // step))[1:].unique().sort()


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


@dataclass(frozen=True)
class UrlIndex:
    """An index that is looked into; only its directory is in memory."""

    path: Path
    directory: pl.DataFrame

    @classmethod
    def open(cls, path: Path) -> "UrlIndex":
        """Opens an index.

        Raises:
            StageFileError: the file is missing, damaged or of another version.
        """
        try:
            with path.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
                file.seek(max(0, size - _FOOTER.size))
                footer = file.read()
                if len(footer) < _FOOTER.size or not footer.startswith(MAGIC):
                    raise _again(path, "not an index of URLs, or cut short")
                _, version, offset, length, stored = _FOOTER.unpack(footer)
                if version != VERSION:
                    raise _again(path, f"an index of version {version}, not {VERSION}")
                data = _read(path, file, offset, length, stored)
        except FileNotFoundError:
            raise StageFileError(f"{path}: no such file; run `corpusprep index` first") from None
        return cls(path, pl.read_parquet(io.BytesIO(data)))

    def around(self, key: str, neighbours: int) -> pl.DataFrame:
        """Returns the rows with a key, and up to so many on each side, by key: key, url, batch, record."""
        rows = self._pieces(_URLS, key, key)
        start = int(rows["key"].search_sorted(key, "left"))
        end = int(rows["key"].search_sorted(key, "right"))
        return rows[max(0, start - neighbours) : end + neighbours]

    def beginning(self, prefix: str, limit: int) -> pl.DataFrame:
        """Returns the first rows whose keys begin with a prefix, such as `host_key` gives, up to `limit`."""
        rows = self._pieces(_URLS, prefix, prefix)
        found = rows[int(rows["key"].search_sorted(prefix, "left")) :]
        last = prefix
        while len(found) < limit and found.height and found["key"][-1].startswith(prefix) and found["key"][-1] != last:
            last = found["key"][-1]
            more = self._pieces(_URLS, last, last + "\U0010ffff", after=last)
            found = pl.concat([found, more])
        return found.filter(pl.col("key").str.starts_with(prefix)).head(limit)

    def documents(self, document_id: str) -> pl.DataFrame:
        """Returns the rows of a document: key, batch, record."""
        return self._pieces(_IDS, document_id, document_id).filter(key=document_id)

    def _pieces(self, section: str, first: str, last: str, after: str | None = None) -> pl.DataFrame:
        """Returns the rows of the pieces that may have keys from `first` to `last`, in order.

        With `after`, only of the next piece that begins behind that key.
        """
        listed = self.directory.filter(section=section)
        if after is not None:
            listed = listed.filter(pl.col("first") > after).head(1)
        else:
            firsts = listed["first"]
            start = max(0, int(firsts.search_sorted(first, "left")) - 1) if len(firsts) else 0
            listed = listed[start : int(firsts.search_sorted(last, "right")) if len(firsts) else 0]
        found = [_ROWS[section].to_frame()]
        with self.path.open("rb") as file:
            for offset, length, stored in listed.select("offset", "length", "checksum").iter_rows():
                found.append(pl.read_parquet(io.BytesIO(_read(self.path, file, offset, length, stored))))
        return pl.concat(found)


def _read(path: Path, file: BinaryIO, offset: int, length: int, stored: int) -> bytes:
    """Reads a part of the file and compares its checksum."""
    file.seek(offset)
    data = file.read(length)
    if len(data) < length or checksum(data) != stored:
        raise _again(path, "damaged (a checksum is wrong)")
    return data


def _again(path: Path, what: str) -> StageFileError:
    return StageFileError(f"{path}: {what}; remove it and run `corpusprep index` again")
