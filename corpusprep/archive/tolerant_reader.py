"""Reads the records of any archive, whole or damaged. Every byte of the file belongs to one stretch.

Bytes that cannot be read become a damaged stretch. Reading resumes with the next record that can be found: the next
gzip member or Zstandard frame that begins with a record's head, or the next head in what is already decoded. Time is
linear in the size of the file, whatever it contains.

A record whose length is wrong by a few bytes, or by as many as converted line ends explain, is mended: its content is
all up to the next head, or up to the end of the stream.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpusprep.archive.heads import START_LIMIT, WARC_HEADER_LIMIT, Head, find_start, read_head, starts_record
from corpusprep.archive.stored_streams import COMPRESSED_START, StoredFile, Stream, decoded_start, open_stream

#: Bytes returned of a content that is over the limit.
LONG_CONTENT = 64 << 10
_HEAD_STEPS = (4 << 10, 64 << 10, WARC_HEADER_LIMIT)
_COMPACT = 1 << 20
_SEARCH = 256 << 10  # bytes searched for a head at once
_LINE_BREAKS = re.compile(rb"[\r\n]*")
#: Most bytes by which the length of a record may be wrong without a reason, line breaks after the record included.
_SLACK = 16
_SEPARATORS = {1: re.compile(rb"(?:\r?\n)?\Z"), 2: re.compile(rb"(?:\r?\n){0,2}\Z")}
#: Bytes read a second time, for members that begin inside broken ones or inside plain bytes: this number plus four
#: times the file size.
_SECOND_LOOK = 256 << 20


@dataclass(slots=True)
class Stretch:
    """A record as stored, or bytes that contain no readable record.

    Attributes:
        offset: where it begins in the file.
        length: bytes of the file, up to the next stretch.
        head: what the record says of itself; None if no head could be read.
        content: the bytes that the head announces, or their beginning if there are more than the limit; None if the
            record is damaged.
        mended: the declared length was wrong. `head` has the right one.
    """

    offset: int
    length: int
    head: Head | None
    content: bytes | None
    mended: bool = False


class _Decoded:
    """The decoded bytes of a stream from `cursor` on; a stream is joined to the next only on request."""

    def __init__(self, stored: StoredFile, offset: int) -> None:
        self.stored = stored
        self.open(open_stream(stored, offset))

    def open(self, stream: Stream) -> None:
        """Drops the decoded bytes and goes on with `stream`."""
        self.stream = stream
        self.buffer = bytearray()
        self.cursor = 0
        self._stream_begin = 0

    @property
    def available(self) -> int:
        """Bytes that are available without further decoding."""
        return len(self.buffer) - self.cursor

    def fill(self, count: int, join: bool = False) -> bool:
        """Makes `count` bytes available. Returns False if the stream (with `join`, also those after it) has fewer."""
        if self.cursor > _COMPACT and self.cursor > len(self.buffer) // 2:
            del self.buffer[: self.cursor]
            self._stream_begin -= self.cursor
            self.cursor = 0
        while self.available < count:
            piece = self.stream.read()
            self.buffer += piece
            if not piece and not (join and self._join()):
                return False
        return True

    def position(self) -> int:
        """Returns the cursor's offset in the file: exact, or inside a member the number of its bytes used so far."""
        stream = self.stream
        if not stream.compressed or (stream.ended and not self.available):
            return stream.position - self.available
        return stream.start if self.cursor <= self._stream_begin else stream.position

    def _join(self) -> bool:
        """Appends the next member unless it begins with a record: some tools start members anywhere."""
        if not self.stream.compressed or not self.stream.ended:
            return False
        following = open_stream(self.stored, self.stream.position)
        if not following.compressed:
            return False
        start = bytearray()
        while len(start) < START_LIMIT and (piece := following.read()):
            start += piece
        if starts_record(start) or (following.broken and not start):
            return False
        self.stream = following
        self._stream_begin = len(self.buffer)
        self.buffer += start
        return True


def _after_line_breaks(data: bytearray, position: int) -> int:
    breaks = _LINE_BREAKS.match(data, position)
    return breaks.end() if breaks else position


