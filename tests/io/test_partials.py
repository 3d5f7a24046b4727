"""Temporary files are removed when nobody writes them any more, and never before."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpusprep.io import partials
from corpusprep.io.files import replacing, scratch

WRITER = """
import sys, time
from pathlib import Path
from corpusprep.io.files import replacing, scratch
with replacing(Path(sys.argv[1])) as file, scratch(Path(sys.argv[1])) as folder:
    file.write_bytes(b"half")
    (folder / "part").write_bytes(b"half")
    print("ready", flush=True)
    time.sleep(600)
"""


def start_writer(path: Path) -> "subprocess.Popen[str]":
    """Starts a process that has written half of a file and half of a folder."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def left(folder: Path) -> list[Path]:
    """The temporary files and folders."""
    return sorted(folder.rglob("*.partial"))


def of_another_machine(path: Path) -> Path:
    """Renames a temporary file as if a process of another machine had written it."""
    words = path.name.split(".")
    words[-2] = "00000000" + words[-2][8:]
    return path.rename(path.with_name(".".join(words)))


def set_age(path: Path, seconds: float) -> None:
    """Sets when a file or folder was last touched."""
    os.utime(path, (time.time() - seconds,) * 2)


def test_those_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    """A file and a folder with a file, in a folder of the corpus."""
    with start_writer(tmp_path / "corpus" / "b0.vert.zst") as process:
        assert len(left(tmp_path)) == 2
        assert partials.clear([tmp_path]) == 0
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert partials.clear([tmp_path]) == 2
    assert not left(tmp_path)
    assert (tmp_path / "corpus").is_dir()


def test_folders_below_can_be_left_alone(tmp_path: Path) -> None:
    """They may belong to the corpora of another run."""
    with start_writer(tmp_path / "corpus" / "b0.vert.zst") as process, start_writer(tmp_path / "page") as other:
        for one in (process, other):
            one.send_signal(signal.SIGKILL)
            one.wait()
        assert partials.clear([tmp_path], below=False) == 2
        assert left(tmp_path) == left(tmp_path / "corpus")
        assert len(left(tmp_path)) == 2


def test_those_of_another_process_with_the_number_are_removed(tmp_path: Path) -> None:
    """Numbers of processes are used again: this process has started at another time."""
    with replacing(tmp_path / "file") as temporary:
        temporary.touch()
        own = temporary.name.split(".")[-2].split("-")
        earlier = temporary.with_name(f".other.{own[0]}-{own[1]}-{int(own[2]) - 1}-{own[3]}.partial")
        earlier.touch()
        assert partials.clear([tmp_path]) == 1
        assert left(tmp_path) == [temporary]


@pytest.mark.parametrize(("seconds", "expected"), [(0.5 * partials.LEASE, 0), (1.5 * partials.LEASE, 1)])
def test_those_of_another_machine_are_removed_when_the_lease_has_ended(
    tmp_path: Path, seconds: float, expected: int
) -> None:
    """A process there cannot be looked up."""
    with replacing(tmp_path / "file") as temporary:
        temporary.touch()
        foreign = of_another_machine(temporary)
        set_age(foreign, seconds)
        assert partials.clear([tmp_path]) == expected
        foreign.unlink(missing_ok=True)
        temporary.touch()


def test_a_folder_is_as_young_as_its_youngest_file(tmp_path: Path) -> None:
    """A process of another machine that writes into its folder has not ended."""
    with scratch(tmp_path / "file") as folder:
        foreign = of_another_machine(folder)
        part = foreign / "part"
        part.touch()
        set_age(foreign, 2 * partials.LEASE)
        assert partials.clear([tmp_path]) == 0
        set_age(part, 2 * partials.LEASE)
        assert partials.clear([tmp_path]) == 1


def test_a_process_renews_its_leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a file that it does not write to for a long time."""
    monkeypatch.setattr(partials, "RENEWAL", 0.01)
    monkeypatch.setattr(partials, "_LEASES", partials._Leases())
    with replacing(tmp_path / "file") as temporary:
        temporary.touch()
        set_age(temporary, 2 * partials.LEASE)
        deadline = time.monotonic() + 20
        while temporary.stat().st_mtime < time.time() - partials.LEASE:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_other_files_stay(tmp_path: Path) -> None:
    """Whatever a user calls `.partial`, and what is not in the folders."""
    for name in ("mine.partial", ".mine.partial", ".mine.12-ab.partial"):
        (tmp_path / name).touch()
        set_age(tmp_path / name, 10 * partials.LEASE)
    assert partials.clear([tmp_path, tmp_path / "absent"]) == 0
    assert len(left(tmp_path)) == 3
