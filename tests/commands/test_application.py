"""The command line as a user meets it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from corpusprep.commands import step
from corpusprep.commands.application import COMMANDS, GROUPS, HELP, RARE, WORDS, main
from corpusprep.config import schema as config_schema
from corpusprep.pipeline import STAGES


def corpusprep(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own."""
    command = [str(Path(sys.executable).parent / "corpusprep"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_stage_is_a_step() -> None:
    """In the order of the pipeline."""
    assert [name for name in step.HELP if name in STAGES] == list(STAGES)


@pytest.mark.parametrize(
    ("stage", "unused"),
    [
        ("encoding", ("lxml", "numpy", "wordfreq", "yaml")),
        ("boilerplate", ("wordfreq", "yaml")),
        ("language", ("brotli", "lxml", "wordfreq", "yaml")),
        ("tokens", ("brotli", "lxml", "numpy", "wordfreq", "yaml")),
        ("blocks, corpusprep.dedup.decisions", ("lxml", "polars", "wordfreq", "yaml")),
        ("blocks, corpusprep.dedup.matches, corpusprep.dedup.block_table", ("lxml", "wordfreq", "yaml")),
    ],
)
def test_a_stage_loads_what_it_uses(stage: str, unused: tuple[str, ...]) -> None:
    """A job's start-up is a good part of what a small batch costs: libraries that others need stay out of it."""
    config_schema.schema()  # read by a process before, which has cached it
    code = f"import sys, corpusprep.commands.{stage}; print(sorted(set({unused}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("words", "kept"),
    [("step tokens", 10), ("step ngrams runs", 0), ("step statistics count", 30), ("studies experiments spex", 0)],
)
def test_a_command_keeps_memory_as_declared(words: str, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars reads it when it is loaded: before the module of the command is."""
    monkeypatch.setenv("_RJEM_MALLOC_CONF", "")
    with pytest.raises(SystemExit):
        main([*words.split(), "--help"])
    assert f"dirty_decay_ms:{kept},muzzy_decay_ms:0" in os.environ["_RJEM_MALLOC_CONF"]


def test_a_package_that_is_missing_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The group `studies` is in a package of its own."""
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    with pytest.raises(SystemExit) as end:
        main(["studies", "evaluation", "tables"])
    assert end.value.code == 1
    assert capsys.readouterr().err == (
        f"corpusprep: error: this needs the package studies: {sys.executable} -m pip install 'corpusprep[studies]'\n"
    )


def test_the_front_door_is_open() -> None:
    """What the package offers is there, loaded late as it is; and nothing else is."""
    import corpusprep as package

    assert package.extract("<a href=/>Home</a>")[0].label == "bad"
    assert all(getattr(package, name) for name in package.__all__)
    raised = ("ConfigError", "LanguageError", "ModelError", "OwnCodeError")  # as the functions' docstrings say
    assert all(issubclass(getattr(package, name), package.CorpusprepError) for name in raised)
    assert set(raised) <= set(package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'extracts'"):
        package.extracts  # noqa: B018


def test_help_fits_a_screen() -> None:
    """Of 80 columns and 24 lines, one of them the prompt: at most 14 commands, then the groups."""
    done = corpusprep("--help")
    lines = done.stdout.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert len(HELP) <= 14
    listed = [line.split()[0] for line in lines[5:] if line.startswith("  ")]
    assert listed == list(HELP)
    assert all(f"{name} (" in done.stdout.partition("Also: ")[2] for name in RARE)
    assert f"Groups, each with its own help: {', '.join((*GROUPS, 'studies'))}." in lines
    assert all(name in done.stdout.partition("Words: ")[2].partition("\n")[0] for name in WORDS)


@pytest.mark.parametrize("name", [*COMMANDS, "studies"])
def test_help_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command explains itself and its options."""
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert "Usage: corpusprep " + name in capsys.readouterr().out


def test_user_errors_are_one_line() -> None:
    """No traceback, exit code 1, and what to do."""
    done = corpusprep("extract", "-", "--language", "xx")
    assert done.returncode == 1
    assert done.stderr.startswith("corpusprep: error: ")
    assert done.stderr.count("\n") == 1
    assert "corpusprep language make" in done.stderr


def test_times_are_written(tmp_path: Path) -> None:
    """Wall-clock and CPU seconds and peak memory of the process, its start included."""
    (tmp_path / "a.warc").write_bytes(b"x")
    times = tmp_path / "times.tsv"
    done = corpusprep("--times", str(times), "step", "batches", "--archive", str(tmp_path / "a.warc"), str(tmp_path))
    assert done.returncode == 0, done.stderr
    header, row = times.read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["checksum", "wall_seconds", "cpu_seconds", "peak_memory_mb"]
    wall, cpu, peak = map(float, row.split("\t")[1:])
    assert wall > 0
    assert cpu > 0
    assert 10 < peak < 1000


def test_failed_commands_write_no_times(tmp_path: Path) -> None:
    """So that no failed attempt is counted."""
    done = corpusprep("--times", str(tmp_path / "t.tsv"), "step", "batches", "--archive", "none", str(tmp_path))
    assert done.returncode == 1
    assert not (tmp_path / "t.tsv").exists()
