"""Fixtures of the workflow tests."""

from pathlib import Path

import pytest
from support.running import build, sample_config


@pytest.fixture(scope="session")
def sample(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results folder of the sample's two corpora."""
    return build(tmp_path_factory.mktemp("sample"), sample_config(sample_crawl))
