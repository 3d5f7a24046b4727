"""Reads what a corpus is made of: each kind of input gives records. Its content tells its kind, never its name.

| kind | records |
|---|---|
| WARC, ARC | as they are (corpusprep.archive.records); texts in `conversion` records are pages |
| WACZ | the records of the archives in it |
| HTML file, MHTML | one page |
| text (`.txt`), e-mail | one text |
| JSON lines, Parquet | one text per line or row |
| vertical | one text per document |

Installed packages add kinds, which are tried last: entry points of the group `corpusprep.inputs` (InputKind).
"""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpusprep.archive import heads, html_files, local_files, text_tables, verticals, wacz
from corpusprep.archive.html_files import Addresses
from corpusprep.archive.records import MAX_BYTES, Record, stored_records
from corpusprep.archive.stored_streams import StoredFile, open_stream
from corpusprep.errors import ArchiveError
from corpusprep.io.plugins import Kind

PARQUET_MAGIC = b"PAR1"
#: Ends of the names of Web archives. A page under such a name is the error page of a failed download.
_ARCHIVE_NAMES = (".warc", ".arc", ".wet", ".wat", ".wacz")
_COMPRESSED_NAMES = (".gz", ".zst")
#: Ends of the names of files that are not complete.
_UNFINISHED_NAMES = (".part", ".open", ".partial", ".journal")
#: In folders there are also JSON files with settings: texts have these names.
_JSON_NAMES = (".jsonl", ".ndjson", ".json.gz", ".json.zst")
#: The folder of a corpus that was built has this file; what is in it was made from archives.
BUILT = "batches.tsv"
#: Decoded bytes that tell the kind; of what may be a vertical, also what is a document; of a message, its fields.
_START_BYTES, _LONG_START_BYTES = 4 << 10, 64 << 10


@dataclass(frozen=True, slots=True)
class InputKind:
    """A kind of input of an installed package.

    Attributes:
        recognises: whether a file is of the kind, from its path and its first decoded bytes.
        records: reads the records of a file in order; a longer body gets the verdict `too_large`.
    """

    recognises: Callable[[Path, bytes], bool]
    records: Callable[[StoredFile, int], Iterator[Record]]


INPUTS = Kind("corpusprep.inputs", "kind of input", {}, own="")


