"""`corpusprep build` is Snakemake with the workflow of the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.running import ENVIRONMENT, REPOSITORY

from corpusprep.commands import build
from corpusprep.commands.application import main


def words_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[str]:
    """Returns what Snakemake is given."""
    given: list[str] = []

    def note(_: str, words: list[str]) -> None:
        given.extend(words)

    monkeypatch.setattr(os, "execv", note)
    with pytest.raises(SystemExit) as end:
        main(["build", *arguments])
    assert end.value.code == 0
    assert given[:3] == [sys.executable, "-m", "snakemake"]
    return given[3:]


def test_the_words_of_snakemake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cores; with a profile, its own. What stands behind `--` comes last."""
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").touch()
    first = ["--configfile", "my.yaml", "--snakefile", str(REPOSITORY / "Snakefile")]
    assert words_of(monkeypatch, "my.yaml") == [*first, "--cores", "all"]
    assert words_of(monkeypatch, "my.yaml", "--cores", "2", "--dry-run", "--", "--forceall", "export") == [
        *first, "--dry-run", "--cores", "2", "--forceall", "export",
    ]  # fmt: skip
    assert words_of(monkeypatch, "--profile", "slurm", "my.yaml") == [*first, "--workflow-profile", "slurm"]


def test_what_is_missing_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The workflow, or Snakemake."""
    (tmp_path / "my.yaml").touch()
    monkeypatch.setattr(build, "find_spec", lambda _: None)
    with pytest.raises(SystemExit):
        main(["build", str(tmp_path / "my.yaml")])
    assert capsys.readouterr().err == (
        f"corpusprep: error: this needs snakemake: {sys.executable} -m pip install 'corpusprep[workflow]'\n"
    )
    monkeypatch.setattr(build, "SNAKEFILE", tmp_path / "Snakefile")
    with pytest.raises(SystemExit):
        main(["build", str(tmp_path / "my.yaml")])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"corpusprep: error: {tmp_path / 'Snakefile'}: no such file; ")


def test_it_ends_as_snakemake(tmp_path: Path) -> None:
    """A mistake in the config is one line, and the exit code is Snakemake's."""
    (tmp_path / "my.yaml").write_text("corpora:\n  mine: {language: en, archives: [none.warc.gz]}\n", encoding="utf-8")
    line = [sys.executable, "-m", "corpusprep", "build", "my.yaml", "--dry-run"]
    done = subprocess.run(line, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "none.warc.gz" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
