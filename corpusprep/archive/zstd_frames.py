"""The pieces of a Zstandard frame, so that a frame ends where it ends and a piece decodes to 128 KiB at most.

RFC 8878, 3.1.1. The library's own readers either read past the end of a frame without a word or
decode all of an input at once, which a small hostile input can make gigabytes.
"""

from collections.abc import Callable, Iterator

MAGIC = b"\x28\xb5\x2f\xfd"
#: A skippable frame has a magic number of 0x184D2A50 to 0x184D2A5F, then four bytes of length.
SKIPPABLE_MAGIC = b"\x2a\x4d\x18"
#: No block of a frame, compressed or not, is longer (RFC 8878, 3.1.1.2.4).
BLOCK_LIMIT = 128 << 10
_RESERVED_BIT = 0x08
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)
_RLE, _RESERVED = 1, 3


class BrokenFrameError(ValueError):
    """The bytes are not a whole frame."""


def frame_pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The header, each block and the checksum of one frame, in order; decode them one after the other.

    Args:
        read: gives the next n bytes of the frame, or fewer where there are no more.

    Raises:
        BrokenFrameError: the bytes are no frame, or it breaks off.
    """

    def exactly(count: int) -> bytes:
        data = read(count)
        if len(data) < count:
            raise BrokenFrameError("the frame breaks off")
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
            raise BrokenFrameError("no block")
        yield block + exactly(1 if kind == _RLE else size)
    if descriptor & 0x04:
        yield exactly(4)
