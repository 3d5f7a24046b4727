"""A copy of the package with changes, used by processes of their own: what a recipe of CONTRIBUTING.md leads to."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support.running import REPOSITORY


def copy_package(folder: Path, added: Mapping[str, str], changed: Mapping[str, Mapping[str, str]]) -> Path:
    """Copies the package into a folder.

    Args:
        folder: the folder.
        added: path of a new file in the package -> its text.
        changed: path of a file in the package -> texts that it has once -> what stands in place of them.
    """
    package = folder / "corpusprep"
    shutil.copytree(REPOSITORY / "corpusprep", package, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in added.items():
        assert not (package / path).exists()
        (package / path).write_text(text, encoding="utf-8")
    for path, texts in changed.items():
        source = (package / path).read_text(encoding="utf-8")
        for old, new in texts.items():
            assert source.count(old) == 1, (path, old)
            source = source.replace(old, new)
        (package / path).write_text(source, encoding="utf-8")
    return folder


def run_with(folder: Path, script: str, *arguments: object) -> str:
    """Runs a script with the package in `folder`, the helpers of the tests and the generator of the reference.

    Returns:
        What it prints.
    """
    paths = [folder, REPOSITORY / "tests", REPOSITORY / "docs"]
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
