"""The file of the duplicate n-grams' keys."""

from pathlib import Path

import numpy as np
import pytest

from corpusprep._native import ngrams as native
from corpusprep.dedup.ngram_keys import HEADER_BYTES, NgramKeys
from corpusprep.errors import StageFileError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three keys."""
    path = tmp_path / "duplicates.keys"
    NgramKeys.write(path, 10, [3, 2**63, 2**64 - 1], [2, 2**32 - 1, 5], ngrams=70, tokens=160)
    return path


def test_what_is_written_is_read(path: Path) -> None:
    """Header, keys and counts come back with their types."""
    keys = NgramKeys.open(path)
    assert (keys.n, keys.count, keys.ngrams, keys.tokens) == (10, 3, 70, 160)
    assert keys.instances == 2 + 2**32 - 1 + 5
    assert keys.keys.dtype == np.uint64
    assert keys.keys.tolist() == [3, 2**63, 2**64 - 1]
    assert keys.counts.dtype == np.uint32
    assert keys.counts.tolist() == [2, 2**32 - 1, 5]


def test_header_is_laid_out_as_documented(path: Path) -> None:
    """Magic, version and n, then 64-bit numbers, all little endian, in 64 bytes."""
    data = path.read_bytes()
    assert data[:16] == b"CPNGRAMS" + (2).to_bytes(4, "little") + (10).to_bytes(4, "little")
    numbers = [int.from_bytes(data[place : place + 8], "little") for place in range(16, 64, 8)]
    assert numbers[:4] == [3, 2**32 + 6, 70, 160]
    assert numbers[5] == native.checksum(data[:56])
    assert len(data) == HEADER_BYTES + 3 * 12


def test_no_duplicates_is_a_file_too(tmp_path: Path) -> None:
    """A corpus without duplicate n-grams has a file without keys."""
    NgramKeys.write(tmp_path / "none.keys", 10, [], [], ngrams=7, tokens=16)
    keys = NgramKeys.open(tmp_path / "none.keys")
    assert (keys.count, len(keys.counts), keys.instances, keys.ngrams) == (0, 0, 0, 7)


def test_keys_are_mapped_not_read(path: Path) -> None:
    """The arrays are views of the file's pages, and cannot be written to."""
    keys = NgramKeys.open(path)
    assert isinstance(keys.keys.base, np.memmap)
    assert not keys.keys.flags.writeable


@pytest.mark.parametrize("place", [0, 8, 16, HEADER_BYTES, HEADER_BYTES + 30, HEADER_BYTES + 35])
def test_changed_byte_is_named(path: Path, place: int) -> None:
    """A change of the magic, the version, the count, a key or a count is a StageFileError."""
    data = bytearray(path.read_bytes())
    data[place] ^= 0x10
    path.write_bytes(data)
    with pytest.raises(StageFileError, match=r"duplicates\.keys: "):
        NgramKeys.open(path)


@pytest.mark.parametrize("size", [0, 63, 64, 99])
def test_file_cut_short_is_named(path: Path, size: int) -> None:
    """A file cut short is a StageFileError that says what to do."""
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StageFileError, match=r"duplicates\.keys: .*ngrams merge"):
        NgramKeys.open(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """No file is a StageFileError that says which command writes it."""
    with pytest.raises(StageFileError, match=r"none\.keys: no such file; run `corpusprep step ngrams merge`"):
        NgramKeys.open(tmp_path / "none.keys")
