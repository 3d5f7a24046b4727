"""Reads and writes the duplicate n-grams of a corpus: a file of sorted 64-bit keys, `duplicates.keys`.

The file is little-endian. A header of 64 bytes (`_HEADER`), then the keys (u64, ascending), then their counts
(u32; larger counts are stored as 2^32 - 1). The rank of a key is its index.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from corpusprep._native import ngrams as native
from corpusprep.errors import StageFileError
from corpusprep.io.files import CHUNK, replacing

MAGIC = b"CPNGRAMS"
VERSION = 2
#: magic, version, n, keys, instances of duplicate n-grams, all n-grams, counted tokens, checksum of keys and counts;
#: behind it the checksum of all these
_HEADER = struct.Struct("<8sIIQQQQQ")
_HEADER_SUM = struct.Struct("<Q")
HEADER_BYTES = _HEADER.size + _HEADER_SUM.size
_KEY, _COUNT = np.dtype("<u8"), np.dtype("<u4")


@dataclass(frozen=True, eq=False)
class NgramKeys:
    """The duplicate n-grams of a corpus.

    Attributes:
        n: words in an n-gram.
        keys: uint64, ascending and distinct: ngram_key (hash.hpp) of each duplicate n-gram.
        counts: uint32, number of instances of each, 2 or more; 2^32 - 1 means that many or more.
        instances: sum of the exact counts.
        ngrams: number of all n-grams of the corpus, each instance counted.
        tokens: number of counted tokens of the corpus.
        checksum: checksum of keys and counts.
    """

    n: int
    keys: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint32]
    instances: int
    ngrams: int
    tokens: int
    checksum: int

    @property
    def count(self) -> int:
        """Number of distinct duplicate n-grams."""
        return len(self.keys)

    @classmethod
    def open(cls, path: Path, *, verify: bool = True) -> "NgramKeys":
        """Opens the keys of `path`, memory-mapped; `verify` reads them once to compare their checksum.

        Raises:
            StageFileError: the file is missing, damaged, or of another version.
        """
        try:
            with path.open("rb") as file:
                header = file.read(HEADER_BYTES)
                size = os.fstat(file.fileno()).st_size
        except FileNotFoundError:
            raise StageFileError(f"{path}: no such file; run `corpusprep step ngrams merge` first") from None
        if len(header) < HEADER_BYTES or not header.startswith(MAGIC):
            raise _damaged(path, "not a file of n-gram keys")
        _, version, n, count, instances, ngrams, tokens, checksum = _HEADER.unpack(header[: _HEADER.size])
        if version != VERSION:
            raise _damaged(path, f"n-gram keys of version {version}, not {VERSION}")
        if header[_HEADER.size :] != _HEADER_SUM.pack(native.checksum(header[: _HEADER.size])):
            raise _damaged(path, "its header is damaged")
        if size != HEADER_BYTES + count * (_KEY.itemsize + _COUNT.itemsize):
            raise _damaged(path, "its length is not the one in its header")
        body: npt.NDArray[np.uint8] = np.empty(0, np.uint8)
        if count:
            body = np.memmap(path, np.uint8, "r", offset=HEADER_BYTES)
        if verify and native.checksum_of_pieces(_pieces(path)) != checksum:
            raise _damaged(path, "its checksum is wrong")
        middle = count * _KEY.itemsize
        return cls(
            n=n,
            keys=body[:middle].view(_KEY),
            counts=body[middle:].view(_COUNT),
            instances=instances,
            ngrams=ngrams,
            tokens=tokens,
            checksum=checksum,
        )

    @staticmethod
    def write(
        path: Path,
        n: int,
        keys: npt.ArrayLike,
        counts: npt.ArrayLike,
        *,
        ngrams: int,
        tokens: int,
    ) -> None:
        """Writes `keys` (ascending) and `counts` as a file; `instances` is the sum of the counts."""
        key_array = np.ascontiguousarray(keys, _KEY)
        count_array = np.ascontiguousarray(counts, _COUNT)
        body = key_array.tobytes() + count_array.tobytes()
        with replacing(path) as temporary, temporary.open("wb") as file:
            instances = int(count_array.sum(dtype=np.uint64))
            write_header(file, n, len(key_array), instances, ngrams, tokens, native.checksum(body))
            file.write(body)


def join_parts(parts: Sequence[Path], output: Path) -> NgramKeys:
    """Writes the file of a corpus from the files of its parts: ranges of keys in ascending order.

    Raises:
        StageFileError: a file is missing or damaged, or the parts belong to several corpora.
    """
    opened = [NgramKeys.open(path) for path in parts]
    first = opened[0]
    last = -1
    for path, part in zip(parts, opened, strict=True):
        if (part.n, part.ngrams, part.tokens) != (first.n, first.ngrams, first.tokens) or (
            part.count and int(part.keys[0]) <= last
        ):
            raise _damaged(path, f"not a part of the n-grams of {parts[0]}")
        last = int(part.keys[-1]) if part.count else last
    with replacing(output) as temporary, temporary.open("wb") as file:
        file.write(bytes(HEADER_BYTES))

        def written() -> Iterator[bytes]:
            for name in ("keys", "counts"):
                for path, part in zip(parts, opened, strict=True):
                    for piece in _section(path, part.count, name):
                        file.write(piece)
                        yield piece

        checksum = native.checksum_of_pieces(written())
        count, instances = sum(part.count for part in opened), sum(part.instances for part in opened)
        write_header(file, first.n, count, instances, first.ngrams, first.tokens, checksum)
    return NgramKeys.open(output, verify=False)


def _section(path: Path, count: int, name: str) -> Iterator[bytes]:
    """Yields the keys or the counts of a file, in pieces."""
    left = count * (_KEY if name == "keys" else _COUNT).itemsize
    with path.open("rb") as file:
        file.seek(HEADER_BYTES if name == "keys" else HEADER_BYTES + count * _KEY.itemsize)
        while left and (piece := file.read(min(CHUNK, left))):
            left -= len(piece)
            yield piece


def write_header(file: BinaryIO, n: int, count: int, instances: int, ngrams: int, tokens: int, checksum: int) -> None:
    """Writes the header at the start of `file`, an open file whose keys may already be there."""
    file.seek(0)
    header = _HEADER.pack(MAGIC, VERSION, n, count, instances, ngrams, tokens, checksum)
    file.write(header + _HEADER_SUM.pack(native.checksum(header)))


def _pieces(path: Path) -> Iterator[bytes]:
    """Yields what follows the header. With a memory map, pages that were read would count as memory of the process."""
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        while piece := file.read(CHUNK):
            yield piece


def _damaged(path: Path, what: str) -> StageFileError:
    return StageFileError(f"{path}: {what}; run `corpusprep step ngrams merge` again")
