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
        monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, *args: extract(self, *args, filter="data"))
        monkeypatch.delattr(tarfile, "data_filter")
    with unpacked(tmp_path, "texts") as (folder, digest):
        assert (folder / "a.txt").read_bytes() == b"a"
        assert len(digest) == 64


@pytest.mark.parametrize("name", ["../../outside.txt", "/outside.txt", "texts/../../outside.txt"])
def test_files_outside_of_the_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Also where Python has no filters."""
    pack(tmp_path, name)
    monkeypatch.setattr(tarfile, "data_filter", None, raising=False)
    with pytest.raises(ArchiveError, match="is no file inside"), unpacked(tmp_path, "texts"):
        pass


def test_links_are_refused(tmp_path: Path) -> None:
    """A file could be written through one."""
    link = tarfile.TarInfo("texts/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc"
    with tarfile.open(tmp_path / "texts.tar.xz", "w:xz") as archive:
        archive.addfile(link)
    with pytest.raises(ArchiveError, match="is no file inside"), unpacked(tmp_path, "texts"):
        pass
