"""How commands end that cannot go on: one line, an exit code, nothing left behind."""

import resource
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from corpusprep.commands.application import main
from corpusprep.errors import OUT_OF_MEMORY
from corpusprep.io import memory
from corpusprep.io.files import replacing

#: A command that has begun to write a file.
WORKING = """
import sys, time
from pathlib import Path
import corpusprep.commands.show
from corpusprep.commands import application
from corpusprep.io.files import replacing

def work(*arguments, **options):
    with replacing(Path(sys.argv[-1]) / "file") as temporary:
        temporary.write_bytes(b"half")
        print("ready", flush=True)
        time.sleep(600)

corpusprep.commands.show.command.callback = work
application.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_command_with_one_line(tmp_path: Path, number: int) -> None:
    """Its temporary files are removed."""
    command = [sys.executable, "-c", WORKING, "show", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.send_signal(number)
        (line,) = process.stderr.read().splitlines()
        assert process.wait() == 128 + number
    assert line == "corpusprep: interrupted; what is complete is kept, and the same command can be run again"
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_has_the_exit_code_of_a_killed_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the workflow tries the job again; its line is no `error:`, which would not be tried again."""

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("corpusprep.commands.show.summary.show", fail)
    with pytest.raises(SystemExit) as ended:
        main(["show", str(tmp_path)])
    assert ended.value.code == OUT_OF_MEMORY
    assert capsys.readouterr().err.startswith("corpusprep: out of memory: give the command more")


@pytest.mark.parametrize("command", [["show"], ["why"], ["search"]])
def test_a_name_that_no_file_can_have_is_one_line(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a mistake of the user, not of the program."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main([*command, "x" * 300, "x"])
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("corpusprep: error: ")
    assert line.endswith(": File name too long")


def limited(size: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command in a process with a limited address space."""
    return subprocess.run(
        [sys.executable, "-m", "corpusprep", *arguments],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_too_little_address_space_is_one_line(tmp_path: Path) -> None:
    """As `ulimit -v 700000` gives; it says how much is needed."""
    done = limited(700 * 1024 * 1000, "show", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        "corpusprep: error: address space of 717M (ulimit -v, h_vmem) is too little for a command: "
        "at least 800M is needed\n"
    )


def test_a_step_plans_for_the_address_space_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is less than the memory that is given; too little for the step is said."""
    before, held = memory.budget(4 << 30, 1, "work"), memory._status("VmSize")
    monkeypatch.setattr(memory, "address_space", lambda: held + memory.RESERVED_LATER + (300 << 20))
    free = memory.budget(4 << 30, 1, "work")
    assert free <= 300 << 20 < before
    with pytest.raises(memory.ResourceError, match=r"\(ulimit -v, h_vmem\) is too little for work: at least"):
        memory.budget(4 << 30, 400 << 20, "work")


@pytest.mark.parametrize("room", range(0, 1200, 100))
def test_a_full_disk_is_named_at_whatever_byte(tmp_path: Path, room: int) -> None:
    """Polars reports it in several ways, some of them without the reason."""
    path, frame = tmp_path / "table.parquet", pl.DataFrame({"text": [str(number) * 9 for number in range(200)]})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        with pytest.raises(OSError, match="File too large") as raised, replacing(path) as temporary:
            frame.write_parquet(temporary, compression="zstd")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert raised.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_other_errors_of_polars_stay(tmp_path: Path) -> None:
    """Where the disk has room."""
    with pytest.raises(pl.exceptions.ComputeError, match="other"), replacing(tmp_path / "table.parquet"):
        raise pl.exceptions.ComputeError("other")
