"""Decodes content encodings in bounded memory: gzip, deflate, br, zstd (RFC 9110, 8.4.1)."""

import io
import re
import zlib
from collections.abc import Callable, Iterator, Sequence

import brotli
import zstandard

from corpusprep.archive import zstd_frames

_GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP, _ZLIB, _RAW = 31, 15, -15
_WINDOW = 16 << 10  # bytes given to a decoder at once; it copies those that it does not use
_PIECE = 1 << 20  # decoded bytes taken from a decoder at once
#: The most gzip members or Zstandard frames of one body. No server sends as many, and each takes time.
_MEMBER_LIMIT = 1000
#: The most codings of one body, as in curl.
_MOST_CODINGS = 5
#: Names found in Content-Encoding on the web that mean no compression.
_NO_COMPRESSION = frozenset({"", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8"})
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # not tab, line breaks, form feed, ESC (ISO 2022)
_TEXT_SAMPLE, _TEXT_MINIMUM = 1024, 64
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class BodyError(ValueError):
    """A body cannot be decoded; `verdict` is one of verdicts.RECORD_REASONS."""

    def __init__(self, verdict: str) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def decode(body: bytes, codings: Sequence[str], max_bytes: int) -> tuple[bytes, bool]:
    """Returns the body as it was before `codings` were applied, in that order; and whether its end is missing.

    Compressed data that are cut are kept as far as they go, if that is not nothing. A body that is evidently not
    compressed is returned unchanged, also with an unknown coding: crawlers store decoded bodies with the header of the
    compressed ones. Bytes after the end of the compressed data are ignored, as in browsers.

    Args:
        body: the body as transferred.
        codings: names as declared, in lower case.
        max_bytes: the most bytes of the body, after each decoding step.

    Raises:
        BodyError: `unknown_compression`, `bad_compression` or `too_large`.
    """
    codings = [name for name in codings if name not in _NO_COMPRESSION]
    known = [name for name in codings if name in _DECODERS]
    if len(known) < len(codings):
        # A name that is no compression (text/html, aws-chunked) leaves a text; an unknown compression does not.
        try:
            decoded, cut = _decoded(body, known, max_bytes)
            return _unless_text(decoded) if decoded else decoded, cut
        except BodyError as error:
            raise BodyError("too_large" if error.verdict == "too_large" else "unknown_compression") from None
    return _decoded(body, known, max_bytes)


def _decoded(body: bytes, codings: Sequence[str], max_bytes: int) -> tuple[bytes, bool]:
    if len(codings) > _MOST_CODINGS:
        return _unless_text(body) if body else body, False
    truncated = False
    for name in reversed(codings):
        if body:
            body, cut = _DECODERS[name](body, max_bytes)
            truncated |= cut
    return body, truncated


class _CutError(Exception):
    """Compressed data end before their end."""


def _gathered(pieces: Iterator[bytes], max_bytes: int) -> tuple[bytes, bool]:
    """Joins decoded pieces; returns them, and whether they are cut.

    Raises:
        BodyError: `too_large`; or `bad_compression`: they are cut before the first byte.
    """
    body = bytearray()
    try:
        for piece in pieces:
            body += piece
            if len(body) > max_bytes:
                raise BodyError("too_large")
    except _CutError:
        if not body:
            raise BodyError("bad_compression") from None
        return bytes(body), True
    return bytes(body), False


def _inflated(data: bytes, wbits: int) -> Iterator[bytes]:
    """Yields the decoded pieces of all gzip members of `data`, or of its one zlib or raw deflate stream."""
    view = memoryview(data)
    position = 0
    for _ in range(_MEMBER_LIMIT):
        decoder = zlib.decompressobj(wbits)
        while not decoder.eof:
            window = view[position : position + _WINDOW]
            piece = decoder.decompress(window, _PIECE)
            if not window and not piece and not decoder.eof:
                raise _CutError
            yield piece
            left = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
            position += len(window) - len(left)
        if wbits != _GZIP or data[position : position + 3] != _GZIP_MAGIC:
            return
    raise BodyError("bad_compression")


def _gunzip(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    if not body.startswith(_GZIP_MAGIC):
        return _inflate(body, max_bytes)  # zlib's format under this name, or text, or damaged
    try:
        return _gathered(_inflated(body, _GZIP), max_bytes)
    except zlib.error:
        raise BodyError("bad_compression") from None


def _inflate(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Decodes `deflate`, which is zlib's format; some servers send the raw stream or gzip under this name."""
    if body.startswith(_GZIP_MAGIC):
        return _gunzip(body, max_bytes)
    zlib_header = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    cut = b""
    for wbits in (_ZLIB, _RAW) if zlib_header else (_RAW,):
        try:
            decoded, is_cut = _gathered(_inflated(body, wbits), max_bytes)
            if not is_cut:
                return decoded, False
            # Other data may also pass for the beginning of a raw stream, and decode to noise.
            cut = cut or (decoded if wbits == _ZLIB else _unless_text(decoded))
        except zlib.error:
            continue
        except BodyError as error:
            if error.verdict == "too_large":
                raise
    return _unless_cut_or_text(body, cut)


def _unbrotli(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    def pieces() -> Iterator[bytes]:
        decoder = brotli.Decompressor()
        view = memoryview(body)
        for start in range(0, len(body), _WINDOW):
            yield decoder.process(view[start : start + _WINDOW], output_buffer_limit=_PIECE)
            while not decoder.can_accept_more_data() and not decoder.is_finished():
                yield decoder.process(b"", output_buffer_limit=_PIECE)
            if decoder.is_finished():
                return
        raise _CutError

    try:
        decoded, cut = _gathered(pieces(), max_bytes)
    except brotli.error:
        return _unless_text(body), False
    except BodyError as error:
        if error.verdict == "too_large":
            raise
        return _unless_text(body), False
    return _unless_cut_or_text(body, decoded) if cut else (decoded, False)


def _unzstd(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    if not body.startswith((zstd_frames.MAGIC, b"\x50" + zstd_frames.SKIPPABLE_MAGIC)):
        return _unless_text(body), False

    def pieces() -> Iterator[bytes]:
        stream = io.BytesIO(body)
        for _ in range(_MEMBER_LIMIT):
            decoder = zstandard.ZstdDecompressor().decompressobj()
            try:
                for piece in zstd_frames.frame_pieces(stream.read):
                    yield decoder.decompress(piece)
            except zstd_frames.BrokenFrameError:
                if stream.tell() < len(body):
                    raise
                raise _CutError from None
            if not body.startswith(zstd_frames.MAGIC, stream.tell()):
                return
        raise BodyError("bad_compression")

    try:
        return _gathered(pieces(), max_bytes)
    except (zstandard.ZstdError, zstd_frames.BrokenFrameError):
        raise BodyError("bad_compression") from None


def _unless_cut_or_text(body: bytes, decoded: bytes) -> tuple[bytes, bool]:
    """Returns `body` if it is evidently not compressed, or else what was decoded of it before it ended, if anything.

    Raises:
        BodyError: `bad_compression`.
    """
    try:
        return _unless_text(body), False
    except BodyError:
        if not decoded:
            raise
    return decoded, True


def _unless_text(body: bytes) -> bytes:
    """Returns `body` if it is evidently not compressed: markup, or text without control characters.

    There are 28 control characters. A kilobyte of compressed data has none of them with a probability under 10^-50;
    for 64 bytes the probability is under 0.001.
    """
    sample = body[:_TEXT_SAMPLE]
    if sample.startswith(_UTF_16_MARKS):
        return body
    markup = sample.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    if (markup or len(sample) >= _TEXT_MINIMUM) and not _CONTROL.search(sample):
        return body
    raise BodyError("bad_compression")


_DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
