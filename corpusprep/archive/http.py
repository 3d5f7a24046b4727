"""Reads the HTTP message of a response record: header, transfer encoding, body (RFC 9110, RFC 9112).

Reading is lenient, as in browsers: archives contain what servers sent, and what crawlers changed.
"""

import contextlib
import functools
import re
from dataclasses import dataclass

from corpusprep.archive import content_encodings
from corpusprep.archive.content_encodings import BodyError

#: Most bytes of a header. Browsers accept a quarter of it.
HEADER_LIMIT = 1 << 20
_MOST_INTERIM = 8  # headers before the final one, which included
_STATUS_LINE = re.compile(rb"\s{0,64}HTTP/?[0-9.]{0,8}[ \t]+([0-9]{1,3})(?![0-9])", re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\n\r*\n")
#: The fields that are read, folded lines (RFC 7230, 3.2.4) included.
_FIELD = re.compile(
    rb"^(content-(?:type|encoding|length)|transfer-encoding)[ \t]*:[ \t]*([^\r\n]*(?:\r*\n[ \t]+[^\r\n]*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_MEDIA_TYPE = re.compile(r"[^\s;,]*")
#: Only a quotation mark divides white space in two: two runs of it side by side take quadratic time.
_CHARSET = re.compile(r"""charset\s*=\s*(?:["']\s*)?([^\s"';,]+)""", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,18}")
_CHUNK_HEAD = re.compile(rb"[ \t]{0,64}([0-9A-Fa-f]{1,16})[ \t]{0,64}(?:;[^\r\n]{0,1024})?\r?\n")


@dataclass(slots=True, frozen=True)
class Message:
    """The header of a response; `body_start` is where the body begins in the record's content."""

    status: int
    content_type: str  # media type in lower case, "" if none is declared
    charset: str | None  # the label as declared
    content_encodings: tuple[str, ...]  # in lower case, in the order they were applied
    transfer_encodings: tuple[str, ...]
    body_start: int
    length: int = 0  # of the body as transferred, as declared; 0 if there is no readable length


def parse(content: bytes) -> Message | None:
    """Reads the header of an HTTP response; returns None if there is no status line, or if the header has no end.

    Bare line feeds, a missing reason phrase, folded and malformed lines are accepted. The header ends with the first
    blank line, or before a line that begins with `<`, which is markup. Headers before the final one are skipped: of
    interim responses (1xx), and of a proxy that opened a connection.
    """
    start = 0
    for _ in range(_MOST_INTERIM):
        message = _message(content, start)
        if message is None:
            return None
        start = message.body_start
        interim = message.status < 200 or not message.content_type
        if not interim or _STATUS_LINE.match(content, start) is None:
            break
    return message


def _message(content: bytes, start: int) -> Message | None:
    status_line = _STATUS_LINE.match(content, start)
    if status_line is None:
        return None
    blank = _BLANK_LINE.search(content, status_line.end(), start + HEADER_LIMIT)
    header_end = blank.end() if blank else min(len(content), start + HEADER_LIMIT)
    markup = content.find(b"\n<", status_line.end(), header_end)
    if markup >= 0:
        header_end = markup + 1
    elif blank is None and header_end < len(content):
        return None
    content_type, length, encodings, transfers = "", 0, [], []
    for field in _FIELD.finditer(content, status_line.end(), header_end):
        value = field[2].decode("latin-1").strip()
        name = field[1].lower()
        if name == b"content-type":
            content_type = value or content_type
        elif name == b"content-length":
            length = int(value) if _LENGTH.fullmatch(value) else 0
        elif name == b"content-encoding":
            encodings += _names(value)
        else:
            transfers += _names(value)
    media_type, charset = declared(content_type)
    return Message(
        status=int(status_line[1]),
        content_type=media_type,
        charset=charset,
        content_encodings=tuple(encodings),
        transfer_encodings=tuple(transfers),
        body_start=header_end,
        length=length,
    )


@functools.lru_cache(maxsize=1024)
def declared(content_type: str) -> tuple[str, str | None]:
    """Returns the media type (in lower case) and the charset (as written) of a Content-Type value."""
    charset = _CHARSET.search(content_type)
    media_type = _MEDIA_TYPE.match(content_type)
    return media_type[0].lower() if media_type else "", charset[1] if charset else None


def body(content: bytes, message: Message, max_bytes: int) -> tuple[bytes, bool]:
    """Returns the decoded body of the response in `content`, and whether it is only the beginning of the body.

    A body that ends before its declared length, its last chunk, or the end of its compressed data is kept as far as it
    goes, as browsers show it.

    Args:
        content: header and body as received.
        message: its header, the result of `parse`.
        max_bytes: the most bytes of the body, transferred or decoded.

    Raises:
        BodyError: `bad_transfer`, `unknown_compression`, `bad_compression` or `too_large`.
    """
    data = content[message.body_start :]
    truncated = False
    codings = [name.partition(";")[0].rstrip() for name in message.transfer_encodings]
    if "chunked" in codings:
        # Some servers apply it twice, and some only declare it twice.
        for _ in range(min(codings.count("chunked"), 2)):
            data, cut = dechunk(data)
            truncated |= cut
        codings = [name for name in codings if name != "chunked"]
    elif (joined := _undeclared_chunks(data)) is not None:
        data = joined
    else:
        truncated = len(data) < message.length
    if len(data) > max_bytes:
        raise BodyError("too_large")
    data, cut = content_encodings.decode(data, [*message.content_encodings, *codings], max_bytes)
    return data, truncated or cut


def _undeclared_chunks(data: bytes) -> bytes | None:
    """Returns the joined chunks of a body that is not declared as chunked, if any: some crawlers drop the field."""
    if starts_chunk(data):
        with contextlib.suppress(BodyError):
            joined, cut = dechunk(data)
            # A text may begin with a line "0", which is also the last chunk: nothing may stand behind that one.
            if not cut and (joined or not data.partition(b"\n")[2].strip()):
                return joined
    return None


def starts_chunk(data: bytes) -> bool:
    """Returns whether data begin like a chunk; markup does not."""
    return data[:1].isalnum() and _CHUNK_HEAD.match(data) is not None


def dechunk(data: bytes) -> tuple[bytes, bool]:
    """Joins the chunks of a chunked body; returns `data` itself if it is evidently not chunked.

    Some crawlers store the joined chunks but keep the header that announces chunks. Trailer fields and bytes after the
    last chunk are dropped.

    Returns:
        The joined chunks, and whether they are cut: the last chunk is missing, or one has no readable size.

    Raises:
        BodyError: `bad_transfer`: they are cut before the first byte.
    """
    head = _CHUNK_HEAD.match(data, 2 if data.startswith(b"\r\n") else 0)
    if head is None:
        return data, False
    chunks = bytearray()
    while head is not None:
        size, start = int(head[1], 16), head.end()
        if size == 0:
            return bytes(chunks), False
        end = start + size
        chunks += data[start:end]
        end += data.startswith(b"\r", end)
        if not data.startswith(b"\n", end):
            break
        head = _CHUNK_HEAD.match(data, end + 1)
    if not chunks:
        raise BodyError("bad_transfer")
    return bytes(chunks), True


def _names(value: str) -> list[str]:
    return [name.strip().strip("\"'").lower() for name in value.split(",")]
