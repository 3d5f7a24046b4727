"""Reads texts with metadata: JSON lines and Parquet, in the columns of datatrove, HPLT and others.

What each field may be called, the first that is there counting:

* text: `text` (datatrove, HPLT, C4, this package), `content` (OSCAR), `raw_content` (RedPajama)
* address: `url`, `u` (HPLT), `warc-target-uri` (OSCAR), `source_url`
* crawl date: `date`, `ts` (HPLT), `timestamp` (C4), `warc-date` (OSCAR), `date_download`
* identifier: `id`, `record_id`, `warc-record-id`
* title: `title`

They may also stand in a mapping `metadata` or `warc_headers`. Other fields say something of the text (text_fields).
"""

import datetime
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corpusprep.archive import plain_text, text_fields
from corpusprep.archive.heads import clean_record_id, clean_url
from corpusprep.archive.records import Record
from corpusprep.archive.stored_lines import lines
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.errors import ArchiveError
from corpusprep.tables.parquet_sizes import DAMAGED_FOOTER, group_heights

if TYPE_CHECKING:
    import polars as pl

_T = TypeVar("_T")

TEXT = ("text", "content", "raw_content")
URL = ("url", "u", "warc-target-uri", "source_url")
DATE = ("date", "ts", "timestamp", "warc-date", "date_download")
ID = ("id", "record_id", "warc-record-id")
TITLE = ("title",)
#: Columns with a mapping that may hold these fields, too.
INNER = ("metadata", "warc_headers")
_TAKEN = frozenset({*TEXT, *URL, *DATE, *ID, *TITLE, *INNER})
#: Bytes of a line. Escapes make a text up to six times as long; metadata has any length.
_LINE_LIMIT = 200_000_000
#: A file of JSON lines is refused if none of the first so many lines has a text. (A single one may be damaged.)
_JUDGED = 100
#: The most rows that polars counts.
_MOST_ROWS = 2**32 - 1
#: Items of a list that are read.
_MOST_ITEMS = 50
#: Days since 1970 that Python's dates have: years 1 to 9999.
_FIRST_DAY, _LAST_DAY = ((day - datetime.date(1970, 1, 1)).days for day in (datetime.date.min, datetime.date.max))
_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_MOST = 2**63 - 1


def json_records(stored: StoredFile, max_bytes: int) -> Iterator[Record]:
    """Reads a file of JSON lines: one object with a text per line. A line that is none is `damaged`.

    Raises:
        ArchiveError: none of the first objects has a text, and no line is damaged.
    """
    without_text: str | None = ""
    for number, line in enumerate(lines(stored, _LINE_LIMIT)):
        place = (number, line.offset, line.end - line.offset)
        if line.data is None:
            without_text = None
            yield _record(*place, {}, max_bytes, "damaged" if line.damaged else "too_large")
            continue
        try:
            row = json.loads(line.data.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError):
            row = None
        if without_text is not None:
            if not isinstance(row, dict) or any(name in _flat(row) for name in TEXT):
                without_text = None
            else:
                without_text = without_text or _without_text(f"{stored.path}, line {number + 1}", row)
        if without_text and number + 1 >= _JUDGED:
            break
        if isinstance(row, dict):
            yield _record(*place, row, max_bytes)
        else:
            yield _record(*place, {}, max_bytes, "damaged")
    if without_text:
        raise ArchiveError(without_text)


def parquet_records(stored: StoredFile, max_bytes: int) -> Iterator[Record]:
    """Reads a Parquet file: one text per row. Rows divide the bytes of the file evenly.

    A row group that cannot be read is one record, which is `damaged`; so is a file without a directory. A row group is
    in memory at a time: polars decodes no part of one.

    Raises:
        ArchiveError: the file has no column of text, or cannot be read from its disk.
    """
    import polars as pl

    path = Path(stored.path)
    heights = _group_heights(path)
    table = pl.scan_parquet(path, glob=False)
    schema = _unless_damaged(path, table.collect_schema) if heights is not None else None
    if heights is None or schema is None:
        yield Record(0, 0, stored.size, "", "", "", verdict="damaged")
        return
    named = [name for name in TEXT if name in schema]
    if not named:
        raise ArchiveError(_without_text(str(path), schema))
    wrong = {name: schema[name] for name in named if not _may_be_text(schema[name])}
    if named[0] in wrong:
        column = f"{named[0]} ({wrong[named[0]]})"
        raise ArchiveError(f"{path}: the column {column} holds no text; rename it, or write it as strings")
    read = [name for name in schema if name not in wrong]
    columns = [_readable(pl.col(name), schema[name]).alias(name) for name in read]
    rows = sum(heights)
    numbers = itertools.count()
    first = 0
    for height in heights:
        group = _unless_damaged(path, table.slice(first, height).select(columns).collect)
        # polars may end without an error where a thread of it has failed.
        whole = group is not None and group.height == height
        for row in group.iter_rows(named=True) if group is not None and whole else [{}]:
            offset, first = stored.size * first // rows, first + (1 if whole else height)
            length = stored.size * first // rows - offset
            yield _record(next(numbers), offset, length, row, max_bytes, None if whole else "damaged")
    if not rows:
        yield Record(0, 0, stored.size, "", "", "", verdict="empty_archive")


