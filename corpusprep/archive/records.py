"""Web archives as records: WARC and ARC, plain, gzip or Zstandard, whole or damaged (ISO 28500; ARC 1 and 2).

Crawls are WARC files with one gzip member per record. A fast reader (this module and `gzip_members`) reads them as
long as no error occurs. From the first error on, and for all other files, `tolerant_reader` reads. Both give the same
records.

The fast reader takes half the CPU time of the tolerant one, even if that also decoded with isal (which it cannot:
it must copy decoders). Mean of 6 pairs, CPU time: a crawl of 4,463 records and 22 MB 0.18 s and 0.37 s (0.51 s with
zlib); one of 621 records and 6 MB 0.04 s and 0.09 s (0.13 s). Archives are read by `encoding` and by `boilerplate`.
"""

import contextlib
import itertools
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpusprep._native.record_heads import http_head, warc_head
from corpusprep.archive import http, plain_text
from corpusprep.archive.content_encodings import BodyError
from corpusprep.archive.gzip_members import GzipMembers, MemberOutcome
from corpusprep.archive.heads import (
    WARC_HEADER_LIMIT,
    Head,
    clean_record_id,
    find_start,
    iso_date,
    read_head,
    starts_record,
)
from corpusprep.archive.rights import header_rights
from corpusprep.archive.stored_streams import COMPRESSED_START, GZIP_MAGIC, GzipMember, StoredFile, decoded_start
from corpusprep.archive.tolerant_reader import LONG_CONTENT, Stretch, read_stretches

MAX_BYTES = 20_000_000
#: Bytes that a record's content may have in addition to a body of `max_bytes`.
_HEADER_ALLOWANCE = 1 << 20
#: Bytes after a place in which it is seen whether a record begins there.
_START_LIMIT = 1 << 10
#: Types of records, beside responses, that may hold what stands at an address.
_BODIES = frozenset({"resource", "conversion"})
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#\\]*@)?(\[[^\]/?#\\]*\]|[^/?#\\:]*)", re.IGNORECASE)


@dataclass(slots=True)  # not frozen: that takes three times as long to make
class Record:
    """One record of an archive, or a stretch of it that contains no readable record.

    Attributes:
        number: ordinal in the archive, from 0.
        offset: where it begins in the archive file, in stored bytes. Records that share a gzip member or Zstandard
            frame divide its bytes by the progress of decoding; otherwise the offset is exact.
        length: stored bytes, including line breaks after the record; the lengths of an archive sum to its file size.
        record_type: warcinfo, response, request, … as declared, in lower case; in an ARC file warcinfo for its
            description and response for all others; "" if no head could be read.
        url: without control characters; "" if there is none.
        date: of the capture, as "YYYY-MM-DDThh:mm:ssZ" in UTC; "" if there is no readable date.
        status: of the HTTP response, 0 if there is none.
        content_type: media type of the HTTP response, or of a content without an HTTP header, in lower case, as
            declared; "" if there is none.
        charset: the label declared with it.
        body: of the HTTP response, decoded, or the content; b"" if `verdict` is not None.
        body_bytes: its length.
        verdict: None, or the reason (verdicts.RECORD_REASONS) why there is no body.
        record_id: its WARC-Record-ID without angle brackets; "" if it has none, as in ARC files.
        rights: marks of rights in the header of the HTTP response (archive.rights); "" if there are none.
        mended: its declared length was wrong by a few bytes, or by as many as converted line ends explain. Its content
            is what stands before the next record.
        truncated: its body is only the beginning of the page: the archive says so (WARC-Truncated, segments), or it
            ends before its declared length, its last chunk or the end of its compressed data.
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
    record_id: str = ""
    mended: bool = False
    rights: str = ""
    truncated: bool = False


def records(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[Record]:
    """Reads the records of the archive at `path`, in order; one content is in memory at a time.

    Texts in `conversion` records (WET files) are pages whose blocks are their lines. The content of other `resource`
    and `conversion` records with an address of the Web, and of what was received by FTP, is a body without an HTTP
    header. Other records that are not HTTP responses have the verdict `record_type`: requests, metadata, responses to
    dns: URLs, further segments of a record (`continuation`) and similar. Bytes that cannot be read, up to the next
    readable record, are one record with the verdict `damaged`. A file that is no archive is one such record.

    Damage to a gzip member or Zstandard frame is detected at its end at the latest, by its checksum. If each record has
    its own member, which is usual, no damaged body is returned. If many records share a member, bodies between the
    damage and the place where decoding fails may be damaged.

    Args:
        path: a WARC or ARC file; its content tells its kind.
        max_bytes: a longer body, as transferred or decoded, gets the verdict `too_large`.

    Raises:
        ArchiveError: the file cannot be opened or read.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        yield from stored_records(stored, max_bytes)


