"""Reading the records of any archive, whole or damaged: every byte of the file belongs to one block.

Where something is wrong, what cannot be read becomes a damaged block, and reading resumes with the next
record that can be found: the next gzip member or Zstandard frame that begins with a record's head, or the
next head in what is already decoded. Work is linear in the size of the file, whatever is in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpusprep.archive.heads import START_LIMIT, WARC_HEADER_LIMIT, Head, find_start, read_head, starts_record
from corpusprep.archive.stored_streams import COMPRESSED_START, Segment, StoredFile, open_segment, taste

#: What is given of a content over the limit, in bytes.
LONG_CONTENT = 64 << 10
_HEAD_STEPS = (4 << 10, 64 << 10, WARC_HEADER_LIMIT)
_COMPACT = 1 << 20
_SEARCH = 256 << 10  # bytes looked through at once for a head
_LINE_BREAKS = re.compile(rb"[\r\n]*")
#: Bytes looked at again for members that begin inside broken ones: this many, and four times the file's.
_SECOND_LOOK = 256 << 20


@dataclass(slots=True)
class Block:
    """A record as stored, or bytes that none could be read from.

    Attributes:
        offset: where it begins in the file.
        length: bytes of the file, up to the next block.
        head: what it says of itself, None if no head could be read.
        content: what the head announces, or its beginning if that is over the limit; None if the record
            is damaged.
    """

    offset: int
    length: int
    head: Head | None
    content: bytes | None


class _Decoded:
    """The decoded bytes of a segment from `cursor` on; a segment is joined to the next only on demand."""

    def __init__(self, stored: StoredFile, offset: int) -> None:
        self.stored = stored
        self.open(open_segment(stored, offset))

    def open(self, segment: Segment) -> None:
        """Leaves what it had for `segment`."""
        self.segment = segment
        self.buffer = bytearray()
        self.cursor = 0
        self._segment_begin = 0

    @property
    def available(self) -> int:
        """Bytes that can be had without decoding."""
        return len(self.buffer) - self.cursor

    def fill(self, count: int, join: bool = False) -> bool:
        """Makes `count` bytes available; False if the segment, or with `join` those after it, have fewer."""
        if self.cursor > _COMPACT and self.cursor > len(self.buffer) // 2:
            del self.buffer[: self.cursor]
            self._segment_begin -= self.cursor
            self.cursor = 0
        while self.available < count:
            piece = self.segment.read()
            self.buffer += piece
            if not piece and not (join and self._join()):
                return False
        return True

    def position(self) -> int:
        """The cursor's offset in the file: exact, or in the midst of a member what of it has been used."""
        segment = self.segment
        if not segment.compressed or (segment.ended and not self.available):
            return segment.position - self.available
        return segment.start if self.cursor <= self._segment_begin else segment.position

    def _join(self) -> bool:
        """Goes on to the next member if it does not begin with a record: some tools cut members anywhere."""
        if not self.segment.compressed or not self.segment.ended:
            return False
        following = open_segment(self.stored, self.segment.position)
        if not following.compressed:
            return False
        start = bytearray()
        while len(start) < START_LIMIT and (piece := following.read()):
            start += piece
        if starts_record(start) or (following.broken and not start):
            return False
        self.segment = following
        self._segment_begin = len(self.buffer)
        self.buffer += start
        return True


def _after_line_breaks(data: bytearray, position: int) -> int:
    breaks = _LINE_BREAKS.match(data, position)
    return breaks.end() if breaks else position