def _group_heights(path: Path) -> list[int] | None:
    """Returns the rows of each row group that has any; None if the directory of the file is damaged."""
    try:
        heights = group_heights(path)
    except DAMAGED_FOOTER:
        return None
    return [height for height in heights if height] if sum(heights) <= _MOST_ROWS else None


def _unless_damaged(path: Path, read: Callable[[], _T]) -> _T | None:
    """Returns what polars reads of a file; None if the file is damaged.

    Raises:
        ArchiveError: the file cannot be read from its disk.
    """
    import polars as pl

    try:
        return read()
    except MemoryError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        if "os error" in str(error):
            reason = str(error).partition("\n")[0]
            raise ArchiveError(f"cannot read archive {path}: {reason}") from None
        return None


def _may_be_text(kind: "pl.DataType") -> bool:
    """Returns whether a column may hold text. Some writers do not mark their strings as UTF-8: they are binary."""
    import polars as pl

    return not (kind.is_numeric() or kind.is_nested() or kind.is_temporal() or kind == pl.Boolean)


def _readable(column: "pl.Expr", kind: "pl.DataType") -> "pl.Expr":
    """Returns a column of values that Python can hold, dates in UTC; others are null: durations, lists of lists."""
    import polars as pl

    if isinstance(kind, pl.Struct):
        kinds = {field.name: cast("pl.DataType", field.dtype) for field in kind.fields}
        inner = [_readable(column.struct.field(name), field_kind).alias(name) for name, field_kind in kinds.items()]
        return pl.when(column.is_not_null()).then(pl.struct(inner)) if inner else pl.lit(None)
    if isinstance(kind, pl.Date):
        return pl.when(column.to_physical().is_between(_FIRST_DAY, _LAST_DAY)).then(column)
    if isinstance(kind, pl.Datetime):
        scale = _PER_DAY[kind.time_unit]
        moment = column.to_physical()
        in_range = moment.is_between(max(_FIRST_DAY * scale, -_MOST), min((_LAST_DAY + 1) * scale - 1, _MOST))
        return pl.when(in_range).then(moment.cast(pl.Datetime(kind.time_unit)))
    if isinstance(kind, pl.List) and (kind.inner in (pl.String, pl.Boolean) or kind.inner.is_numeric()):
        return column.list.head(_MOST_ITEMS).cast(pl.List(pl.String), strict=False)
    return pl.lit(None) if kind.is_nested() or kind.is_temporal() else column


def _without_text(place: str, names: Mapping[str, Any]) -> str:
    columns = ", ".join(list(names)[:12]) or "nothing"
    return f"{place}: no text: has {columns}; name the field with the text {', '.join(TEXT[:-1])} or {TEXT[-1]}"


def _record(
    number: int, offset: int, length: int, row: Mapping[str, Any], max_bytes: int, verdict: str | None = None
) -> Record:
    """Returns a row as a record."""
    fields = _flat(row)
    text = _first({name: value for name in TEXT if isinstance(value := fields.get(name), str | bytes)}, TEXT)
    body = b""
    if verdict is None and not text.strip():
        verdict = "empty"
    if verdict is None:
        about = text_fields.said({name.lower(): value for name, value in fields.items()}, _TAKEN)
        body = plain_text.page_of_lines(text, _first(fields, TITLE), about)
        if len(body) > max_bytes:
            body, verdict = b"", "too_large"
    return Record(
        number,
        offset,
        length,
        plain_text.RECORD_TYPE,
        clean_url(_first(fields, URL)),
        text_fields.date_of(_first(fields, DATE)),
        content_type=plain_text.MEDIA_TYPE,
        charset=plain_text.CHARSET,
        body=body,
        body_bytes=len(body),
        verdict=verdict,
        record_id=clean_record_id(_first(fields, ID[1:] + ID[:1] if text_fields.is_ours(fields) else ID)),
    )


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a row and of the mappings in it; a mapping may be written as JSON."""
    fields = dict(row)
    for name in INNER:
        inner = row.get(name)
        if isinstance(inner, bytes):
            inner = inner.decode("utf-8", "replace")
        if isinstance(inner, str) and inner.startswith("{"):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                continue
        if isinstance(inner, Mapping):
            fields |= {str(key).lower(): value for key, value in inner.items() if str(key).lower() not in row}
    return fields


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Returns the first of these fields that has a value, as text."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, datetime.datetime):
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        if isinstance(value, str | int | float | datetime.date) and str(value).strip():
            return str(value)
    return ""
