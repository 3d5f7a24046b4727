"""Faults of a command line: one line that says what to do."""

import re
from collections.abc import Iterator

import click
import pytest

from corpusprep.commands import options
from corpusprep.commands.application import application, main

#: Names of the parameters that are the folder of a corpus.
PARAMETERS = {"corpus", "corpus_dir", "corpora", "crawl"}


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
        ("tokesn", "no such command tokesn; did you mean step tokens? See corpusprep --help"),
        ("step tokesn", "step: no such command tokesn; did you mean tokens? See corpusprep step --help"),
        (
            "step ngrams word",
            "step ngrams: no such command word; did you mean words? See corpusprep step ngrams --help",
        ),
        (
            "studies evalution",
            "studies: no such command evalution; did you mean evaluation? See corpusprep studies --help",
        ),
        ("--bogus", "no such option --bogus; see corpusprep --help"),
        (
            "step encoding --text x",
            "step encoding: --text: 'x' is not one of 'keep', 'classify', 'leave'; see corpusprep step encoding --help",
        ),
        (
            "step exact part /tmp --part 3",
            "step exact part: --part: 3 is not one of 1 parts, which are numbered from 0;"
            " see corpusprep step exact part --help",
        ),
        (
            "step language",
            "step language: CORPUS is missing; write corpusprep step language [OPTIONS] CORPUS;"
            " see corpusprep step language --help",
        ),
    ],
)
def test_a_fault_is_one_line(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on standard output, and click's exit code."""
    with pytest.raises(SystemExit) as end:
        main(arguments.split())
    assert end.value.code == 2
    assert capsys.readouterr() == ("", f"corpusprep: error: {message}\n")


def walk(command: click.Command, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yields all commands with their names, groups before their commands."""
    yield names, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from walk(inner, (*names, name))


def test_help_says_what_each_command_does() -> None:
    """On lines of 80 columns, no sentence of a list of commands is cut; so in groups within groups."""
    context = click.Context(application, terminal_width=80)
    groups = [command for names, command in walk(application) if names and isinstance(command, click.Group)]
    assert len(groups) > 12
    for group in groups:
        formatter = context.make_formatter()
        group.format_commands(context, formatter)
        listed = formatter.getvalue()
        assert "..." not in listed, listed
        assert len(re.findall(r"\.$", listed, re.MULTILINE)) >= len(group.list_commands(context))


def test_every_command_names_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Without options, a command names the first that it needs; groups and commands without required ones do not."""
    needy = [names for names, command in walk(application) if any(param.required for param in command.params)]
    assert len(needy) > 60
    for names in needy:
        with pytest.raises(SystemExit) as end:
            main(list(names))
        assert end.value.code == 2
        [line] = capsys.readouterr().err.splitlines()
        name = " ".join(names)
        assert line.startswith(f"corpusprep: error: {name}: ")
        assert " is missing; " in line
        assert line.endswith(f"see corpusprep {name} --help")


def test_a_corpus_is_named_in_one_way() -> None:
    """The folder of a corpus is the first argument, with the same name and description; no option names it."""
    found = {names: command.params for names, command in walk(application)}
    of_corpora = {names for names, params in found.items() if any(one.name in PARAMETERS for one in params)}
    assert {("why",), ("search",), ("export",), ("audit", "sample"), ("step", "tokens")} <= of_corpora
    for names in of_corpora:
        [first, *_] = [one for one in found[names] if isinstance(one, click.Argument) and one.name != "measured"]
        assert first.metavar in {"CORPUS", "CORPUS...", "CRAWL"}, names
        assert isinstance(first, options.Described), names
    for names, params in found.items():
        given = {option for one in params for option in one.opts}
        assert not given & {"--corpus", "--corpus-dir", "--crawl"}, names