class _RecordReader:
    def __init__(self, stored: StoredFile, start: int, content_limit: int) -> None:
        self._stored = stored
        self._decoded = _Decoded(stored, start)
        self._accounted = start  # the bytes of the file before it belong to blocks already given
        self._limit = content_limit
        self._is_arc: bool | None = None
        self._second_look = _SECOND_LOOK + 4 * stored.size

    def blocks(self) -> Iterator[Block]:
        """All blocks, in order."""
        while self._skip_blank():
            yield self._next_block()
        if self._accounted < self._stored.size:
            yield self._block(None)

    def _skip_blank(self) -> bool:
        """Moves to the next byte that is no line break, in this segment or those after; False at the end."""
        decoded = self._decoded
        while True:
            while decoded.fill(1):
                decoded.cursor = _after_line_breaks(decoded.buffer, decoded.cursor)
                if decoded.available:
                    return True
            if decoded.segment.broken:
                return True
            if decoded.segment.position >= self._stored.size:
                return False
            decoded.open(open_segment(self._stored, decoded.segment.position))

    def _next_block(self) -> Block:
        decoded = self._decoded
        head = self._head()
        if head is None or head.length is None:
            decoded.cursor += min(1, decoded.available)
            self._find_record()
            return self._block(head)
        self._is_arc = head.is_arc
        decoded.cursor += head.size
        content = self._content(head.length, line_breaks=1 if head.is_arc else 2)
        if content is None:
            self._find_record()
            return self._block(head)
        self._skip_blank()
        return self._block(head, content)

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
        """Moves the cursor past a content of `length` bytes and gives it, or its beginning if it is too long.

        None if it is short, or what follows belies its length; the cursor is then somewhere in it.
        `line_breaks` stand between a record and the next, at least.
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

    def _long_content(self, length: int, line_breaks: int) -> bytes | None:
        """The same for a content that is not to be held: any head in it counts as that of the next record."""
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
        """Whether a record ends `ahead` of the cursor: True if the next or the end follows, False if not.

        None if something else follows after the line breaks: then the content decides.
        """
        decoded = self._decoded
        decoded.fill(ahead + START_LIMIT)
        end = decoded.cursor + ahead
        following = _after_line_breaks(decoded.buffer, end)
        if following == len(decoded.buffer):
            return not decoded.segment.broken
        if starts_record(decoded.buffer, following):
            return True
        return None if decoded.buffer.count(b"\n", end, following) >= line_breaks else False

    def _find_record(self) -> None:
        """Moves to the next head that can be found from the cursor on, or to the end of the file."""
        decoded = self._decoded
        while True:
            if self._find_in_segment():
                return
            segment = decoded.segment
            if segment.broken:
                # It may have swallowed the beginnings of those after it.
                again = segment.start + 1
                self._second_look -= segment.position - again
                offset = again if self._second_look >= 0 else max(again, segment.position)
                decoded.open(Segment(self._stored, offset))
            elif segment.position >= self._stored.size:
                decoded.cursor = len(decoded.buffer)
                return
            else:
                decoded.open(open_segment(self._stored, segment.position))
                decoded.fill(START_LIMIT)
                if starts_record(decoded.buffer):
                    return

    def _find_in_segment(self) -> bool:
        """Moves to the next head in the segment; in a plain one also to a member that begins with a head."""
        decoded = self._decoded
        window = START_LIMIT
        while True:
            window = min(2 * window, _SEARCH)
            more = decoded.fill(window)
            end = len(decoded.buffer)
            start = find_start(decoded.buffer, decoded.cursor, end, self._is_arc)
            if not decoded.segment.compressed:
                before = end if start < 0 else start
                for member in COMPRESSED_START.finditer(decoded.buffer, decoded.cursor, before):
                    offset = decoded.segment.position - end + member.start()
                    if starts_record(taste(self._stored, offset)):
                        decoded.open(open_segment(self._stored, offset))
                        return True
            if start >= 0:
                decoded.cursor = start
                return True
            if not more:
                decoded.cursor = end
                return False
            decoded.cursor = end - START_LIMIT

    def _block(self, head: Head | None, content: bytes | None = None) -> Block:
        """The block of all bytes of the file up to the cursor that belong to none yet."""
        offset = self._accounted
        self._accounted = max(offset, self._decoded.position())
        return Block(offset, self._accounted - offset, head, content)


def read_blocks(stored: StoredFile, start: int, content_limit: int) -> Iterator[Block]:
    """The blocks of an archive from offset `start` on; their lengths sum to the rest of the file.

    Args:
        stored: the archive.
        start: where a record, or the file, begins.
        content_limit: how much of a content is held and given, in bytes.
    """
    return _RecordReader(stored, start, content_limit).blocks()
