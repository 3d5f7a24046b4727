"""An external sort of records of any length."""

import hashlib
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep.io.sorted_spill import SortedSpill


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.binary(min_size=2, max_size=2) | st.just(b"ab"), st.binary(max_size=30))),
    st.sampled_from([1, 500, 2_000, 10**6]),
)
def test_records_are_sorted_by_their_keys(records: list[tuple[bytes, bytes]], memory: int) -> None:
    """In any memory; equal keys by the records, where these fit the memory. Nothing is left in the folder."""
    with TemporaryDirectory() as name:
        folder = Path(name, "spill")
        spill = SortedSpill(folder, memory)
        for key, record in records:
            spill.add(key, key + record)
        found = list(spill.sorted())
        expected = [key + record for key, record in sorted(records)]
        assert [record[:2] for record in found] == [record[:2] for record in expected]
        assert sorted(found) == sorted(expected)
        if memory == 10**6:
            assert found == expected
        assert not [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("memory", [100_000, 10**8])
def test_memory_is_bounded(tmp_path: Path, memory: int) -> None:
    """10 MB of records take little more than the memory they are given, or what they need if that is less."""
    tracemalloc.start()
    spill = SortedSpill(tmp_path / "spill", memory)
    for number in range(2_000):
        key = hashlib.blake2b(str(number).encode(), digest_size=16).digest()
        spill.add(key, key * 300)
    last = b""
    for record in spill.sorted():
        assert last < record
        last = record
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < min(memory, 11_000_000) + 3_000_000
    assert (memory == 10**8) != (tmp_path / "spill").exists()
