"""Extractors that run as programs of their own."""

import sys
from pathlib import Path

import pytest

from studies.evaluation import peer_programs
from studies.evaluation.peer_programs import PROGRAMS, Program

UPPER = """
import json, sys
for line in sys.stdin:
    text = json.dumps(json.loads(line).upper(), ensure_ascii=False)
    sys.stdout.buffer.write(text.encode() + b"\\n")
    sys.stdout.buffer.flush()
"""


def test_a_page_per_line_and_a_text_per_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Line breaks of all kinds and empty pages are no trouble."""
    monkeypatch.setenv("CORPUSPREP_PEERS", str(tmp_path))
    pages = ["<p>a\nb", "", "é\u2028x\x85"]
    assert peer_programs.answers([sys.executable, "-c", UPPER], pages) == ["<P>A\nB", "", "É\u2028X\x85"]


def test_a_program_that_ends_early_finds_no_text_in_the_rest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nor in the page that ended it."""
    monkeypatch.setenv("CORPUSPREP_PEERS", str(tmp_path))
    ended = UPPER + "    print('\"half', end='')\n    break\n"
    assert peer_programs.answers([sys.executable, "-c", ended], ["a", "b"]) == ["A", ""]


def test_programs_that_are_not_there_have_no_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So they are not measured."""
    monkeypatch.setenv("CORPUSPREP_PEERS", str(tmp_path))
    assert [program.version() for program in PROGRAMS] == [None, None]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_they_find_the_text(program: Program) -> None:
    """Where they are installed (`make peers`)."""
    if program.version() is None:
        pytest.skip("not installed")
    text = "The old man, who had a dog and a cat, went to the sea in May, and he said that it was cold there."
    page = f"<body><ul><li><a href=x>Home</a></ul><article><h1>Sea</h1>{f'<p>{text}</p>' * 9}</article>"
    [found] = program.texts([page])
    assert text in found
    assert "Home" not in found
