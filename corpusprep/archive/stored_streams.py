"""Decodes an archive file as a sequence of streams: plain bytes, gzip members, Zstandard frames.

The first bytes of a stream tell its kind, never the name of the file. RFC 1952 (gzip); RFC 8878 and the IIPC's
"Zstandard compression for WARC files" 1.0 (frames, and the dictionary that may stand before them).
"""

import re
import zlib
from pathlib import Path
from typing import BinaryIO

import zstandard

from corpusprep.archive import content_encodings, zstd_frames
from corpusprep.errors import ArchiveError
from corpusprep.io import named_files
from corpusprep.remote.addresses import Address

GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP = 31  # zlib's name of the format
_DICTIONARY_MAGIC = b"\x5d" + zstd_frames.SKIPPABLE_MAGIC
_DICTIONARY_LIMIT = 64 << 20
_INPUT = 64 << 10  # bytes of the file given to a decoder at once
#: The first input of a stream is short: decoders copy the bytes that they do not use, and members may be tiny.
_FIRST_INPUT = 8 << 10
_SMALL_STEP = 32  # the same while the place of damage is searched
_FRUITLESS_LIMIT = 1 << 20  # bytes of a gzip header, or of empty deflate blocks: no tool writes as many
_OUTPUT = 256 << 10  # decoded bytes per piece, at most (a piece of Zstandard is one of its blocks)
#: The beginning of a gzip member (flags, time, compression and system as RFC 1952 allows) or Zstandard frame.
_DESCRIPTORS = re.escape(bytes(byte for byte in range(256) if not byte & 0x18))
COMPRESSED_START = re.compile(
    re.escape(GZIP_MAGIC) + rb"[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x13\xff]"
    rb"|" + re.escape(zstd_frames.MAGIC) + rb"[" + _DESCRIPTORS + rb"]",
    re.DOTALL,
)
_START_INPUT = 1 << 10  # bytes of a member, enough to decode the beginning of a record's head