def records_from(path: Path, start: int, max_bytes: int = MAX_BYTES) -> Iterator[Record]:
    """Reads records as `records` does, from the one that begins at `start` on; their numbers begin at 0.

    Raises:
        ArchiveError: the file cannot be opened or read.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        yield from stored_records(stored, max_bytes, start)


def first_record(path: Path, start: int, end: int) -> int | None:
    """Returns the first offset from `start` to before `end` at which a record begins that can be read by itself.

    That is a record of an uncompressed archive, or one at the beginning of a gzip member or Zstandard frame. Returns
    None if there is none.

    Raises:
        ArchiveError: the file cannot be opened or read.
    """
    with contextlib.closing(StoredFile(path)) as stored:
        data = stored.at(start, end - start + _START_LIMIT)
        if COMPRESSED_START.match(stored.at(0, _START_LIMIT)) is None:
            offset = find_start(data, 0, len(data), None)
            return start + offset if 0 <= offset < end - start else None
        for match in COMPRESSED_START.finditer(data):
            if match.start() < end - start and starts_record(decoded_start(stored, start + match.start())):
                return start + match.start()
    return None


def host(url: str) -> str:
    """Returns the host of `url` in lower case, without user, port and final dot; "" if it has none."""
    match = _HOST.match(url.strip())
    return match[1].lower().rstrip(".") if match else ""


def _record(number: int, stretch: Stretch, max_bytes: int) -> Record:
    head, content = stretch.head, stretch.content
    if head is None:
        return Record(number, stretch.offset, stretch.length, "", "", "", verdict="damaged")
    message: http.Message | None = None
    body, verdict = b"", None
    truncated = head.truncated
    if content is None:
        verdict = "damaged"
    elif _is_text(head):
        return _text(number, stretch, head, content, max_bytes)
    elif _is_body(head, content):
        return _bare(number, stretch, head, content, max_bytes)
    elif not _is_response(head, content):
        verdict = "record_type"
    elif (message := http.parse(content)) is None:
        verdict = "bad_http"
    elif len(content) < (head.length or 0):
        verdict = "too_large"
    else:
        try:
            body, cut = http.body(content, message, max_bytes)
            truncated |= cut
        except BodyError as error:
            verdict = error.verdict
    return Record(
        number,
        stretch.offset,
        stretch.length,
        head.record_type,
        head.url,
        head.date,
        message.status if message else 0,
        message.content_type if message else "",
        message.charset if message else None,
        body,
        len(body),
        verdict,
        head.record_id,
        stretch.mended,
        header_rights(content[: message.body_start]) if message and content else "",
        truncated,
    )


def _is_text(head: Head) -> bool:
    """Returns whether a record is a text that was extracted from a page, as in WET files."""
    return head.record_type == plain_text.RECORD_TYPE and head.content_type.startswith(plain_text.MEDIA_TYPE)


def _text(number: int, stretch: Stretch, head: Head, content: bytes, max_bytes: int) -> Record:
    """Returns the record of an extracted text."""
    body, verdict = b"", "too_large"
    if len(content) >= (head.length or 0):
        body = plain_text.page_of_record(content, head.content_type)
        verdict = "too_large" if len(body) > max_bytes else "" if content.strip() else "empty"
    return Record(
        number,
        stretch.offset,
        stretch.length,
        head.record_type,
        head.url,
        head.date,
        content_type=plain_text.MEDIA_TYPE,
        charset=plain_text.CHARSET,
        body=b"" if verdict else body,
        body_bytes=0 if verdict else len(body),
        verdict=verdict or None,
        record_id=head.record_id,
        mended=stretch.mended,
        truncated=head.truncated,
    )


def _is_body(head: Head, content: bytes) -> bool:
    """Returns whether the content of a record is what stands at its address, without an HTTP header.

    Other resources are about the crawl: logs (metadata:), screenshots and texts of other records (urn:).
    """
    if head.record_type == "response":
        return head.url[:4].lower() == "ftp:" and not _is_response(head, content)
    if head.content_type.startswith("application/http"):
        return False
    return head.record_type in _BODIES and head.url.lower().startswith(("http:", "https:", "ftp:", "file:"))


def _bare(number: int, stretch: Stretch, head: Head, content: bytes, max_bytes: int) -> Record:
    """Returns the record of a body without an HTTP header."""
    media_type, charset = http.declared(head.content_type)
    too_large = len(content) < (head.length or 0) or len(content) > max_bytes
    return Record(
        number,
        stretch.offset,
        stretch.length,
        head.record_type,
        head.url,
        head.date,
        content_type=media_type,
        charset=charset,
        body=b"" if too_large else content,
        body_bytes=0 if too_large else len(content),
        verdict="too_large" if too_large else None,
        record_id=head.record_id,
        mended=stretch.mended,
        truncated=head.truncated,
    )


def _is_response(head: Head, content: bytes) -> bool:
    return head.record_type == "response" and (
        head.content_type.startswith("application/http")
        or content.startswith(b"HTTP/")
        or (not head.content_type and head.url[:8].lower().startswith(("http://", "https://")))
    )


def stored_records(stored: StoredFile, max_bytes: int, start: int = 0) -> Iterator[Record]:
    """Reads the records of an open archive, as `records` does, from the one that begins at `start` on."""
    numbers = itertools.count()
    while stored.at(start, len(GZIP_MAGIC)) == GZIP_MAGIC:
        start, too_long = yield from _clean_records(stored, start, numbers, max_bytes)
        if too_long is None:
            break
        # Only the tolerant reader takes records of any length. The fast one continues after such a member.
        for stretch in read_stretches(stored, start, max_bytes + _HEADER_ALLOWANCE):
            yield _record(next(numbers), stretch, max_bytes)
            start = stretch.offset + stretch.length
            if stretch.offset == too_long and stretch.content is not None and start == _member_end(stored, too_long):
                break
        else:
            return
    for stretch in read_stretches(stored, start, max_bytes + _HEADER_ALLOWANCE):
        yield _record(next(numbers), stretch, max_bytes)


def _member_end(stored: StoredFile, start: int) -> int:
    member = GzipMember(stored, start)
    while member.read():
        pass
    return member.position


def _clean_records(
    stored: StoredFile, start: int, numbers: Iterator[int], max_bytes: int
) -> Generator[Record, None, tuple[int, int | None]]:
    """Reads the records of a gzip WARC from `start` on, as long as each has its own member and no error occurs.

    A record is returned when the next one has been found in its place: a member without a record belongs to the record
    before it.

    Returns:
        The offset from which the tolerant reader must go on; and the offset of a member that is too long, if that is
        the reason.
    """
    content_limit = max_bytes + _HEADER_ALLOWANCE
    members = GzipMembers(stored.at, start, content_limit + WARC_HEADER_LIMIT)
    waiting: Callable[[int, int], Record] | None = None
    waiting_offset = start
    while members.end < stored.size:
        outcome = members.next()
        clean = _clean_record(members, content_limit, max_bytes) if outcome is MemberOutcome.WHOLE else None
        if clean is None:
            return (
                waiting_offset if waiting else members.offset,
                members.offset if outcome is MemberOutcome.TOO_LONG else None,
            )
        if waiting:
            yield waiting(next(numbers), members.offset - waiting_offset)
        waiting, waiting_offset = clean, members.offset
    if waiting:
        yield waiting(next(numbers), stored.size - waiting_offset)
    return stored.size, None


def _clean_record(members: GzipMembers, content_limit: int, max_bytes: int) -> Callable[[int, int], Record] | None:
    """Returns a function of number and length that makes the member's record; None if the member is not one record."""
    offset, data, fields = members.offset, members.data, warc_head(members.data)
    truncated = False
    if fields is not None:
        record_type, url, date, is_plain, content_type, length, size, record_id = fields
        record_id = clean_record_id(record_id)
        if not is_plain:
            date = iso_date(date)
        record_type = record_type.lower()
    else:
        read = read_head(data[:WARC_HEADER_LIMIT], 0)
        if read is None or read.length is None or read.is_arc or not read.record_type:
            return None
        length, size = read.length, read.size
        record_type, url, date, content_type = read.record_type, read.url, read.date, read.content_type
        record_id, truncated = read.record_id, read.truncated
    end = size + length
    if end > len(data) or data[end:].strip(b"\r\n"):
        return None
    whole_response = record_type == "response" and length <= content_limit and not truncated
    message = http_head(data, size, end) if whole_response else None
    is_plain_body = message is not None and not http.starts_chunk(data[size + message[2] : size + message[2] + 64])
    if message is not None and is_plain_body and end - size - message[2] <= max_bytes:
        status, declared, head_size = message
        media_type, charset = http.declared(declared)
        body = data[size + head_size : end]

        def plain(number: int, stored_length: int) -> Record:
            return Record(
                number,
                offset,
                stored_length,
                record_type,
                url,
                date,
                status,
                media_type,
                charset,
                body,
                len(body),
                record_id=record_id,
                rights=header_rights(data[size : size + head_size]),
            )

        return plain
    head = Head(record_type, url, date, content_type.lower(), length, size, False, record_id, truncated)
    content = data[size : end if length <= content_limit else size + LONG_CONTENT]
    return lambda number, stored_length: _record(number, Stretch(offset, stored_length, head, content), max_bytes)
