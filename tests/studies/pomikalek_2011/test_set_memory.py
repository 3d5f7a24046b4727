"""Memory of a set of n-grams."""

import ctypes.util
import subprocess
import sys

import pytest

from studies.pomikalek_2011.chapter_3 import set_memory
from studies.pomikalek_2011.chapter_3.set_memory import BITS, Judy1, Stored, measure, sizes

needs_judy = pytest.mark.skipif(
    ctypes.util.find_library("Judy") is None, reason="no libJudy here (Debian: libjudydebian1)"
)


def test_sizes_are_ten_a_decade_and_end_at_the_most() -> None:
    """They include the powers of ten."""
    found = sizes(2_000_000)
    assert found[:2] == [10_000, 12_589]
    assert {100_000, 1_000_000} < set(found)
    assert found[-1] == 2_000_000
    assert len(found) == 25
    assert sizes(10_000) == [10_000]


def test_the_bitmap_has_the_size_of_the_pass_over_the_matches() -> None:
    """A process with a pass for 800 million n-grams grows by 100 MB, one bit per n-gram."""
    script = """
from corpusprep._native import blocks
from corpusprep.io.memory import held
before = held()
merge = blocks.VerdictPass(1, 10, 800_000_000, 0, 0.5, 1)
print(held() - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    (bitmap,) = [row for row in measure(10_000) if row.structure == "bitmap"]
    assert grown / 800_000_000 == pytest.approx(bitmap.bytes_a_key, rel=0.01)


@needs_judy
def test_judy_stores_distinct_keys() -> None:
    """A key is stored once; the bytes are those that the library reports."""
    library = Judy1.library()
    assert library is not None
    array = Judy1(library)
    assert array.bytes == 0
    assert array.add([5, 2**63, 5]) == 2
    assert array.add([2**63, 7]) == 1
    assert array.bytes > 0
    array.free()
    assert array.bytes == 0


@needs_judy
def test_judy_takes_6_to_25_bytes_a_key() -> None:
    """The thesis reports 6 at best and 20 at the peak."""
    rows = [row for row in measure(50_000) if row.structure.startswith("Judy1")]
    assert {row.structure for row in rows} == {f"Judy1, {bits} bits" for bits in BITS}
    assert all(6 < row.bytes_a_key < 25 for row in rows)
    assert rows == [row for row in measure(50_000) if row.structure.startswith("Judy1")]


def test_without_the_library_its_rows_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of the other structures are there."""
    monkeypatch.setattr(set_memory.ctypes.util, "find_library", lambda _: None)
    assert list(measure(10_000)) == [
        Stored("bitmap", 10_000, 157 * 8 / 10_000),
        Stored("sorted keys", 10_000, 8.0),
    ]
