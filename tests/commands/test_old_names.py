"""The command lines of the version before: each works, with one line on standard error."""

import re
import subprocess
from pathlib import Path

import click
import pytest
from support.running import REPOSITORY

from corpusprep.commands import old_names
from corpusprep.commands.application import COMMANDS, application, main

#: What is read: documents, programs and the workflow; without what was true of earlier versions, and without itself.
KINDS = {".md", ".py", ".smk", ".yaml", ".j2", ".js", ""}
HISTORY = {"CHANGELOG.md", "corpusprep/commands/old_names.py", "tests/commands/test_old_names.py"}
#: A command line in code or text, with its options.
LINE = re.compile(r"""(?:[`"(/>]|: |; |^ *)corpusprep((?: --times \S+)? [a-z-]+(?: [^\s`<]+)*)""", re.MULTILINE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("concordance ferry --corpus c --limit 5", "search c ferry --limit 5"),
        ("concordance --corpus=c ferry --before --after", "search c ferry --stage crawl --stage corpus"),
        ("concordances --corpus-dir c --output p --word a --word b --lines 5", "search c a b --page p --limit 5"),
        ("why u --corpus c", "why c u"),
        ("export --corpus-dir c --formats tei", "export c --formats tei"),
        ("audit sample --corpus c", "audit sample c"),
        ("plan --config my.yaml --corpus mine", "plan my.yaml --only mine"),
        ("survey --config my.yaml --corpus mine", "survey --config my.yaml --only mine"),
        ("language --corpus-dir c --batch b --model cs", "step language c --batch b --model cs"),
        ("language table encodings --data d", "studies languages encodings --data d"),
        ("--times t tokens --batch b --corpus-dir c", "--times t step tokens c --batch b"),
        ("statistics merge before --corpus-dir c", "step statistics merge before c"),
        ("languages gather --corpus-dir c --crawl m --part 1", "step languages gather m c --part 1"),
        ("overview --corpus a en --corpus b cs", "step overview a b --language en --language cs"),
        ("experiments spex --corpus-dir c --output o", "studies experiments spex c --output o"),
        ("evaluation measure --data d", "studies evaluation measure --data d"),
        ("train texrex --gold g", "studies texrex train --gold g"),
        ("references sort a --output o", "archive sites a --output o"),
        ("references choose --corpus-dir c", "step references choose c"),
        ("seeds queries --language cs", "archive queries --language cs"),
        ("vrt a.vert.zst", "check vertical a.vert.zst"),
        ("reuse a b", "check reuse a b"),
    ],
)
def test_an_old_line_is_translated(old: str, new: str) -> None:
    """Arguments stand before options, as help shows them."""
    assert old_names.translated(old.split(), COMMANDS) == new.split()


@pytest.mark.parametrize(
    "line",
    ["why c u", "language make cs --output o", "show c", "build my.yaml -- --config a=b", "no", "", "--help"],
)
def test_other_lines_stay(line: str) -> None:
    """As they are, whatever is wrong with them."""
    assert old_names.translated(line.split(), COMMANDS) is None


def test_every_old_name_has_a_command() -> None:
    """The new name of each is there."""
    for new in old_names.COMMANDS.values():
        command: click.Command | None = application
        for word in new.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word)
        assert command is not None, new


@pytest.mark.parametrize("old", [name for name in old_names.COMMANDS if name != "seeds"])
def test_an_old_name_works_with_a_note(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The note has the new line; the output is that of the new command."""
    with pytest.raises(SystemExit) as end:
        main([*old.split(), "--help"])
    assert end.value.code == 0
    printed = capsys.readouterr()
    new = old_names.COMMANDS[old]
    assert printed.err == f"corpusprep: note: the next version knows this only as: corpusprep {new} --help\n"
    assert printed.out.startswith(f"Usage: corpusprep {new} ")


def test_no_file_uses_an_old_name() -> None:
    """Neither documents, messages and docstrings, nor the workflow, the Makefile and the benchmarks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a clone")
    names = [name for name in listed.stdout.split("\0") if Path(name).suffix in KINDS and name not in HISTORY]
    found = [
        f"{name}: {line[0]}"
        for name in names
        if (REPOSITORY / name).is_file()
        for line in LINE.finditer((REPOSITORY / name).read_text(encoding="utf-8", errors="ignore"))
        if old_names.translated(line[1].split(), COMMANDS) is not None
    ]
    assert found == []