class _RecordReader:
    def __init__(self, stored: StoredFile, start: int, content_limit: int) -> None:
        self._stored = stored
        self._decoded = _Decoded(stored, start)
        self._accounted = start  # the bytes before it belong to stretches already returned
        self._limit = content_limit
        self._is_arc: bool | None = None
        self._second_look = _SECOND_LOOK + 4 * stored.size

    def stretches(self) -> Iterator[Stretch]:
        """Yields all stretches, in order."""
        while self._skip_blank():
            yield self._next_stretch()
        if self._accounted < self._stored.size:
            yield self._stretch(None)

    def _skip_blank(self) -> bool:
        """Moves to the next byte that is not a line break, in this stream or a later one. Returns False at the end."""
        decoded = self._decoded
        while True:
            while decoded.fill(1):
                decoded.cursor = _after_line_breaks(decoded.buffer, decoded.cursor)
                if decoded.available:
                    return True
            if decoded.stream.broken:
                return True
            if decoded.stream.position >= self._stored.size:
                return False
            decoded.open(open_stream(self._stored, decoded.stream.position))

    def _next_stretch(self) -> Stretch:
        decoded = self._decoded
        head = self._head()
        if head is None and not decoded.stream.compressed and self._open_member(decoded.cursor):
            head = self._head()
        if head is None or head.length is None:
            decoded.cursor += min(1, decoded.available)
            self._find_record()
            return self._stretch(head)
        self._is_arc = head.is_arc
        decoded.cursor += head.size
        line_breaks = 1 if head.is_arc else 2
        content = self._content(head.length, line_breaks)
        mended = False
        if content is None and head.length <= self._limit:
            content = self._mended_content(head.length, line_breaks)
            mended = content is not None
        if content is None:
            self._find_record()
            return self._stretch(head)
        self._skip_blank()
        return self._stretch(replace(head, length=len(content)) if mended else head, content, mended)

    def _head(self) -> Head | None:
        decoded = self._decoded
        for join in (False, True):
            for step in _HEAD_STEPS:
                enough = decoded.fill(step, join)
                head = read_head(decoded.buffer, decoded.cursor)
                if head is not None:
                    return head
                if not enough:
                    break
        return None

    def _content(self, length: int, line_breaks: int) -> bytes | None:
        """Moves the cursor past a content of `length` bytes and returns it, or its beginning if it is over the limit.

        Returns None if the content is cut short, or if what follows shows that its length is wrong; the cursor is then
        somewhere inside the content. At least `line_breaks` line breaks stand between two records.
        """
        decoded = self._decoded
        if length > self._limit:
            return self._long_content(length, line_breaks)
        if not decoded.fill(length, join=True):
            return None
        followed = self._followed(length, line_breaks)
        begin, end = decoded.cursor, decoded.cursor + length
        if followed is None:
            followed = find_start(decoded.buffer, begin, end, self._is_arc) < 0
        if not followed:
            return None
        decoded.cursor = end
        return bytes(decoded.buffer[begin:end])

    def _mended_content(self, length: int, line_breaks: int) -> bytes | None:
        """Moves the cursor past a content whose declared length is wrong, and returns it.

        Returns None, and leaves the cursor, if the length is wrong by more than _SLACK bytes and by more than one byte
        per line: checkouts and editors convert line ends, which makes a content shorter or longer by its lines.
        """
        decoded = self._decoded
        # A content in which all line ends were lengthened has at most twice its bytes.
        more = decoded.fill(2 * length + START_LIMIT, join=True)
        begin = decoded.cursor
        end = find_start(
            decoded.buffer, begin, min(begin + 2 * length + START_LIMIT, len(decoded.buffer)), self._is_arc
        )
        if end < 0:
            if more or decoded.stream.broken:
                return None
            end = len(decoded.buffer)
        separator = _SEPARATORS[line_breaks].search(decoded.buffer, begin, end)
        content = bytes(decoded.buffer[begin : separator.start() if separator else end])
        pairs = content.count(b"\r\n")
        converted = content.count(b"\n") if not pairs else 0
        if not -max(converted, _SLACK) <= end - begin - length <= max(pairs, _SLACK) + len(b"\r\n") * line_breaks:
            return None
        decoded.cursor = end
        return content

    def _long_content(self, length: int, line_breaks: int) -> bytes | None:
        """Does the same for a content over the limit. Any head inside it counts as the head of the next record."""
        decoded = self._decoded
        beginning = None
        while length:
            decoded.fill(min(self._limit, length) + START_LIMIT, join=True)
            step = min(self._limit, length, decoded.available)
            seen = decoded.cursor + min(step + START_LIMIT, length, decoded.available)
            if not step or find_start(decoded.buffer, decoded.cursor, seen, self._is_arc) >= 0:
                return None
            if beginning is None:
                beginning = bytes(decoded.buffer[decoded.cursor : decoded.cursor + min(step, LONG_CONTENT)])
            decoded.cursor += step
            length -= step
        return None if self._followed(0, line_breaks) is False else beginning

    def _followed(self, ahead: int, line_breaks: int) -> bool | None:
        """Tells if a record ends `ahead` bytes after the cursor: True if the next record or the end follows.

        Returns False if not, and None if something else follows after the line breaks: then the content decides.
        """
        decoded = self._decoded
        decoded.fill(ahead + START_LIMIT)
        end = decoded.cursor + ahead
        following = _after_line_breaks(decoded.buffer, end)
        if following == len(decoded.buffer):
            return not decoded.stream.broken
        if starts_record(decoded.buffer, following):
            return True
        return None if decoded.buffer.count(b"\n", end, following) >= line_breaks else False

    def _find_record(self) -> None:
        """Moves to the next head from the cursor on, or to the end of the file."""
        decoded = self._decoded
        while True:
            if self._find_in_stream():
                return
            stream = decoded.stream
            if stream.broken:
                # It may contain the beginnings of later streams.
                again = stream.start + 1
                self._second_look -= stream.position - again
                offset = again if self._second_look >= 0 else max(again, stream.position)
                decoded.open(Stream(self._stored, offset))
            elif stream.position >= self._stored.size:
                decoded.cursor = len(decoded.buffer)
                return
            else:
                decoded.open(open_stream(self._stored, stream.position))
                decoded.fill(START_LIMIT)
                if starts_record(decoded.buffer):
                    return

    def _find_in_stream(self) -> bool:
        """Moves to the next head in the stream; in a plain stream also to a member that begins with a head."""
        decoded = self._decoded
        window = START_LIMIT
        while True:
            window = min(2 * window, _SEARCH)
            more = decoded.fill(window)
            end = len(decoded.buffer)
            start = find_start(decoded.buffer, decoded.cursor, end, self._is_arc)
            if not decoded.stream.compressed:
                before = end if start < 0 else start
                members = COMPRESSED_START.finditer(decoded.buffer, decoded.cursor, before)
                if any(self._open_member(member.start()) for member in members):
                    return True
            if start >= 0:
                decoded.cursor = start
                return True
            if not more:
                decoded.cursor = end
                return False
            decoded.cursor = end - START_LIMIT

    def _open_member(self, place: int) -> bool:
        """Goes on with the member or frame at a place of the plain buffer, if it begins with a record."""
        decoded = self._decoded
        ahead = len(decoded.buffer) - place
        offset = decoded.stream.position - ahead
        if ahead > self._second_look or COMPRESSED_START.match(decoded.buffer, place) is None:
            return False
        if not starts_record(decoded_start(self._stored, offset)):
            return False
        self._second_look -= ahead
        decoded.open(open_stream(self._stored, offset))
        return True

    def _stretch(self, head: Head | None, content: bytes | None = None, mended: bool = False) -> Stretch:
        """Returns a stretch of all bytes up to the cursor that belong to none yet."""
        offset = self._accounted
        self._accounted = max(offset, self._decoded.position())
        return Stretch(offset, self._accounted - offset, head, content, mended)


def read_stretches(stored: StoredFile, start: int, content_limit: int) -> Iterator[Stretch]:
    """Reads the stretches of an archive from offset `start` on; their lengths sum to the rest of the file.

    Args:
        stored: the archive.
        start: offset where a record, or the file, begins.
        content_limit: the most bytes of a content that are kept in memory.
    """
    return _RecordReader(stored, start, content_limit).stretches()
