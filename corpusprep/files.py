"""Writing files so that a file under its final name is always whole.

A file is written under a name of its own attempt and renamed when it is complete; a job that is
killed leaves at most a `.partial` file, which the next attempt does not read.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

from corpusprep.errors import StageFileError

CHUNK = 1 << 20
COMPRESSED_CHUNK = 1 << 16  # bytes read at a time; they are some hundred kilobytes when decompressed
ZSTD_LEVEL = 3


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a temporary path beside `path`; renames it to `path` on success, removes it on failure.

    An error of the operating system that names no file (a full disk, say) is made to name `path`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.partial")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def zstd_writer(path: Path) -> Iterator[BinaryIO]:
    """A binary stream that is compressed into `path`, which appears once the block ends without an error."""
    with replacing(path) as temporary, temporary.open("wb") as raw:
        compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
        with compressor.stream_writer(raw, closefd=False) as stream:
            yield stream


def zstd_chunks(path: Path) -> Iterator[bytes]:
    """The decompressed bytes of `path`, in chunks of some hundred kilobytes.

    Raises:
        StageFileError: the file is missing, is not zstandard, or is cut short.
    """
    frame: zstandard.ZstdDecompressionObj | None = None
    try:
        with path.open("rb") as raw:
            while compressed := raw.read(COMPRESSED_CHUNK):
                while compressed:
                    frame = frame or zstandard.ZstdDecompressor().decompressobj()
                    if data := frame.decompress(compressed):
                        yield data
                    compressed = frame.unused_data
                    if frame.eof:
                        frame = None
    except FileNotFoundError:
        raise StageFileError(f"{path}: no such file; run the stage that writes it first") from None
    except zstandard.ZstdError as error:
        raise StageFileError(f"{path} is damaged ({error}); write it again") from None
    if frame is not None:
        raise StageFileError(f"{path} is cut short; write it again")
