"""Digests of finished files."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.io import digests


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files with their digests."""
    for name, content in (("b.vert.zst", b"text"), ("a b.jsonl.zst", bytes(3000))):
        (tmp_path / name).write_bytes(content)
    digests.write(tmp_path.iterdir(), tmp_path)
    return tmp_path


def wrong(folder: Path) -> dict[str, str]:
    """What is wrong with files, by their names."""
    return {path.name: fault for path, fault in digests.faults(folder) if fault}


def test_each_flipped_bit_is_found(folder: Path) -> None:
    """In any file; also a file that is gone."""
    assert wrong(folder) == {}
    for place in (0, 1500, 2999):
        flipped = bytearray(3000)
        flipped[place] = 1 << place % 8
        (folder / "a b.jsonl.zst").write_bytes(flipped)
        assert wrong(folder) == {"a b.jsonl.zst": "damaged, or changed since it was written"}
    (folder / "b.vert.zst").unlink()
    assert wrong(folder)["b.vert.zst"] == "no such file"


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_sha256sum_reads_them(folder: Path) -> None:
    """The usual program says the same."""
    command = ["sha256sum", "--check", "--strict", digests.NAME]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    (folder / "b.vert.zst").write_bytes(b"test")
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("content", [b"x\n", b"\xff\n", b"\n"])
def test_damaged_digests_are_an_error(folder: Path, content: bytes) -> None:
    """A line is a digest and a name."""
    (folder / digests.NAME).write_bytes(content)
    with pytest.raises(StageFileError, match="SHA256SUMS: damaged, or not written by corpusprep"):
        list(digests.faults(folder))


def test_digests_of_new_files_stand_beside_those_of_others(folder: Path) -> None:
    """What is damaged stays damaged."""
    (folder / "b.vert.zst").write_bytes(b"test")
    (folder / "README.md").write_bytes(b"new")
    digests.renew([folder / "README.md"], folder)
    assert wrong(folder) == {"b.vert.zst": "damaged, or changed since it was written"}
    assert len((folder / digests.NAME).read_text(encoding="utf-8").splitlines()) == 3


def test_the_command_names_each_file_that_is_wrong(folder: Path) -> None:
    """And ends with an error."""
    done = CliRunner().invoke(application, ["check", "files", str(folder)])
    assert (done.exit_code, done.stderr) == (0, "2 files are as they were written\n")
    (folder / "b.vert.zst").write_bytes(b"test")
    done = CliRunner().invoke(application, ["check", "files", str(folder)])
    assert done.stdout == f"{folder}/b.vert.zst: damaged, or changed since it was written\n"
    assert str(done.exception).startswith("1 of 2 files are not as they were written")
