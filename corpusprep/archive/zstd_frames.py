"""Splits a Zstandard frame into pieces that decode to 128 KiB at most (RFC 8878, 3.1.1).

The readers of the library either read past the end of a frame without an error, or decode the whole input at once:
a small hostile input can decode to gigabytes.
"""

from collections.abc import Callable, Iterator

MAGIC = b"\x28\xb5\x2f\xfd"
#: A skippable frame has a magic number of 0x184D2A50 to 0x184D2A5F, then four bytes of length.
SKIPPABLE_MAGIC = b"\x2a\x4d\x18"
#: The most bytes of a block of a frame, compressed or not (RFC 8878, 3.1.1.2.4).
BLOCK_LIMIT = 128 << 10
_RESERVED_BIT = 0x08
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)
_RLE, _RESERVED = 1, 3


class BrokenFrameError(ValueError):
    """The bytes are not a complete frame."""


def frame_pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yields the header, each block and the checksum of one frame, in order, to be decoded one after another.

    Args:
        read: returns the next n bytes of the frame, or fewer at the end of the input.

    Raises:
        BrokenFrameError: the bytes are not a frame, or the frame is cut short.
    """

    def exactly(count: int) -> bytes:
        data = read(count)
        if len(data) < count:
            raise BrokenFrameError("the frame is cut short")
        return data

    start = exactly(len(MAGIC) + 1)
    descriptor = start[-1]
    if not start.startswith(MAGIC) or descriptor & _RESERVED_BIT:
        raise BrokenFrameError("not a frame")
    single_segment = bool(descriptor & 0x20)
    content_size = _CONTENT_SIZE_BYTES[descriptor >> 6] or int(single_segment)
    window = 0 if single_segment else 1
    yield start + exactly(window + _DICTIONARY_BYTES[descriptor & 3] + content_size)
    last = False
    while not last:
        block = exactly(3)
        header = int.from_bytes(block, "little")
        last, kind, size = bool(header & 1), header >> 1 & 3, header >> 3
        if kind == _RESERVED or size > BLOCK_LIMIT:
            raise BrokenFrameError("not a block of a frame")
        yield block + exactly(1 if kind == _RLE else size)
    if descriptor & 0x04:
        yield exactly(4)
