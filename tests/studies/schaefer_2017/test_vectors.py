"""Reading the feature vectors of texrex."""

import tarfile
from pathlib import Path

import numpy as np
import pytest

from corpusprep.errors import StageFileError
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.vectors import joined, parse, read

ROW = " ".join(f"{number / 37:.3f}" for number in range(37))


def made(*labels: int) -> bytes:
    """Returns training data with one block per label."""
    return "\n".join([f"{len(labels)} 37 1", *(f"{ROW}\n{label}" for label in labels)]).encode()


def test_blocks_are_read() -> None:
    """Features come in the order of the file; label 1 is boilerplate."""
    vectors = parse(made(1, 0, 1, 1), "x")
    assert vectors.boilerplate.tolist() == [True, False, True, True]
    assert vectors.baseline == 0.75
    assert len(vectors) == 4
    assert vectors.features.shape == (4, len(FEATURES))
    assert np.allclose(vectors.features, np.arange(37) / 37, atol=0.001)
    assert len(joined([vectors, vectors])) == 8


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not training data"),
        (b"4 37", "not training data"),
        ("é 37 1".encode(), "not training data"),
        (made(1, 0)[:-2], "75 numbers"),
        (b"2 36 1\n" + made(1, 0)[7:], "36 features"),
        (made(1, 0).replace(b"0.027", b"nan"), "finite"),
        (made(1, 2), "labels"),
        (made(1, 1), "both of them"),
    ],
)
def test_damaged_data_is_refused(data: bytes, reason: str) -> None:
    """The message names the file and what is wrong."""
    with pytest.raises(StageFileError, match=reason) as raised:
        parse(data, "some.dat")
    assert str(raised.value).startswith("some.dat: ")


def test_packed_and_unpacked(tmp_path: Path) -> None:
    """A data set is read from its folder or from its archive; a missing file is named."""
    folder = tmp_path / "texrex-blocks"
    with pytest.raises(StageFileError, match="no such file"):
        read(tmp_path, "de")
    folder.mkdir()
    (folder / "boilerplate.de.dat").write_bytes(made(1, 0, 0))
    unpacked = read(tmp_path, "de")
    with tarfile.open(tmp_path / "texrex-blocks.tar.xz", "w:xz") as archive:
        archive.add(folder, "texrex-blocks")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    packed = read(tmp_path, "de")
    assert (packed.features == unpacked.features).all()
    with pytest.raises(StageFileError, match=r"boilerplate\.sv\.dat"):
        read(tmp_path, "sv")
    (tmp_path / "texrex-blocks.tar.xz").write_bytes(b"no archive")
    with pytest.raises(StageFileError, match="cannot be read"):
        read(tmp_path, "de")
