"""Decodes the members of a gzip file one after another, each as a whole, and verifies them (RFC 1952).

A member with an error is only reported: `tolerant_reader` finds out what is wrong and which bytes can be read.
"""

from collections.abc import Callable
from enum import Enum
from typing import cast

from isal import isal_zlib

_GZIP = 31  # windowBits of zlib: a gzip header and trailer, and their checksums
_WINDOW = 1 << 18  # bytes of the file held at a time
_STEP = 1 << 15  # bytes given to the decoder at once; it copies those after the member's end
_MAGIC = b"\x1f\x8b\x08"
_HEADER = 10
_DAMAGED = cast("type[Exception]", isal_zlib.error)  # its stubs say that it is an exception, not a class
_PLAIN_FLAGS = 4 | 8 | 16  # extra bytes, a name, a comment


class MemberOutcome(Enum):
    """The state of the next member."""

    WHOLE = "whole"  # decoded; its checksum and length are right
    TOO_LONG = "too long"  # decodes to more than the limit
    UNSOUND = "unsound"  # damaged, cut short, not gzip, or of a kind that no tool writes into archives


class GzipMembers:
    """The members of a gzip file, one in memory at a time.

    Attributes:
        offset: where the member begins in the file.
        end: where it ends. Both are `start` at first, and have no meaning after a member that is not whole.
        data: its decoded bytes.
    """

    __slots__ = ("_held", "_held_from", "_limit", "_read", "data", "end", "offset")

    def __init__(self, read: Callable[[int, int], bytes], start: int, limit: int) -> None:
        """Prepares to read from `start` on.

        Args:
            read: returns a number of bytes of the file from an offset on, or fewer at its end.
            start: offset of the first member.
            limit: the most decoded bytes of a member.
        """
        self.offset = self.end = start
        self.data = b""
        self._read, self._limit = read, limit
        self._held = memoryview(b"")
        self._held_from = start

    def next(self) -> MemberOutcome:
        """Decodes the member that begins at `end`. Raises what `read` raises."""
        self.offset, self.data = self.end, b""
        header = self._input(self.end, _HEADER)
        if len(header) < _HEADER or header[:3] != _MAGIC or header[3] & ~_PLAIN_FLAGS:
            return MemberOutcome.UNSOUND
        decoder = isal_zlib.decompressobj(_GZIP)
        pieces = []
        left = self._limit + 1
        while not decoder.eof:
            compressed = self._input(self.end)
            try:
                piece = decoder.decompress(compressed, left)
            except _DAMAGED:
                return MemberOutcome.UNSOUND
            if not compressed and not piece:
                return MemberOutcome.UNSOUND
            self.end += len(compressed) - len(decoder.unused_data if decoder.eof else decoder.unconsumed_tail)
            left -= len(piece)
            if left <= 0:
                return MemberOutcome.TOO_LONG
            pieces.append(piece)
        self.data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        return MemberOutcome.WHOLE

    def _input(self, offset: int, least: int = 1) -> memoryview:
        """Returns bytes of the file from `offset` on: at least `least`, or fewer at its end."""
        place = offset - self._held_from
        if not 0 <= place <= len(self._held) - least:
            self._held = memoryview(self._read(offset, _WINDOW))
            self._held_from, place = offset, 0
        return self._held[place : place + _STEP]
