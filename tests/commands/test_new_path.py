"""Options that name what a command writes: a mistyped path makes no folders."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corpusprep.commands.application import application, main
from corpusprep.commands.new_path import NewPath


def options(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Option]]:
    """Every option of every command, by the words of the command."""
    context = click.Context(command)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield f"{name} {parameter.opts[0]}".strip(), parameter
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from options(found, f"{name} {inner}")


def test_every_option_that_is_written_to_checks_its_folder() -> None:
    """Those that are named --output, and the others."""
    names = {"--output", "--times", "--clusters", "--floors"}
    written = {name: option for name, option in options(application) if option.opts[0] in names}
    assert len(written) > 15
    assert [name for name, option in written.items() if not isinstance(option.type, NewPath)] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["language", "make", "cs", "--output", "none/cs.model"],
        ["language", "calibrate", "--data", ".", "--output", "none/calibration.tsv"],
        ["--times", "none/times.tsv", "show", "corpus"],
        ["recut", "corpus", "--output", "none/results/d"],
        ["step", "batches", "--archive", "a.warc", "none/results/a"],
        ["studies", "evaluation", "tables", "--measured", ".", "--output", "none/deep"],
        ["studies", "experiments", "set-memory", "--output", "none/set.tsv"],
    ],
)
def test_no_folder_is_made_for_a_mistyped_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """One line names the folder that is missing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus").mkdir()
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(("corpusprep: error: --", "corpusprep: error: CORPUS "))
    assert f"there is no folder {tmp_path / 'none'}" in line
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_results_folder_is_made_with_its_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """results/news may be new, as the first command of a corpus by hand writes it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.warc").write_bytes(b"x")
    with pytest.raises(SystemExit) as end:
        main(["step", "batches", "--archive", "a.warc", "results/news"])
    assert end.value.code == 0
    assert (tmp_path / "results" / "news" / "batches.tsv").is_file()
