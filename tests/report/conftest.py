"""Reports of made-up corpora."""

import pytest
from support import corpus_fixture as fixture
from support.reporting import Reported, report


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """A corpus of three batches, full of hostile text."""
    return report(tmp_path_factory.mktemp("reported"), fixture.draw())
