"""Finds records of a corpus by URL, document identifier or place in an archive.

The index (inspection.url_index) answers for URLs and identifiers. A corpus that is not finished has none: then
the tables of all its batches are read.
"""

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from corpusprep.archive.batches import Batch, read_batches
from corpusprep.errors import CorpusprepError, StageFileError
from corpusprep.inspection.url_index import UrlIndex, url_key, with_keys
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import reading

#: Addresses that an error names.
NEAREST = 5
#: Records of a file that its name alone stands for.
MOST_OF_FILE = 20
#: Neighbours in the order of the index, on each side, among which the nearest addresses are.
NEIGHBOURS = 50

_DOCUMENT_ID = re.compile("[0-9a-f]{16}")
#: An offset or the number of a record. Python refuses to read numbers of over 4,300 digits.
_NUMBER = re.compile("[0-9]{1,18}")
#: What an argument has in place of a byte that is no UTF-8. Tables have U+FFFD there (archive.heads).
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotFoundError(CorpusprepError):
    """The corpus has no such record.

    Attributes:
        nearest: addresses of the corpus that are most like the one wanted, best first; empty if none was wanted.
    """

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


@dataclass(frozen=True, slots=True, order=True)
class RecordKey:
    """The key of a record's rows in the tables of the stages."""

    batch: str
    record: int


def is_document_id(wanted: str) -> bool:
    """Returns whether a user's words have the form of a document's identifier."""
    return _DOCUMENT_ID.fullmatch(wanted.strip()) is not None


def find(corpus_dir: Path, wanted: str) -> list[RecordKey]:
    """Returns the records that a user's words name.

    Args:
        corpus_dir: the folder of the corpus.
        wanted: a URL, with or without `http://`; a document identifier; `archive:offset` or `archive:record-id`,
            where the archive is a path or the name of a file; or `batch:record`, the key of the stages' tables; or a
            local file with few records, by its path, the end of its path, or a `file:` address.

    Raises:
        NotFoundError: there is none; names the nearest addresses.
        StageFileError: the corpus is not there, or a file of it is damaged or of another version.
    """
    batches = batches_of(corpus_dir)
    wanted = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", wanted.strip())
    if is_document_id(wanted):
        return [document(corpus_dir, wanted)]
    name, _, number = wanted.rpartition(":")
    if _NUMBER.fullmatch(number) and any(batch.name == name for batch in batches):
        return [_numbered(corpus_dir, name, int(number))]
    if (placed := _in_archive(corpus_dir, batches, wanted)) is not None:
        return placed
    exact = "://" in wanted
    key = url_key(wanted if exact else f"http://{wanted}")
    near: list[pl.DataFrame] = []
    matches: list[pl.DataFrame] = []
    for rows in _url_rows(corpus_dir, key):
        same = rows.filter(pl.col("key") == key)
        matches.append(same.filter(pl.col("url") == wanted) if exact else same)
        near.append(rows)
    keys = pl.concat(matches).select("batch", "record") if matches else pl.DataFrame()
    if keys.height:
        return [RecordKey(*row) for row in keys.iter_rows()]
    if of_file := _of_files(corpus_dir, batches, wanted):
        return of_file
    nearest = _nearest(wanted, pl.concat(near)) if near else []
    listed = f"; the nearest: {', '.join(nearest)}" if nearest else ""
    raise NotFoundError(f"{corpus_dir}: no record of {wanted}{listed}", nearest)


def document(corpus_dir: Path, document_id: str) -> RecordKey:
    """Returns the record of a document.

    Raises:
        NotFoundError: the corpus has no document with that identifier.
        StageFileError: a file is missing, damaged or of another version.
    """
    index = _index(corpus_dir)
    if index is not None:
        rows = index.documents(document_id)
    else:
        rows = pl.concat(
            [
                rows_where(path, ("batch", "record"), pl.col("id") == document_id)
                for path in _existing(corpus_dir, "tokens")
            ]
            or [pl.DataFrame(schema={"batch": pl.String, "record": pl.UInt32})]
        )
    if not rows.height:
        raise NotFoundError(f"{corpus_dir}: no document with the identifier {document_id}")
    return RecordKey(*rows.select("batch", "record").row(0))


def _numbered(corpus_dir: Path, batch: str, record: int) -> RecordKey:
    if not rows_where(BatchFiles.of(corpus_dir, batch).encoding, ("record",), pl.col("record") == record).height:
        raise NotFoundError(f"{corpus_dir}: batch {batch} has no record {record}")
    return RecordKey(batch, record)