class StoredFile:
    """A file open for reading at any offset; also holds the dictionary of its Zstandard frames.

    Raises:
        ArchiveError: the file cannot be opened or, in any call, read.
    """

    def __init__(self, path: Path, start: int = 0, size: int | None = None) -> None:
        """Opens a file, here or on a server, or the `size` bytes of it from `start` on as if they were a file."""
        self.path = path
        self._start = start
        self.dictionary: zstandard.ZstdCompressionDict | None = None
        try:
            if isinstance(path, Address):
                from corpusprep.remote.reading import RemoteFile  # with a client of HTTP, which files do without

                self._file: BinaryIO | RemoteFile = (remote := RemoteFile(path))
                whole = remote.size - start
            else:
                self._file = named_files.open_file(path)
                whole = path.stat().st_size - start
            self.size = whole if size is None else max(0, min(size, whole))
        except OSError as error:
            raise ArchiveError(f"cannot read archive {path}: {error.strerror or error}") from error
        if self.at(0, len(_DICTIONARY_MAGIC)) == _DICTIONARY_MAGIC:
            self.dictionary = self._leading_dictionary()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def at(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes from `offset` on, or fewer at the end of the file."""
        try:
            self._file.seek(self._start + offset)
            return self._file.read(min(count, max(0, self.size - offset)))
        except OSError as error:
            message = f"cannot read archive {self.path}: {error.strerror or error} (at byte {offset})"
            raise ArchiveError(message) from error

    def _leading_dictionary(self) -> zstandard.ZstdCompressionDict | None:
        size = int.from_bytes(self.at(4, 4), "little")
        if size > _DICTIONARY_LIMIT:
            return None
        data = self.at(8, size)
        try:
            if data.startswith(zstd_frames.MAGIC):
                data, cut = content_encodings.decode(data, ["zstd"], _DICTIONARY_LIMIT)
                if cut:
                    return None
            dictionary = zstandard.ZstdCompressionDict(data)
            zstandard.ZstdDecompressor(dict_data=dictionary)  # a damaged one is found here, not when it is made
            return dictionary
        except (zstandard.ZstdError, content_encodings.BodyError):
            return None


class Stream:
    """Plain bytes of a stored file, up to its end; the base class of compressed streams.

    Attributes:
        start: offset of the stream in the file.
        position: offset after the last stored byte used; once the stream has ended, offset after its end.
        ended: the stream is complete and was read without errors.
        broken: the stream cannot be decoded further, or the file ends inside it.
    """

    compressed = False

    def __init__(self, stored: StoredFile, start: int) -> None:
        self._stored = stored
        self.start = start
        self.position = start
        self.ended = start >= stored.size
        self.broken = False

    def read(self) -> bytes:
        """Returns the next decoded bytes; b"" only if the stream has ended or is broken."""
        # Pieces grow: after damage, the next record is often near, and the rest is not needed.
        data = self._stored.at(self.position, min(max(self.position - self.start, _FIRST_INPUT), _OUTPUT))
        self.position += len(data)
        self.ended = self.position >= self._stored.size
        return data


class GzipMember(Stream):
    """One gzip member; its checksum is verified at its end.

    A call to zlib that fails returns no bytes. Such a call is repeated in small steps, from a copy of the decoder, so
    that the bytes before the damage are not lost. (isal's decoder cannot be copied.)
    """

    compressed = True

    def __init__(self, stored: StoredFile, start: int) -> None:
        super().__init__(stored, start)
        self._decoder = zlib.decompressobj(_GZIP)
        self._input = b""  # read from the file, not yet decoded
        self._step = _INPUT
        self._fruitless = 0

    def read(self) -> bytes:
        """Returns the next decoded bytes; b"" only if the stream has ended or is broken."""
        while not self.ended and not self.broken:
            at_start = self.position == self.start
            if not self._input:
                self._input = self._stored.at(self.position, _FIRST_INPUT if at_start else _INPUT)
            compressed = self._input[: self._step]
            before = zlib.decompressobj(_GZIP) if at_start else self._decoder.copy()
            try:
                piece = self._decoder.decompress(compressed, _OUTPUT)
            except zlib.error:
                self.broken = self._step == _SMALL_STEP
                self._decoder, self._step = before, _SMALL_STEP
                continue
            self.ended = self._decoder.eof
            left = self._decoder.unused_data if self.ended else self._decoder.unconsumed_tail
            used = len(compressed) - len(left)
            self.position += used
            self._input = self._input[used:]
            if piece:
                return piece
            self._fruitless += used
            self.broken = not self.ended and (not compressed or self._fruitless > _FRUITLESS_LIMIT)
        return b""


class ZstdFrame(Stream):
    """One Zstandard frame. A skippable frame has no decoded bytes."""

    compressed = True

    def __init__(self, stored: StoredFile, start: int) -> None:
        super().__init__(stored, start)
        if stored.at(start + 1, 3) == zstd_frames.SKIPPABLE_MAGIC:
            end = start + 8 + int.from_bytes(stored.at(start + 4, 4), "little")
            self.ended = end <= stored.size
            self.broken = not self.ended
            self.position = min(end, stored.size)
            return
        self._decoder = zstandard.ZstdDecompressor(dict_data=stored.dictionary).decompressobj()
        self._pieces = zstd_frames.frame_pieces(self._next)

    def _next(self, count: int) -> bytes:
        data = self._stored.at(self.position, count)
        self.position += len(data)
        return data

    def read(self) -> bytes:
        """Returns the next decoded bytes; b"" only if the stream has ended or is broken."""
        decoded = b""
        while not decoded and not self.ended and not self.broken:
            try:
                piece = next(self._pieces, None)
                if piece is None:
                    self.ended = True
                else:
                    decoded = self._decoder.decompress(piece)
            except (zstandard.ZstdError, zstd_frames.BrokenFrameError):
                self.broken = True
        return decoded


def open_stream(stored: StoredFile, start: int) -> Stream:
    """Opens the stream at offset `start`; its first bytes tell its kind."""
    magic = stored.at(start, 4)
    if magic.startswith(GZIP_MAGIC):
        return GzipMember(stored, start)
    if magic == zstd_frames.MAGIC or (magic[1:] == zstd_frames.SKIPPABLE_MAGIC and magic[0] >> 4 == 5):
        return ZstdFrame(stored, start)
    return Stream(stored, start)


def decoded_start(stored: StoredFile, start: int) -> bytes:
    """Decodes the beginning of a possible gzip member or Zstandard frame; returns b"" if there is none."""
    data = stored.at(start, _START_INPUT)
    if not data.startswith(GZIP_MAGIC):
        return ZstdFrame(stored, start).read()
    decoder, decoded = zlib.decompressobj(_GZIP), b""
    for step in range(0, len(data), _SMALL_STEP):
        try:
            decoded += decoder.decompress(data[step : step + _SMALL_STEP])
        except zlib.error:
            break
    return decoded
