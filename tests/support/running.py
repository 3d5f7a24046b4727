"""Runs whole workflows in folders of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

#: The environment of a user who has not activated the virtual environment.
ENVIRONMENT = {**os.environ, "PATH": os.defpath, "COLUMNS": "80"}


def command(config: Path, cores: int = 2, *options: str, tree: Path = REPOSITORY) -> list[str]:
    """The command line that builds what `config` names, from any working directory."""
    start = [str(BIN / "snakemake"), "-s", str(tree / "Snakefile"), "--cores", str(cores)]
    return [*start, "--configfile", str(config), *options]


def write_config(folder: Path, config: dict[str, Any]) -> Path:
    """The config as a file in `folder`; jusText cleans if it says nothing: what tests count are its blocks."""
    if "corpora" in config and "boilerplate" not in config:
        config = config | {"boilerplate": {"algorithm": "justext"}}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "my.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def run(
    folder: Path, config: dict[str, Any], *options: str, cores: int = 2, tree: Path = REPOSITORY
) -> subprocess.CompletedProcess[str]:
    """Runs the workflow in `folder` and returns its result, also after a failure; or that of another `tree`."""
    return subprocess.run(
        command(write_config(folder, config), cores, *options, tree=tree),
        cwd=folder,
        env=ENVIRONMENT if tree == REPOSITORY else ENVIRONMENT | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )


def build(folder: Path, config: dict[str, Any], *options: str, cores: int = 2, tree: Path = REPOSITORY) -> Path:
    """Runs the workflow in `folder`, which must succeed, and returns its results folder."""
    done = run(folder, config, *options, cores=cores, tree=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / config.get("results", "results")


def sample_config(crawl: Path) -> dict[str, Any]:
    """The two sample corpora, from the archives in `crawl`."""
    archives = [str(crawl / "*.warc.gz")]
    return {
        "corpora": {
            "english": {"language": "en", "archives": archives},
            "czech": {"language": "cs", "archives": archives},
        }
    }
