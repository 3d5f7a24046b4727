"""`corpusprep doctor` names what there is, and what would fail."""

import importlib.metadata
import re

import pytest

from corpusprep.commands.application import main
from corpusprep.io import installation, machine


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Runs the command; returns its exit code, and what it prints."""
    with pytest.raises(SystemExit) as end:
        main(["doctor"])
    return int(str(end.value.code)), capsys.readouterr().out


def test_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Versions, extras, kernels, cores, memory and disks."""
    code, said = doctor(capsys)
    assert code == 0
    assert re.search(r"^libraries: .*\blxml \d.*\bpolars \d", said, re.MULTILINE)
    assert re.search(r"^\[workflow\]: snakemake \d", said, re.MULTILINE)
    assert re.search(r"^kernels: \d\d; ", said, re.MULTILINE)
    assert re.search(r"^cores: \d+; memory: \d+M installed", said, re.MULTILINE)
    assert said.count("\nfree for ") == 2


def test_what_would_fail_is_one_line_with_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A package that runs need; a small machine; a processor without AVX2."""
    usual = importlib.metadata.version

    def version(name: str) -> str:
        if name in ("snakemake", "matplotlib", "pyicu-wheels"):
            raise importlib.metadata.PackageNotFoundError(name)
        return usual(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(machine, "memory", lambda: 500_000_000)
    monkeypatch.setattr(machine, "room", lambda _: 5_000_000)
    monkeypatch.setattr(machine, "processor_features", lambda: frozenset({"ssse3"}))
    monkeypatch.setattr(machine, "is_x86", lambda: True)
    code, said = doctor(capsys)
    assert code == 1
    assert "[icu]: lacks pyicu-wheels" in said
    faults = said.partition("What would fail:\n")[2].splitlines()
    build, runs, *disks = [line for line in faults if "polars" not in line]
    assert re.match(r"  corpusprep build: \S+ -m pip install 'corpusprep\[workflow,report\]'", build)
    assert runs.startswith("  runs: 500M of memory")
    assert len(disks) == 2
    assert "'polars[rtcompat]'" in said


def test_extras_in_extras_are_taken_apart() -> None:
    """[slurm] has what [workflow] has."""
    needs = installation.requirements()
    assert {"snakemake", "snakemake-executor-plugin-slurm"} <= set(needs["slurm"])
    assert "lxml" in needs[""]


def test_every_extra_of_users_is_looked_for() -> None:
    """The others are for work on the package."""
    assert {"", *installation.EXTRAS, "bench", "docs", "lint", "test"} == installation.requirements().keys()


def test_limits_of_a_group_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may have less memory than the machine."""
    monkeypatch.setattr(machine, "group_memory", lambda: 1 << 20)
    assert machine.memory() == 1 << 20
    monkeypatch.setattr(machine, "group_memory", lambda: None)
    assert machine.memory() == machine.installed_memory() > 1 << 20
