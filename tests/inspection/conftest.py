"""Fixtures of the tests of inspection."""

import pytest
from support import made_results


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> made_results.Results:
    """Three made-up corpora, and a folder that is none."""
    return made_results.write(tmp_path_factory.mktemp("results"))
