"""Reads the lines of a text file, plain or compressed, each with its place in the stored bytes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from corpusprep.archive.stored_streams import StoredFile, open_stream


class StoredLine(NamedTuple):
    """A line.

    Attributes:
        offset: where it begins in the file, in stored bytes; in a compressed file by the progress of decoding.
        end: where it ends; the next line begins there.
        data: without its line break; None if it is longer than the limit, or cannot be decoded.
        damaged: it cannot be decoded; it is the last one.
    """

    offset: int
    end: int
    data: bytes | None
    damaged: bool = False


def lines(stored: StoredFile, limit: int, alone: re.Pattern[bytes] | None = None) -> Iterator[StoredLine]:
    """Yields the lines of a file that have more than white space; the last one ends with the file.

    Empty lines belong to the line after them. One piece of the file and one line are in memory at a time.

    Args:
        stored: the file; gzip members and Zstandard frames are decoded.
        limit: the most bytes of a line.
        alone: matches whole lines (re.MULTILINE). With it, other lines that follow each other may come as one, with
            line breaks and empty lines in it: to take a token at a time takes several times as long.
    """
    waiting: StoredLine | None = None
    for line in _lines(stored, limit, alone):
        if waiting is not None:
            yield waiting
        waiting = line
    if waiting is not None:
        yield waiting._replace(end=stored.size)


def _lines(stored: StoredFile, limit: int, alone: re.Pattern[bytes] | None) -> Iterator[StoredLine]:
    accounted, position = 0, 0
    rest = bytearray()  # of the line that is not at its end; bytes would be copied with each piece
    too_long = False
    broken = False
    while position < stored.size and not broken:
        stream = open_stream(stored, position)
        while piece := stream.read():
            *ends, begin = piece.split(b"\n") if alone is None or len(piece) > limit else _parted(piece, alone)
            ahead = len(piece)
            for line_end in ends:
                ahead -= len(line_end) + 1  # the line break
                line = line_end
                if rest:
                    rest += line_end
                    line, rest = bytes(rest), bytearray()
                if too_long or line.strip():
                    end = stream.position if stream.compressed else stream.position - ahead
                    yield StoredLine(accounted, end, None if too_long or len(line) > limit else line)
                    accounted = end
                too_long = False
            rest += begin
            if len(rest) > limit:
                rest, too_long = bytearray(), True
        broken = stream.broken
        position = max(stream.position, position + 1)
    if broken:
        yield StoredLine(accounted, stored.size, None, damaged=True)
    elif too_long or rest.strip():
        yield StoredLine(accounted, stored.size, None if too_long else bytes(rest))


def _parted(piece: bytes, alone: re.Pattern[bytes]) -> Iterator[bytes]:
    """Yields the end of the line that a piece begins with, lines and runs of lines, and the begin of its last line."""
    first, last = piece.find(b"\n") + 1, piece.rfind(b"\n") + 1
    if first:
        yield piece[: first - 1]
    while first < last:
        line = alone.search(piece, first, last - 1)
        begin, end = line.span() if line else (last, last)
        if begin > first:
            run = piece[first : begin - 1]
            full = run.find(b"\n", len(run.rstrip()))
            yield from [run] if full < 0 else [run[:full], run[full + 1 :]]  # empty lines belong to the next line
        if line:
            yield piece[begin:end]
        first = end + 1
    yield piece[last:]
