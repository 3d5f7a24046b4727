"""Faults of a command line: one line that says what to do."""

import re

import click
import pytest

from corpusprep.commands.application import COMMANDS, application, main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "fetch x",
            "fetch: --output is missing; give --output DIRECTORY (Folder for the archives);"
            " see corpusprep fetch --help",
        ),
        ("fetch", "fetch: SOURCE is missing; write corpusprep fetch [OPTIONS] SOURCE...; see corpusprep fetch --help"),
        ("fetch x --outptu y", "fetch: no such option --outptu; did you mean --output? See corpusprep fetch --help"),
        ("fetch x --qqqq y", "fetch: no such option --qqqq; see corpusprep fetch --help"),
        ("fetch x --output", "fetch: Option '--output' requires an argument; see corpusprep fetch --help"),
        ("shwo", "no such command shwo; did you mean show? See corpusprep --help"),
        ("audit sampel", "audit: no such command sampel; did you mean sample? See corpusprep audit --help"),
        ("--bogus", "no such option --bogus; see corpusprep --help"),
        (
            "encoding --text x",
            "encoding: --text: 'x' is not one of 'keep', 'classify', 'leave'; see corpusprep encoding --help",
        ),
        (
            "exact part --corpus-dir /tmp --part 3",
            "exact part: --part: 3 is not one of 1 parts, which are numbered from 0; see corpusprep exact part --help",
        ),
        (
            "language",
            "language: --corpus-dir is missing; give it, or one of the commands make, list, show;"
            " see corpusprep language --help",
        ),
    ],
)
def test_a_fault_is_one_line(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on standard output, and click's exit code."""
    with pytest.raises(SystemExit) as end:
        main(arguments.split())
    assert end.value.code == 2
    assert capsys.readouterr() == ("", f"corpusprep: error: {message}\n")


def test_help_says_what_each_command_does() -> None:
    """On lines of 80 columns, no sentence of a list of commands is cut; so in groups within groups."""
    context = click.Context(application, terminal_width=80)
    groups = [
        application,
        *(one for name in COMMANDS if isinstance(one := application.get_command(context, name), click.Group)),
    ]
    assert len(groups) > 12
    for group in groups:
        formatter = context.make_formatter()
        group.format_commands(context, formatter)
        listed = formatter.getvalue()
        assert "..." not in listed, listed
        assert len(re.findall(r"\.$", listed, re.MULTILINE)) >= len(group.list_commands(context))


def test_every_command_names_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Without options, a command names the first that it needs; groups and commands without required ones do not."""
    context = click.Context(application)
    loaded = {name: application.get_command(context, name) for name in COMMANDS}
    needy = [name for name, one in loaded.items() if one is not None and any(param.required for param in one.params)]
    assert len(needy) > 15
    for name in needy:
        with pytest.raises(SystemExit) as end:
            main([name])
        assert end.value.code == 2
        [line] = capsys.readouterr().err.splitlines()
        assert line.startswith(f"corpusprep: error: {name}: ")
        assert " is missing; " in line
        assert line.endswith(f"see corpusprep {name} --help")
