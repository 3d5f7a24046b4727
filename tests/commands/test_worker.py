"""Commands that a worker runs end as those that run by themselves."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpusprep import handover
from corpusprep.jobs import workers

#: A worker whose command `show` prints where it is, or writes a file slowly, or is killed.
WORKER = """
import os, signal, sys, time
from pathlib import Path
import corpusprep.commands.show
from corpusprep.commands import worker
from corpusprep.io.files import replacing

def work(corpora, **options):
    if corpora == (Path("slow"),):
        with replacing(Path("file")) as temporary:
            temporary.write_bytes(b"half")
            print("ready", flush=True)
            time.sleep(600)
    if corpora == (Path("killed"),):
        os.kill(os.getpid(), signal.SIGKILL)
    print(Path.cwd().name, os.environ["PLACE"], os.getpid())

corpusprep.commands.show.command.callback = work
worker.main(int(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker that commands find."""
    path = os.path.relpath(tmp_path / "w")  # shorter than a socket's longest path
    reading, writing = os.pipe()
    monkeypatch.setattr(handover, "PATIENCE", 60)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        given = (listening.fileno(), reading)
        process = subprocess.Popen([sys.executable, "-c", WORKER, *map(str, given)], pass_fds=given)
    os.close(reading)
    monkeypatch.setenv(handover.WORKERS, str(tmp_path / "w"))
    with process:
        yield process
        os.close(writing)
        assert process.wait(60) is not None


def command(*arguments: str, folder: Path, place: str = "") -> "subprocess.Popen[str]":
    """Starts a command that waits for the worker as long as it takes."""
    code = "from corpusprep import __main__, handover; handover.PATIENCE = 60; __main__.main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder, env=os.environ | {"PLACE": place}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_commands_share_a_worker_until_one_fails(worker: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    """Each has its own folder, variables, output and exit code; after a failure the next would have its own process."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for folder in ("one", "two"):
        said, _ = command("show", ".", folder=tmp_path / folder, place=f"of {folder}").communicate()
        assert said == f"{folder} of {folder} {worker.pid}\n"
    failing = command("nothing", folder=tmp_path)
    _, said = failing.communicate()
    assert (failing.returncode, said.splitlines()[-1]) == (
        2,
        "corpusprep: error: no such command nothing; see corpusprep --help",
    )
    assert worker.wait(60) == 0


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM, signal.SIGKILL]
)
def test_a_signal_to_a_command_ends_its_work(worker: "subprocess.Popen[bytes]", tmp_path: Path, number: int) -> None:
    """As it ends the work of a command without worker: temporary files are removed, and one line says so."""
    (tmp_path / "slow").mkdir()
    with command("show", "slow", folder=tmp_path) as slow:
        assert slow.stdout
        assert slow.stdout.readline() == "ready\n"
        slow.send_signal(number)
        _, said = slow.communicate()
    worker.wait(60)
    assert list(tmp_path.glob("*file*")) == []
    assert slow.returncode == (-number if number == signal.SIGKILL else 128 + number)
    assert said == "corpusprep: interrupted; what is complete is kept, and the same command can be run again\n"


def test_a_command_whose_worker_was_killed_was_killed(worker: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    """So that the workflow tries the job again."""
    (tmp_path / "killed").mkdir()
    with command("show", "killed", folder=tmp_path) as killed:
        assert killed.wait() == 128 + signal.SIGKILL
    assert worker.wait() == -signal.SIGKILL


@pytest.mark.slow
def test_workers_end_with_a_killed_run() -> None:
    """None is left behind, and the next run removes the folder of the socket."""
    code = (
        "import subprocess, time\n"
        "from corpusprep.jobs import workers\n"
        "started = []\n"
        "class Started(subprocess.Popen):\n"
        "    def __init__(self, *arguments, **options):\n"
        "        super().__init__(*arguments, **options)\n"
        "        started.append(self.pid)\n"
        "subprocess.Popen = Started\n"
        "workers.start(1)\n"
        "print(*started, flush=True)\n"
        "time.sleep(600)\n"
    )
    folder = Path(tempfile.mkdtemp(prefix="t"))  # short: the path of a socket is
    environment = os.environ | {"TMPDIR": str(folder)}
    # The pipe is inherited by the worker: its end is seen when the worker has ended, too.
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as run:
        assert run.stdout
        assert int(run.stdout.readline()) > 0
        run.kill()
        assert run.stdout.read() == b""
    assert len(list(folder.iterdir())) == 1
    code = "from corpusprep.jobs import workers; workers.start(1)()"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=60)
    assert list(folder.iterdir()) == []
    folder.rmdir()


def test_only_small_corpora_have_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker holds what earlier commands have loaded, and own code may keep anything. A user can forbid them."""
    monkeypatch.delenv(handover.WORKERS, raising=False)
    assert workers.suit(200_000_000, 2_000_000_000, own_code=False)
    assert not workers.suit(200_000_001, 2_000_000_000, own_code=False)
    assert not workers.suit(1, 999_999_999, own_code=False)
    assert not workers.suit(1, 2_000_000_000, own_code=True)
    monkeypatch.setenv(handover.WORKERS, "")
    assert not workers.suit(200_000_000, 2_000_000_000, own_code=False)


def test_without_worker_a_command_runs_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none was named, none is there, or none is free in time."""
    monkeypatch.delenv(handover.WORKERS, raising=False)
    assert handover.hand_over(["--version"]) is None
    monkeypatch.setenv(handover.WORKERS, str(tmp_path / "nothing"))
    assert handover.hand_over(["--version"]) is None
    monkeypatch.setattr(handover, "PATIENCE", 0.01)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "busy"))
        listening.listen()
        monkeypatch.setenv(handover.WORKERS, os.path.relpath(tmp_path / "busy"))
        assert handover.hand_over(["--version"]) is None