def kind(path: Path) -> str:
    """Returns what a file is: `archive`, `wacz`, `html`, `json`, `parquet`, `vertical`, `text`, `mhtml`, `email`, the
    name of a package's kind, or "" if it is none of them.

    Raises:
        ArchiveError: the file cannot be opened or read.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        return _kind(stored)


def is_named_archive(path: Path) -> bool:
    """Returns whether a file has the name of a Web archive."""
    return _bare_name(path).endswith(_ARCHIVE_NAMES)


def _bare_name(path: Path) -> str:
    """Returns the name of a file in lower case, without the end that says how it is compressed."""
    name = path.name.lower()
    for end in _COMPRESSED_NAMES:
        name = name.removesuffix(end)
    return name


def archives_in(folder: Path) -> list[Path]:
    """Returns the files of a folder, and of folders in it, that can be read, or have the name of a Web archive.

    Files and folders whose names begin with a full stop, unfinished files, and JSON files that are not named as lines
    (`.jsonl`, `.json.gz`) are left out, and so are folders of corpora that were built (with BUILT), the parts of saved
    pages (`NAME_files`), texts beside Web archives, which are lists or notes, and what a file system keeps for itself
    (`lost+found`). A link to nothing with the name of a Web archive is one of them.

    Raises:
        ArchiveError: a folder or file in it cannot be read.
    """
    archives = []
    for name, folders, files in os.walk(folder, onerror=_refuse):
        if BUILT in files:
            folders.clear()
            continue
        parts = local_files.parts_of_pages(folders, files)
        folders[:] = sorted(
            inner for inner in folders if not inner.startswith(".") and inner != "lost+found" and inner not in parts
        )
        beside = any(is_named_archive(Path(file)) for file in files)
        for file in sorted(files):
            path = Path(name, file)
            if not file.startswith(".") and not (beside and _bare_name(path).endswith(local_files.TEXT_NAMES)):
                archives += [path] if _is_meant(path) else []
    return archives


def _refuse(error: OSError) -> None:
    """Raises an error for a folder that cannot be read: os.walk would pass over it."""
    if not isinstance(error, FileNotFoundError):  # it has gone meanwhile
        raise ArchiveError(f"cannot read folder {error.filename}: {error.strerror}") from error


def _is_meant(path: Path) -> bool:
    """Returns whether a file of a folder is an archive."""
    name = path.name.lower()
    if name.endswith(_UNFINISHED_NAMES):
        return False
    if is_named_archive(path):
        return True
    try:
        if not path.is_file():
            return False
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error
    path_kind = kind(path)
    return bool(path_kind) and (
        path_kind != "json" or _bare_name(path).endswith(_JSON_NAMES[:2]) or name.endswith(_JSON_NAMES)
    )


def records(
    path: Path, max_bytes: int = MAX_BYTES, addresses: Addresses | None = None, documents: Collection[str] = ()
) -> Iterator[Record]:
    """Reads the records of an input, in order; one content is in memory at a time.

    A file of no known kind is read as a damaged archive.

    Args:
        path: of the input.
        max_bytes: a longer body gets the verdict `too_large`.
        addresses: rules for the addresses of HTML files.
        documents: names of the elements of verticals that are documents; without them, each file tells its own.

    Raises:
        ArchiveError: the file cannot be opened or read, or holds no texts.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        match _kind(stored, documents):
            case "wacz":
                yield from wacz.records(stored, lambda part: stored_records(part, max_bytes))
            case "parquet":
                yield from text_tables.parquet_records(stored, max_bytes)
            case "json":
                yield from text_tables.json_records(stored, max_bytes)
            case "vertical":
                chosen = _documents(stored, documents) if documents else frozenset[str]()
                media_type = verticals.media_type(documents if chosen else ())
                yield from verticals.records(stored, max_bytes, chosen or _documents(stored), media_type)
            case "text":
                yield from local_files.text_records(stored, max_bytes, addresses or Addresses())
            case "mhtml" | "email":
                yield from local_files.mail_records(stored, max_bytes, addresses or Addresses())
            case "html":
                yield from html_files.records(stored, max_bytes, addresses or Addresses())
            case "archive" | "":
                yield from stored_records(stored, max_bytes)
            case added:
                yield from INPUTS.load(added).records(stored, max_bytes)


def _kind(stored: StoredFile, documents: Collection[str] = ()) -> str:
    magic = stored.at(0, 4)
    if magic == wacz.MAGIC:
        return "wacz" if wacz.is_wacz(stored) else ""
    if magic == PARQUET_MAGIC:
        return "parquet"
    start = _decoded_start(stored)
    if heads.starts_record(start.lstrip(b"\r\n")):
        return "archive"
    if is_named_archive(stored.path):
        return ""
    bare = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if bare.startswith(b"{") and bare[1:64].lstrip().startswith(b'"'):
        return "json"
    if html_files.starts_page(start):
        return "html"
    if bare.startswith(b"<") and (_documents(stored) or (documents and _documents(stored, documents))):
        return "vertical"
    long_start = _decoded_start(stored, _LONG_START_BYTES) if local_files.starts_with_field(start) else b""
    if mail := local_files.mail_kind(long_start):
        return mail
    if local_files.is_text(_bare_name(stored.path), start):
        return "text"
    return next((name for name in INPUTS.names() if INPUTS.load(name).recognises(stored.path, start)), "")


def _documents(stored: StoredFile, chosen: Collection[str] = ()) -> frozenset[str]:
    """Returns the names of the elements that are documents; empty if the file is no vertical."""
    return verticals.document_names(_decoded_start(stored, _LONG_START_BYTES), chosen)


def _decoded_start(stored: StoredFile, size: int = _START_BYTES) -> bytes:
    """Returns the first decoded bytes of a file."""
    start, position = b"", 0
    while len(start) < size and position < stored.size:
        stream = open_stream(stored, position)
        while len(start) < size and (piece := stream.read()):
            start += piece
        if not stream.ended:
            break
        position = stream.position
    return start
