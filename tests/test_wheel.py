"""The wheel is the whole tool: in an environment of its own, outside the clone, without a compiler."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support.running import REPOSITORY

from corpusprep._native import tokens
from studies.targets import WITHOUT_CORPORA

STUDIES = ("evaluation", "languages", "models", "texrex", "lecture_reuse", "studies")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel; libraries come from this one. The kernels are those built here."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    kernels = f"cmake.define.CORPUSPREP_KERNELS={Path(tokens.__file__).parent}"
    build = [*pip, "wheel", "--no-deps", "-C", kernels, "-C", f"build-dir={folder}/build", "-w", folder, REPOSITORY]
    plain = {name: value for name, value in os.environ.items() if name != "CORPUSPREP_LINKED"}
    subprocess.run(build, env=plain, check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    [wheel] = folder.glob("*.whl")
    programs = folder / "env" / "bin"
    subprocess.run([*pip, "--python", programs / "python", "install", "--no-deps", "--no-index", wheel], check=True)
    site = next((folder / "env").glob("lib/python3*/site-packages"))
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


def run(programs: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the installed command in a folder; no compiler and no program of this clone is found."""
    environment = {"PATH": "/nonexistent:/bin", "HOME": str(folder), "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    line = [programs / "corpusprep", *arguments]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_wheel_builds_the_sample(programs: Path, tmp_path: Path) -> None:
    """From an empty folder in two commands; the second once more has nothing to do."""
    place = subprocess.run(
        [programs / "python", "-c", "import corpusprep, studies; print(corpusprep.__file__, studies.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(name.startswith(str(programs.parent)) for name in place.stdout.split())
    begun = run(programs, tmp_path, "init", "--sample", "demo")
    assert begun.returncode == 0, begun.stderr
    done = run(programs, tmp_path / "demo", "build")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Languages: sample" in done.stderr
    assert list((tmp_path / "demo" / "results" / "sample" / "en" / "corpus").glob("*.vert.zst"))
    again = run(programs, tmp_path / "demo", "build")
    assert "Nothing to be done" in again.stderr
    assert run(programs, tmp_path / "demo", "doctor").returncode == 0


@pytest.mark.slow
def test_a_wheel_plans_the_studies(programs: Path, tmp_path: Path) -> None:
    """Models, published tables and rules are in it; gold sets that are not there have no jobs."""
    assert all(map(WITHOUT_CORPORA.match, STUDIES))
    done = run(programs, tmp_path, "build", "--dry-run", "--", *STUDIES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(re.search(rf"^{target} +1$", done.stdout + done.stderr, re.MULTILINE) for target in STUDIES)
