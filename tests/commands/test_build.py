"""`corpusprep build` is Snakemake with the workflow that comes with the package."""

import os
import pwd
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.running import ENVIRONMENT, REPOSITORY

from corpusprep import startup
from corpusprep.commands import build
from corpusprep.commands.application import main


def words_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[str]:
    """Returns what Snakemake is given."""
    given: list[str] = []

    def note(_: str, words: list[str]) -> None:
        given.extend(words)

    monkeypatch.setattr(os, "execv", note)
    monkeypatch.setattr(sys, "argv", ["corpusprep", "build", *arguments])
    monkeypatch.setenv(build.TYPED, "")  # set back at the end
    with pytest.raises(SystemExit) as end:
        main(["build", *arguments])
    assert end.value.code == 0
    assert given[:3] == [sys.executable, "-m", "snakemake"]
    assert os.environ[build.TYPED] == shlex.join(["corpusprep", "build", *arguments])  # for the line on how to go on
    return given[3:]


def test_the_words_of_snakemake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cores; with a profile, its own. What stands behind `--` comes last."""
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").touch()
    first = ["--configfile", "my.yaml", "--snakefile", str(REPOSITORY / "workflow" / "Snakefile")]
    assert words_of(monkeypatch, "my.yaml") == [*first, "--cores", "all"]
    assert words_of(monkeypatch, "my.yaml", "--cores", "2", "--dry-run", "--", "--forceall", "export") == [
        *first, "--dry-run", "--cores", "2", "--forceall", "export",
    ]  # fmt: skip
    assert words_of(monkeypatch, "--profile", "mine", "my.yaml") == [*first, "--workflow-profile", "mine"]
    monkeypatch.setattr(build, "find_spec", lambda name: name)  # as if SLURM's plugin were there
    shipped = str(REPOSITORY / "workflow" / "profiles" / "slurm")
    assert words_of(monkeypatch, "--profile", "slurm", "my.yaml") == [*first, "--workflow-profile", shipped]
    Path("slurm").mkdir()
    assert words_of(monkeypatch, "--profile", "slurm", "my.yaml") == [*first, "--workflow-profile", "slurm"]


def test_the_config_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is config.yaml; a profile of the folder says how many cores. Targets of studies need no config."""
    monkeypatch.chdir(tmp_path)
    last = ["--snakefile", str(REPOSITORY / "workflow" / "Snakefile"), "--cores", "all"]
    assert words_of(monkeypatch, "--", "evaluation") == [*last, "evaluation"]
    Path("config.yaml").touch()
    assert words_of(monkeypatch) == ["--configfile", "config.yaml", *last]
    assert words_of(monkeypatch, "--", "-n") == ["--configfile", "config.yaml", *last, "-n"]
    Path("profiles/default").mkdir(parents=True)
    Path("profiles/default/config.yaml").write_text("retries: 1\n", encoding="utf-8")
    assert words_of(monkeypatch) == ["--configfile", "config.yaml", *last]
    Path("profiles/default/config.yaml").write_text("cores: 3\n", encoding="utf-8")
    assert words_of(monkeypatch) == ["--configfile", "config.yaml", *last[:2]]


def test_a_user_may_have_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that is run with the number of a user of its host; Snakemake asks for the name."""
    monkeypatch.chdir(tmp_path)
    for name in ("LOGNAME", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("USER", "")

    def unknown(number: int) -> pwd.struct_passwd:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    words_of(monkeypatch, "--", "evaluation")
    assert os.environ["USER"] == str(os.getuid())


def test_what_is_missing_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A config, or Snakemake."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["build", "--", "--forceall"])
    assert capsys.readouterr().err == (
        f"corpusprep: error: {tmp_path} has no config.yaml; name a config, or write one:"
        " corpusprep init --language CODE --archives 'FOLDER/*.warc.gz'\n"
    )
    Path("config.yaml").touch()
    monkeypatch.setattr(startup, "find_spec", lambda name: None if name == "snakemake" else name)
    with pytest.raises(SystemExit):
        main(["build"])
    pip = f"{sys.executable} -m pip install"
    assert capsys.readouterr().err == f"corpusprep: error: workflow needs snakemake: {pip} 'corpusprep[workflow]'\n"
    monkeypatch.setattr(startup, "find_spec", lambda name: None if name in ("snakemake", "matplotlib") else name)
    monkeypatch.setattr(build, "find_spec", lambda _: None)
    with pytest.raises(SystemExit):
        main(["build", "--profile", "slurm"])
    assert capsys.readouterr().err.splitlines() == [
        f"corpusprep: error: {line}"
        for line in (
            "workflow needs snakemake",
            "the executor slurm has no plugin here",
            "report needs matplotlib",
            f"all of it: {pip} 'corpusprep[workflow,slurm,report]'",
        )
    ]


def test_it_ends_as_snakemake(tmp_path: Path) -> None:
    """A mistake in the config is one line, and the exit code is Snakemake's."""
    (tmp_path / "my.yaml").write_text("corpora:\n  mine: {language: en, archives: [none.warc.gz]}\n", encoding="utf-8")
    line = [sys.executable, "-m", "corpusprep", "build", "my.yaml", "--dry-run"]
    done = subprocess.run(line, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "none.warc.gz" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
