"""Undoing content encodings in bounded memory: gzip, deflate, br, zstd (RFC 9110, 8.4.1)."""

import io
import re
import zlib
from collections.abc import Callable, Iterator, Sequence

import brotli
import zstandard

from corpusprep.archive import zstd_frames

_GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP, _ZLIB, _RAW = 31, 15, -15
_WINDOW = 16 << 10  # input given to a decoder at once: what it leaves over is copied
_PIECE = 1 << 20  # output taken from a decoder at once
#: More gzip members or Zstandard frames in one body than any server sends; each costs time, however short.
_MEMBER_LIMIT = 1000
#: Names that stand in Content-Encoding in the wild and mean no compression.
_NO_COMPRESSION = frozenset({"", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8"})
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # not tab, line breaks, form feed, ESC (ISO 2022)
_TEXT_SAMPLE, _TEXT_MINIMUM = 1024, 64
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class BodyError(ValueError):
    """A body cannot be given; `verdict` is one of verdicts.RECORD_REASONS."""

    def __init__(self, verdict: str) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def decode(body: bytes, codings: Sequence[str], max_bytes: int) -> bytes:
    """The body as it was before `codings` were applied, in that order, to it.

    A body that is evidently not compressed (crawlers store decoded bodies under the header they were
    sent with) is given as it is. Bytes after the end of the compressed data are ignored, as browsers do.

    Args:
        body: the body as transferred.
        codings: names as declared, in lower case.
        max_bytes: what a body may decode to, at any step.

    Raises:
        BodyError: `unknown_compression`, `bad_compression` or `too_large`.
    """
    codings = [name for name in codings if name not in _NO_COMPRESSION]
    if any(name not in _DECODERS for name in codings):
        raise BodyError("unknown_compression")
    for name in reversed(codings):
        if body:
            body = _DECODERS[name](body, max_bytes)
    return body


def _gathered(pieces: Iterator[bytes], max_bytes: int) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            raise BodyError("too_large")
    return bytes(body)


def _inflated(data: bytes, wbits: int) -> Iterator[bytes]:
    """The decoded pieces of all gzip members of `data`, or of its one zlib or raw deflate stream."""
    view = memoryview(data)
    position = 0
    for _ in range(_MEMBER_LIMIT):
        decoder = zlib.decompressobj(wbits)
        while not decoder.eof:
            window = view[position : position + _WINDOW]
            piece = decoder.decompress(window, _PIECE)
            if not window and not piece and not decoder.eof:
                raise BodyError("bad_compression")
            yield piece
            left = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
            position += len(window) - len(left)
        if wbits != _GZIP or data[position : position + 3] != _GZIP_MAGIC:
            return
    raise BodyError("bad_compression")


def _gunzip(body: bytes, max_bytes: int) -> bytes:
    if not body.startswith(_GZIP_MAGIC):
        return _inflate(body, max_bytes)  # zlib's format under this name, or text, or damaged
    try:
        return _gathered(_inflated(body, _GZIP), max_bytes)
    except zlib.error:
        raise BodyError("bad_compression") from None


def _inflate(body: bytes, max_bytes: int) -> bytes:
    """`deflate` is zlib's format; some servers send the raw stream, some gzip under this name."""
    if body.startswith(_GZIP_MAGIC):
        return _gunzip(body, max_bytes)
    zlib_header = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    for wbits in (_ZLIB, _RAW) if zlib_header else (_RAW,):
        try:
            return _gathered(_inflated(body, wbits), max_bytes)
        except zlib.error:
            continue
        except BodyError as error:
            if error.verdict == "too_large":
                raise
    return _unless_text(body)


def _unbrotli(body: bytes, max_bytes: int) -> bytes:
    def pieces() -> Iterator[bytes]:
        decoder = brotli.Decompressor()
        view = memoryview(body)
        for start in range(0, len(body), _WINDOW):
            yield decoder.process(view[start : start + _WINDOW], output_buffer_limit=_PIECE)
            while not decoder.can_accept_more_data() and not decoder.is_finished():
                yield decoder.process(b"", output_buffer_limit=_PIECE)
            if decoder.is_finished():
                return
        raise BodyError("bad_compression")

    try:
        return _gathered(pieces(), max_bytes)
    except brotli.error:
        return _unless_text(body)
    except BodyError as error:
        if error.verdict == "too_large":
            raise
        return _unless_text(body)


def _unzstd(body: bytes, max_bytes: int) -> bytes:
    if not body.startswith((zstd_frames.MAGIC, b"\x50" + zstd_frames.SKIPPABLE_MAGIC)):
        return _unless_text(body)

    def pieces() -> Iterator[bytes]:
        stream = io.BytesIO(body)
        for _ in range(_MEMBER_LIMIT):
            decoder = zstandard.ZstdDecompressor().decompressobj()
            for piece in zstd_frames.frame_pieces(stream.read):
                yield decoder.decompress(piece)
            if not body.startswith(zstd_frames.MAGIC, stream.tell()):
                return
        raise BodyError("bad_compression")

    try:
        return _gathered(pieces(), max_bytes)
    except (zstandard.ZstdError, zstd_frames.BrokenFrameError):
        raise BodyError("bad_compression") from None


def _unless_text(body: bytes) -> bytes:
    """`body` if it is evidently not compressed: markup, or a stretch without control characters.

    Compressed data have none of the 28 in a kilobyte with a probability under 10^-50, in 64 bytes
    with one under 0.001.
    """
    sample = body[:_TEXT_SAMPLE]
    if sample.startswith(_UTF_16_MARKS):
        return body
    markup = sample.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    if (markup or len(sample) >= _TEXT_MINIMUM) and not _CONTROL.search(sample):
        return body
    raise BodyError("bad_compression")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
