"""Control characters of others' text on the terminal."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from corpusprep.io import terminal
from corpusprep.io.console import Console
from corpusprep.io.progress import track

HARM = "a\x1b]0;title\x07\x9b2J\r\x7fb"
SHOWN = "a\ufffd]0;title\ufffd\ufffd2J\ufffd\ufffdb"


def on_a_terminal(*command: str) -> str:
    """What a command writes to a terminal, with both streams."""
    reader, writer = pty.openpty()
    with subprocess.Popen([sys.executable, *command], stdin=writer, stdout=writer, stderr=writer):
        os.close(writer)
        parts = []
        try:
            while part := os.read(reader, 1 << 16):
                parts.append(part)
        except OSError:  # the other end is closed
            pass
    os.close(reader)
    return b"".join(parts).decode("utf-8", "backslashreplace")


def test_messages_are_guarded_and_data_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a file or a pipe, standard output is as it is."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    for _ in range(2):
        terminal.guard()
    print(f"{HARM}\n\tš")
    print(f"{HARM}\n\tš", file=sys.stderr)
    terminal.control("\x1b[K")
    printed = capsys.readouterr()
    assert printed.out == f"{HARM}\n\tš\n"
    assert printed.err == f"{SHOWN}\n\tš\n\x1b[K"


def test_rich_obeys_its_own_sequences_only() -> None:
    """Also in texts and tables."""
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, color_system="standard", highlight=False, width=80)
    console.print(f"[bold]{HARM}[/bold]")
    assert written.getvalue() == "\x1b[1ma\ufffd]0;title\ufffd2J\ufffdb\x1b[0m\n"


def test_an_error_cannot_reach_the_terminal(tmp_path: Path) -> None:
    """Names of files, bars of progress, and whatever the command line is."""
    said = on_a_terminal("-m", "corpusprep", "archive", "urls", str(tmp_path / HARM.replace("\r", "")))
    assert SHOWN.replace("\ufffd\ufffdb", "\ufffdb") in said
    assert "\x1b" not in said
    program = f"from corpusprep.io import progress; list(progress.track([1], {HARM!r}))"
    assert "\x1b]0" not in on_a_terminal("-c", program)
    assert list(track([1], "x")) == [1]