def batches_of(corpus_dir: Path) -> list[Batch]:
    """Returns the batches of a corpus.

    Raises:
        StageFileError: there is no corpus in the folder.
    """
    plan = corpus_file(corpus_dir, "plan")
    if not plan.exists():
        raise StageFileError(
            f"{corpus_dir}: no corpus here ({plan.name} is missing); give a folder such as results/news"
        )
    return read_batches(plan)


def rows_where(path: Path, columns: Iterable[str], where: pl.Expr) -> pl.DataFrame:
    """Returns the rows of a table that fulfil a condition.

    Raises:
        StageFileError: the table is missing, damaged or of another version, which has other columns.
    """
    with reading(path):
        return pl.scan_parquet(path, glob=False).filter(where).select(*columns).collect()


def _index(corpus_dir: Path) -> UrlIndex | None:
    path = corpus_file(corpus_dir, "urls")
    return UrlIndex.open(path) if path.exists() else None


def _existing(corpus_dir: Path, name: str) -> list[Path]:
    paths = [getattr(BatchFiles.of(corpus_dir, batch.name), name) for batch in batches_of(corpus_dir)]
    existing = [path for path in paths if path.exists()]
    if len(existing) < len(paths) and name == "encoding":
        raise StageFileError(
            f"{corpus_dir}: half built: {len(paths) - len(existing)} of {len(paths)} batches were not read"
        )
    return existing


def _url_rows(corpus_dir: Path, key: str) -> Iterator[pl.DataFrame]:
    """Yields rows (key, url, batch, record) near a key, in its order: all that have the key are among them."""
    index = _index(corpus_dir)
    if index is not None:
        yield index.around(key, NEIGHBOURS)
        return
    for path in _existing(corpus_dir, "encoding"):
        with reading(path):
            rows = with_keys(pl.scan_parquet(path, glob=False)).collect().sort("key", "url", "record")
        start = int(rows["key"].search_sorted(key, "left"))
        end = int(rows["key"].search_sorted(key, "right"))
        yield rows[max(0, start - NEIGHBOURS) : end + NEIGHBOURS]


def _nearest(wanted: str, rows: pl.DataFrame) -> list[str]:
    """Returns the addresses that are most like the one wanted."""
    matcher = difflib.SequenceMatcher(b=wanted, autojunk=False)

    def likeness(url: str) -> float:
        matcher.set_seq1(url)
        return matcher.ratio()

    urls = rows["url"].unique(maintain_order=True).to_list()
    return sorted(urls, key=lambda url: (-likeness(url[:500]), url))[:NEAREST]


def _of_files(corpus_dir: Path, batches: Sequence[Batch], wanted: str) -> list[RecordKey]:
    """Returns the records of the local files that the words name, such as HTML files; none of files with many."""
    name = re.sub("^file:(?://(?=/))?", "", wanted, flags=re.IGNORECASE)
    if "://" in name:
        return []
    names = {name, unquote(name)}
    keys: list[RecordKey] = []
    for batch in batches:
        for archive in batch.archives:
            path = os.path.normpath(archive)
            if not any(
                f"/{path}".endswith(f"/{named.removeprefix('./')}") or os.path.realpath(path) == os.path.realpath(named)
                for named in names
                if named
            ):
                continue
            table = BatchFiles.of(corpus_dir, batch.name).encoding
            rows = rows_where(table, ("batch", "record"), pl.col("archive") == str(archive))
            keys += [RecordKey(*row) for row in rows.iter_rows()] if rows.height <= MOST_OF_FILE else []
    return keys


def _in_archive(corpus_dir: Path, batches: Sequence[Batch], wanted: str) -> list[RecordKey] | None:
    """Returns the records at `archive:offset` or with `archive:record-id`; None if the words name no archive."""
    for batch in batches:
        for archive in batch.archives:
            for name in (str(archive), archive.name):
                if not wanted.startswith(f"{name}:"):
                    continue
                place = wanted[len(name) + 1 :]
                is_offset = _NUMBER.fullmatch(place)
                where = pl.col("offset") == int(place) if is_offset else pl.col("record_id") == place
                table = BatchFiles.of(corpus_dir, batch.name).encoding
                rows = rows_where(table, ("batch", "record"), (pl.col("archive") == str(archive)) & where)
                if rows.height:
                    return [RecordKey(*row) for row in rows.iter_rows()]
                raise NotFoundError(
                    f"{archive}: no record {'starts at byte' if is_offset else 'has the identifier'} {place};"
                    " give an offset or a WARC-Record-ID, as in the table encoding/"
                )
    return None
