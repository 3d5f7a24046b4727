"""Fixtures of the workflow tests."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.running import REPOSITORY, build, sample_config


@pytest.fixture(scope="session")
def sample_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's archives, packed anew."""
    folder = tmp_path_factory.mktemp("crawl")
    pack = [sys.executable, str(REPOSITORY / "config" / "sample" / "pack.py"), "--output", str(folder)]
    subprocess.run(pack, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def sample(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results folder of the sample's two corpora."""
    return build(tmp_path_factory.mktemp("sample"), sample_config(sample_crawl))
