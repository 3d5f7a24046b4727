"""Archives of evaluation data are unpacked by every version of Python, and only into their folder."""

import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from corpusprep.errors import ArchiveError
from corpusprep.languages.labelled_texts import unpacked


def pack(folder: Path, name: str) -> None:
    """Writes an archive with one file of that name."""
    member = tarfile.TarInfo(name)
    member.size = 1
    with tarfile.open(folder / "texts.tar.xz", "w:xz") as archive:
        archive.addfile(member, BytesIO(b"a"))


def test_python_3_11_0_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no filters, which came with 3.11.4."""
    pack(tmp_path, "texts/a.txt")
    if hasattr(tarfile, "data_filter"):
        extract = tarfile.TarFile.extractall
        monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, path: extract(self, path, filter="data"))
        monkeypatch.delattr(tarfile, "data_filter")
    with unpacked(tmp_path, "texts") as (folder, digest):
        assert (folder / "a.txt").read_bytes() == b"a"
        assert len(digest) == 64


def test_files_outside_of_the_folder_are_refused(tmp_path: Path) -> None:
    """Where Python has filters."""
    if not hasattr(tarfile, "data_filter"):
        pytest.skip("this Python has no filters of archives")
    pack(tmp_path, "../../outside.txt")
    with pytest.raises(ArchiveError, match="cannot be unpacked"), unpacked(tmp_path, "texts"):
        pass
