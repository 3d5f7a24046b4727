"""The keys that `blocks match` compares n-grams with: all duplicate n-grams, or those of a bundle.

A corpus of several parts has a file of each part with the keys of each bundle (`write_bundle_keys`). So a bundle reads
its own n-grams, and each part is read once. The file is little-endian: a header of 32 bytes (`_HEADER`), pieces, and an
index with one row per piece (`_ROW`). A piece has keys (u64, ascending), the place of each among the keys of its part
(u32), and the checks of their n-grams (u32, hash.hpp). The pieces of a bundle ascend.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import ngrams as native
from corpusprep.dedup.ngram_keys import HEADER_BYTES, NgramKeys
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.io.files import replacing

#: Keys, their numbers among all duplicate n-grams, and checks of their n-grams, if these are to be compared.
Keys = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint32] | None]

#: Keys that are read at once.
PIECE = 1 << 18
MAGIC = b"CPBUNDLE"
#: magic, n, number of pieces, keys of the part, checksum of the index
_HEADER = struct.Struct("<8sIIQQ")
#: bundle, number of keys, checksums of the keys and of what follows them
_ROW = np.dtype([("bundle", "<u4"), ("keys", "<u4"), ("checksum", "<u8"), ("rest", "<u8")])
_PLACE = np.dtype([("place", "<u8"), ("check", "<u4"), ("zero", "<u4")])
_KEY_BYTES, _REST_BYTES = 8, 8


def write_bundle_keys(
    collector: native.DuplicateCollector, bundles: Sequence[Sequence[native.Run]], keys: Path, output: Path, free: int
) -> None:
    """Writes which of the duplicate n-grams of a part each bundle has.

    Args:
        collector: has written the keys of the part.
        bundles: the runs of the part of each bundle.
        keys: the keys of the part, see NgramKeys.
        output: the file to write.
        free: bytes for keys. The part is taken in ranges of keys that fit, and the runs are read once per range.

    Raises:
        ResourceError: the part has too many keys.
        StageFileError: runs are damaged.
    """
    part = NgramKeys.open(keys, verify=False)
    if part.count >= 1 << 32:
        raise ResourceError(f"{keys}: a part has {part.count:,} duplicate n-grams; give more `parts` in the config")
    entries = [sum(run.entries for run in runs) for runs in bundles]
    # Keys are hashes: a range of them has its share of the n-grams of a bundle, but for chance.
    needed = max(_KEY_BYTES * part.count, native.BYTES_PER_PLACE * max(entries, default=0))
    at_once = max(1, math.ceil(part.count / math.ceil(2 * needed / free))) if needed else 1
    rows = []
    with replacing(output) as temporary, temporary.open("wb") as written, keys.open("rb") as file:
        written.write(bytes(_HEADER.size))
        file.seek(HEADER_BYTES)
        for first in range(0, part.count, at_once):
            some = np.fromfile(file, "<u8", min(at_once, part.count - first))
            for bundle, runs in enumerate(bundles):
                share = entries[bundle] * len(some) // part.count
                found = np.frombuffer(collector.places(runs, some.data, share + 8 * math.isqrt(share) + 64), _PLACE)
                for start in range(0, len(found), PIECE):
                    piece = found[start : start + PIECE]
                    own = some[piece["place"]].tobytes()
                    rest = (piece["place"] + np.uint64(first)).astype("<u4").tobytes() + piece["check"].tobytes()
                    rows.append((bundle, len(piece), native.checksum(own), native.checksum(rest)))
                    written.write(own + rest)
        index = np.array(rows, _ROW).tobytes()
        written.write(index)
        written.seek(0)
        written.write(_HEADER.pack(MAGIC, part.n, len(rows), part.count, native.checksum(index)))


class AllKeys:
    """All duplicate n-grams of a corpus."""

    def __init__(self, path: Path, count: int) -> None:
        self._path, self.count = path, count

    def pieces(self) -> Iterator[NDArray[np.uint64]]:
        """Yields all keys in order, in pieces."""
        with self._path.open("rb") as file:
            file.seek(HEADER_BYTES)
            for first in range(0, self.count, PIECE):
                yield np.fromfile(file, "<u8", min(PIECE, self.count - first))

    def numbered(self) -> Iterator[Keys]:
        """Yields the same with their numbers."""
        first = 0
        for keys in self.pieces():
            yield keys, np.arange(first, first + len(keys), dtype=np.uint64), None
            first += len(keys)


class BundleKeys:
    """The duplicate n-grams of a bundle.

    Attributes:
        count: number of keys; n-grams with equal keys count as two.
    """

    def __init__(self, paths: Sequence[Path], bundle: int, duplicates: NgramKeys) -> None:
        """Opens the files of all parts; `bundle` is the number of the bundle, `duplicates` has all keys.

        Raises:
            StageFileError: a file is missing or damaged, or does not belong to `duplicates`.
        """
        self._pieces: list[tuple[Path, int, int, int, int, int]] = []
        first = 0
        for path in paths:
            n, keys, rows = _read_index(path)
            if n != duplicates.n:
                raise _damaged(path, f"has {n}-grams, not {duplicates.n}-grams")
            sizes = rows["keys"].astype(np.int64) * (_KEY_BYTES + _REST_BYTES)
            starts = _HEADER.size + np.cumsum(sizes) - sizes
            for place in np.flatnonzero(rows["bundle"] == bundle).tolist():  # few of many: bundles share the index
                _, count, checksum, rest = rows[place].tolist()
                self._pieces.append((path, int(starts[place]), count, first, checksum, rest))
            first += keys
        if first != duplicates.count:
            raise _damaged(paths[-1], f"the parts have {first} keys, the corpus has {duplicates.count}")
        self.count = sum(piece[2] for piece in self._pieces)

    def pieces(self) -> Iterator[NDArray[np.uint64]]:
        """Yields the keys in order, in pieces."""
        for path, start, count, _, checksum, _ in self._pieces:
            yield np.frombuffer(_section(path, start, _KEY_BYTES * count, checksum), "<u8")

    def numbered(self) -> Iterator[Keys]:
        """Yields the same with their numbers and checks."""
        for keys, (path, start, count, first, _, checksum) in zip(self.pieces(), self._pieces, strict=True):
            rest = np.frombuffer(_section(path, start + _KEY_BYTES * count, _REST_BYTES * count, checksum), "<u4")
            yield keys, rest[:count] + np.uint64(first), rest[count:]


def _read_index(path: Path) -> tuple[int, int, NDArray[np.void]]:
    """Returns the n, the keys of the part and the rows of the index."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size or not header.startswith(MAGIC):
                raise _damaged(path, "not a file of the keys of bundles")
            _, n, pieces, keys, checksum = _HEADER.unpack(header)
            file.seek(max(_HEADER.size, path.stat().st_size - pieces * _ROW.itemsize))
            index = file.read()
    except FileNotFoundError:
        raise StageFileError(f"{path}: no such file; run `corpusprep step ngrams merge-part` first") from None
    if len(index) != pieces * _ROW.itemsize or native.checksum(index) != checksum:
        raise _damaged(path, "its index is damaged")
    return n, keys, np.frombuffer(index, _ROW)


def _section(path: Path, start: int, size: int, checksum: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        data = file.read(size)
    if len(data) != size or native.checksum(data) != checksum:
        raise _damaged(path, "its checksum is wrong")
    return data


def _damaged(path: Path, what: str) -> StageFileError:
    return StageFileError(f"{path}: {what}; run `corpusprep step ngrams merge-part` again")
