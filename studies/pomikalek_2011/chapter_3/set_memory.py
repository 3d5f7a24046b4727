"""Measures the memory of a set of n-grams: bytes per stored n-gram (Pomikálek 2011, 3.5.1, figure 3.4).

Compares three ways to record which duplicate n-grams have been seen:

* a bitmap with one bit per duplicate n-gram, at the position of its key in the sorted file, as `blocks verdicts` uses
  it. The keys stay on disk and are read in order;
* the sorted keys in memory, 8 bytes each, without a mark for keys already seen;
* Judy1, the thesis's choice, for keys of 63, 60 and 56 bits. It is Debian's libJudy.so.1 (package libjudydebian1),
  which nothing else needs; without it its rows are missing.

As in the thesis the stored keys are random numbers, like hashes. They come from a seed, so that runs agree.
"""

import ctypes
import ctypes.util
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from corpusprep.io.progress import track
from studies.pomikalek_2011.chapter_3 import measured

#: Bit lengths of the keys stored in Judy1.
BITS = (63, 60, 56)
SMALLEST = 10_000
#: Sizes measured from one power of ten to the next.
SIZES_PER_DECADE = 10
_SEED = 20_110_101
_KEYS_PER_DRAW = 1 << 20


@dataclass(slots=True, frozen=True)
class Stored:
    """Memory per key of a set of `keys` distinct keys."""

    structure: str
    keys: int
    bytes_a_key: float


def write(most: int, output: Path) -> None:
    """Writes the table of Stored for sets of up to `most` keys."""
    measured.write(output, Stored, track(measure(most), "experiments set-memory: sizes"))


def sizes(most: int) -> list[int]:
    """Returns the measured sizes, ascending, up to and including `most`: SIZES_PER_DECADE on a logarithmic scale."""
    steps = range(SIZES_PER_DECADE * 20)
    return [*(size for step in steps if (size := round(SMALLEST * 10 ** (step / SIZES_PER_DECADE))) < most), most]


def measure(most: int) -> Iterator[Stored]:
    """Yields the memory of each structure at each size.

    Args:
        most: keys of the largest set; Judy1 needs up to about 20 bytes per key.
    """
    for size in sizes(most):
        yield Stored("bitmap", size, bitmap_bytes(size) / size)
        yield Stored("sorted keys", size, 8.0)
    judy = Judy1.library()
    for bits in BITS if judy is not None else ():
        assert judy is not None
        array = Judy1(judy)
        draw = np.random.Generator(np.random.PCG64(_SEED + bits))
        stored = drawn = 0
        for size in sizes(most):
            while drawn < size:
                keys = draw.integers(0, 2**bits, min(_KEYS_PER_DRAW, size - drawn), dtype=np.uint64)
                stored += array.add(keys.tolist())
                drawn += len(keys)
            yield Stored(f"Judy1, {bits} bits", stored, array.bytes / stored)
        array.free()


def bitmap_bytes(keys: int) -> int:
    """Returns the bytes of one bit per key, in whole words of 64 bits."""
    return -(-keys // 64) * 8


class Judy1:
    """A set of 64-bit numbers in libJudy's Judy1."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._array = ctypes.c_void_p()

    @staticmethod
    def library() -> ctypes.CDLL | None:
        """Returns the library with its functions declared; None if it is not installed."""
        name = ctypes.util.find_library("Judy")
        if name is None:
            return None
        library = ctypes.CDLL(name)
        pointer: Any = ctypes.c_void_p
        library.Judy1Set.argtypes = [pointer, ctypes.c_ulong, pointer]
        library.Judy1Set.restype = ctypes.c_int
        library.Judy1MemUsed.argtypes = [pointer]
        library.Judy1MemUsed.restype = ctypes.c_ulong
        library.Judy1FreeArray.argtypes = [pointer, pointer]
        library.Judy1FreeArray.restype = ctypes.c_ulong
        return library

    def add(self, keys: list[int]) -> int:
        """Stores the keys and returns how many are new.

        Raises:
            MemoryError: there is no memory left.
        """
        place = ctypes.addressof(self._array)
        results = list(map(self._library.Judy1Set, repeat(place), keys, repeat(None)))
        if min(results, default=0) < 0:
            raise MemoryError
        return sum(results)

    @property
    def bytes(self) -> int:
        """Bytes of the set, as Judy1 counts them."""
        return int(self._library.Judy1MemUsed(self._array))

    def free(self) -> None:
        """Empties the set."""
        self._library.Judy1FreeArray(ctypes.addressof(self._array), None)
