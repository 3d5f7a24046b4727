"""Writes files atomically: a file under its final name is always complete.

A file is written under a temporary name and renamed when it is complete. A job that is killed leaves at most `.partial`
files and folders. Later attempts ignore them. The end of the run, or the next one, removes them
(corpusprep.io.partials).
"""

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from corpusprep.errors import NO_ROOM, StageFileError
from corpusprep.io import partials

#: Bytes that are compressed at once. Small pieces in turn with other work find their tables no longer in the caches:
#: the stage `corpus` took 15 % longer.
CHUNK = 1 << 20
ZSTD_LEVEL = 3
#: Bytes that show whether a disk is full: more than a writer leaves free that has just failed.
PROBE = 4 << 20
#: Compressed bytes that are decompressed at once; even the most regular text then gives less than 50 MB.
ZSTD_PIECE = 1 << 12


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Adds `path` to errors of the operating system that name no file, such as a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise
    except BaseException as error:
        # Polars reports a full disk as an error of its own, or panics; sometimes without the reason.
        if not type(error).__module__.startswith(("polars", "pyo3_runtime")):
            raise
        number = re.search(r"\(os error (\d+)\)", str(error))
        code = int(number[1]) if number else _no_room(path.parent)
        if code in NO_ROOM:
            raise OSError(code, os.strerror(code), str(path)) from error
        raise


def _no_room(folder: Path) -> int | None:
    """Returns why a file cannot be written in a folder, as the code of an OSError; None if it can."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(PROBE))
            file.flush()
    except OSError as error:
        return error.errno
    return None


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a temporary path beside `path` for a file or folder; renames it to `path` on success, else removes it.

    Errors of the operating system that name no file get the name `path`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with partials.owned(path) as temporary, naming(path):
        yield temporary
        temporary.replace(path)


@contextlib.contextmanager
def scratch(output: Path) -> Iterator[Path]:
    """Makes a folder beside `output` for temporary files; it is removed when the `with` block ends."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with partials.owned(output) as folder:
        folder.mkdir()
        yield folder


@contextlib.contextmanager
def zstd_writer(path: Path) -> Iterator[BinaryIO]:
    """Opens a binary stream that is compressed into `path`; the file appears when the block ends without an error."""
    with replacing(path) as temporary, temporary.open("wb") as raw:
        compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
        with compressor.stream_writer(raw, closefd=False) as stream:
            buffered = io.BufferedWriter(cast("io.RawIOBase", stream), CHUNK)
            try:
                yield buffered
                buffered.flush()
            finally:
                buffered.detach()


def lines_of(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines in chunks, which may end anywhere, without line feeds, and what stands behind the last one."""
    left = bytearray()  # bytes would be copied with each chunk
    for chunk in chunks:
        *ends, begin = chunk.split(b"\n")
        for end in ends:
            line = end
            if left:
                left += end
                line, left = bytes(left), bytearray()
            yield line
        left += begin
    if left:
        yield bytes(left)


def zstd_chunks(path: Path) -> Iterator[bytes]:
    """Yields the decompressed bytes of `path` in chunks, mostly under a megabyte; some are empty.

    Raises:
        StageFileError: the file is missing, cut short, or damaged.
    """
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
    with raw:
        # A stream reader would accept a file that is cut short; a decompression object does not.
        decompressor = zstandard.ZstdDecompressor().decompressobj()
        try:
            while piece := raw.read(ZSTD_PIECE):
                while piece:
                    if decompressor.eof:
                        decompressor = zstandard.ZstdDecompressor().decompressobj()
                    yield decompressor.decompress(piece)
                    piece = decompressor.unused_data
        except zstandard.ZstdError as error:
            raise StageFileError(f"{path}: damaged ({error}); run the stage that writes it again") from None
        if not decompressor.eof:
            raise StageFileError(f"{path}: cut short; run the stage that writes it again")
