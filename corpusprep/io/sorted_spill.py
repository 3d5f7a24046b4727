"""Sorts records of any length by keys that are spread evenly, such as digests, in bounded memory.

Records go to files by the first byte of their keys. A file that does not fit the memory is divided again by the next
byte.
"""

import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import zstandard

_FILES = 256  # one per value of a byte
_LENGTH = struct.Struct("<I")
#: Bytes of records that wait for their files, in all: a quarter of a megabyte per file.
_MOST_WAITING = 64 << 20
#: Bytes of a record in memory beside its own: two objects and a tuple.
_BYTES_PER_RECORD = 200
#: Scratch files are read once.
_ZSTD_LEVEL = 1


class SortedSpill:
    """Records that are given in any order, and read in the order of their keys.

    Records with equal keys are in the order of their bytes, as long as they fit the memory.

    Args:
        folder: a folder to make for files; none is made for records that fit the memory.
        memory: bytes for records in memory.
    """

    def __init__(self, folder: Path, memory: int, *, place: int = 0) -> None:
        self._folder, self._memory, self._place = folder, memory, place
        self._most_waiting = min(_MOST_WAITING, memory // 2)
        self._waiting: dict[int, list[tuple[bytes, bytes]]] = defaultdict(list)
        self._waiting_bytes = 0
        self._bytes = [0] * _FILES
        self._spilled = False

    def add(self, key: bytes, record: bytes) -> None:
        """Adds a record; all keys have the same length."""
        number = key[self._place]
        size = len(key) + len(record) + _BYTES_PER_RECORD
        self._waiting[number].append((key, record))
        self._bytes[number] += size
        self._waiting_bytes += size
        if self._waiting_bytes >= self._most_waiting:
            self._write()

    def sorted(self) -> Iterator[bytes]:
        """Yields the records in the order of their keys, and removes the files."""
        if self._spilled:
            self._write()
        for number in range(_FILES):
            if not self._spilled:
                records = self._waiting.pop(number, [])
            elif self._bytes[number] > self._memory:
                yield from self._divided(number)
                continue
            else:
                records = list(self._read(number))
            records.sort(reverse=True)
            while records:  # each is free when it has been used
                yield records.pop()[1]

    def _divided(self, number: int) -> Iterator[bytes]:
        """Yields the records of a file that does not fit the memory, in their order."""
        records = self._read(number)
        key, record = next(records)
        if self._place + 1 == len(key):
            yield record
            yield from (record for _, record in records)
            return
        further = SortedSpill(self._folder / f"{number}.further", self._memory, place=self._place + 1)
        further.add(key, record)
        for each in records:
            further.add(*each)
        yield from further.sorted()

    def _write(self) -> None:
        """Writes the waiting records to their files, compressed."""
        if not self._spilled:
            self._folder.mkdir()
            self._spilled = True
        compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
        for number, records in self._waiting.items():
            parts = [part for key, record in records for part in (_length(key), key, _length(record), record)]
            frame = compressor.compress(b"".join(parts))
            with (self._folder / str(number)).open("ab") as file:
                file.write(_LENGTH.pack(len(frame)) + frame)
        self._waiting.clear()
        self._waiting_bytes = 0

    def _read(self, number: int) -> Iterator[tuple[bytes, bytes]]:
        """Yields the records of a file, and removes it."""
        path = self._folder / str(number)
        if not path.exists():
            return
        decompressor = zstandard.ZstdDecompressor()
        with path.open("rb") as file:
            while head := file.read(_LENGTH.size):
                frame = decompressor.decompress(file.read(_LENGTH.unpack(head)[0]))
                place = 0
                while place < len(frame):
                    key, place = _field(frame, place)
                    record, place = _field(frame, place)
                    yield key, record
        path.unlink()


def _length(field: bytes) -> bytes:
    return _LENGTH.pack(len(field))


def _field(frame: bytes, place: int) -> tuple[bytes, int]:
    """Returns the bytes behind the length at a place, and the place behind them."""
    start = place + _LENGTH.size
    end = start + _LENGTH.unpack_from(frame, place)[0]
    return frame[start:end], end
