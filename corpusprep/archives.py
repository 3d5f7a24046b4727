"""Web archives as records: WARC and ARC, plain, gzip or Zstandard, whole or damaged (ISO 28500; ARC 1 and 2).

Clean gzip WARC, which is what crawls are, goes through FastWARC; from the first sign of trouble on, and for
every other kind, `record_reader` reads. Both give the same records.
"""

import contextlib
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from fastwarc.stream_io import GzipReader
from fastwarc.warc import ArchiveIterator, WarcRecord

from corpusprep import http
from corpusprep.content_encodings import BodyError
from corpusprep.record_heads import Head, head_of_fields
from corpusprep.record_reader import LONG_CONTENT, Block, read_blocks
from corpusprep.segments import GZIP_MAGIC, StoredFile

MAX_BYTES = 20_000_000
#: What a record's content may have beside a body of `max_bytes`.
_HEADER_ALLOWANCE = 1 << 20
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#\\]*@)?(\[[^\]/?#\\]*\]|[^/?#\\:]*)", re.IGNORECASE)


@dataclass(slots=True, frozen=True)
class Record:
    """One record of an archive, or a stretch of it that no record could be read from.

    Attributes:
        number: ordinal in the archive, from 0.
        offset: where it begins in the archive file, in bytes as stored. Records in one gzip member or
            Zstandard frame share its bytes as far as decoding had come; elsewhere it is exact.
        length: bytes as stored, with line breaks after the record; over an archive they sum to the size
            of its file.
        record_type: warcinfo, response, request, … as declared, in lower case; in an ARC warcinfo for its
            description and response for all else; "" where no head could be read.
        url: without control characters, "" if there is none.
        date: of the capture, as "YYYY-MM-DDThh:mm:ssZ" in UTC; "" if there is none that can be read.
        status: of the HTTP response, 0 if there is none.
        content_type: media type of the HTTP response in lower case, as declared, "" if there is none.
        charset: label declared in its HTTP header.
        body: of the HTTP response, decoded; b"" if `verdict` is not None.
        body_bytes: its length.
        verdict: None, or the one of verdicts.RECORD_REASONS why there is no body.
    """

    number: int
    offset: int
    length: int
    record_type: str
    url: str
    date: str
    status: int = 0
    content_type: str = ""
    charset: str | None = None
    body: bytes = b""
    body_bytes: int = 0
    verdict: str | None = None


def records(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[Record]:
    """The records of the archive at `path`, in order; one content is in memory at a time.

    A record that is no HTTP response has the verdict `record_type`: requests, metadata and the like, but
    also responses to dns: or ftp: URLs, unless they hold an HTTP message. Where nothing can be read, up to
    the next record that can be found, there is a record with the verdict `damaged`; so for the whole of a
    file that is no archive.

    Damage to a gzip member or Zstandard frame shows at its end at the latest, in its checksum. Where each
    record has its own, as is the rule, no damaged body is given; where many share one, those between the
    damage and the place where decoding fails may be.

    Args:
        path: a WARC or ARC file, its kind told by its content.
        max_bytes: a longer body, as transferred or decoded, gets the verdict `too_large`.

    Raises:
        ArchiveError: the file cannot be opened or read.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        for number, block in enumerate(_blocks(stored, max_bytes + _HEADER_ALLOWANCE)):
            yield _record(number, block, max_bytes)


def host(url: str) -> str:
    """The host of `url` in lower case, without user, port and final dot; "" if it has none."""
    match = _HOST.match(url.strip())
    return match[1].lower().rstrip(".") if match else ""


def _record(number: int, block: Block, max_bytes: int) -> Record:
    head, content = block.head, block.content
    if head is None:
        return Record(number, block.offset, block.length, "", "", "", verdict="damaged")
    message: http.Message | None = None
    body, verdict = b"", None
    if content is None:
        verdict = "damaged"
    elif not _is_response(head, content):
        verdict = "record_type"
    elif (message := http.parse(content)) is None:
        verdict = "bad_http"
    elif len(content) < (head.length or 0):
        verdict = "too_large"
    else:
        try:
            body = http.body(content, message, max_bytes)
        except BodyError as error:
            verdict = error.verdict
    return Record(
        number,
        block.offset,
        block.length,
        head.record_type,
        head.url,
        head.date,
        message.status if message else 0,
        message.content_type if message else "",
        message.charset if message else None,
        body,
        len(body),
        verdict,
    )


def _is_response(head: Head, content: bytes) -> bool:
    return head.record_type == "response" and (
        head.content_type.startswith("application/http")
        or content.startswith(b"HTTP/")
        or (not head.content_type and head.url[:8].lower().startswith(("http://", "https://")))
    )


def _blocks(stored: StoredFile, content_limit: int) -> Iterator[Block]:
    start = 0
    if stored.at(0, len(GZIP_MAGIC)) == GZIP_MAGIC:
        start = yield from _clean_blocks(stored, content_limit)
    yield from read_blocks(stored, start, content_limit)


def _clean_blocks(stored: StoredFile, content_limit: int) -> Generator[Block, None, int]:
    """The blocks of a gzip WARC for as long as each record is a member of its own and all is well.

    A block is given when the record after it has been found where it should be: FastWARC 2 verifies a
    member's checksum as it goes on to the next, and ends without a word on a file that is cut short. It
    also reads on into the next member where a length is wrong, so the member is looked at, too.

    Returns:
        The offset from which the other reader must go on.
    """
    held: Block | None = None
    resume = 0
    try:
        members = GzipReader(str(stored.path))
        for record in ArchiveIterator(members, parse_http=False):
            offset = members.frame_start_position()
            if offset is None or (offset <= held.offset if held else offset):
                break
            if held:
                held.length = offset - held.offset
                yield held
                held = None
                resume = offset
            head = _clean_head(record)
            content = None
            if head and head.length is not None:
                content = record.reader.read(head.length if head.length <= content_limit else LONG_CONTENT)
                record.reader.consume()
            if content is None or members.frame_start_position() != offset:
                break
            held = Block(offset, 0, head, content)
    except Exception:  # whatever a hostile file makes it raise: the other reader says what is wrong
        pass
    return held.offset if held else resume


def _clean_head(record: WarcRecord) -> Head | None:
    """The head of a record, None unless FastWARC and the header itself agree on what it is."""
    fields = {name.lower(): value for name, value in reversed(record.headers.to_tuples())}
    head = head_of_fields(fields, 0)
    return head if head.length == record.content_length and head.record_type else None
