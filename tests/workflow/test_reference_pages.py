"""The algorithm that compares the pages of a host, in a whole workflow."""

from pathlib import Path

import pytest
from support.built_corpora import check_ledger, sorted_corpus, stage
from support.running import build, sample_config

pytestmark = pytest.mark.slow


def test_pages_are_compared_whatever_the_batches(sample_crawl: Path, tmp_path: Path) -> None:
    """One batch, and a batch an archive: the same corpus, byte for byte; pages of a host do lose what they share."""
    english = sample_config(sample_crawl)["corpora"]["english"]
    settings = {name: english | {"boilerplate": {"algorithm": name}} for name in ("density", "density-site")}
    corpora = {
        "alone": settings["density"],
        "one": settings["density-site"],
        "many": settings["density-site"] | {"batch_bytes": 1},
    }
    results = build(tmp_path, {"corpora": corpora})
    for name in corpora:
        check_ledger(results / name)
    assert len(list((results / "many" / "references").iterdir())) > 2
    assert sorted_corpus(results / "one") == sorted_corpus(results / "many")
    kept = {name: sum(row["good_words"] for row in stage(results / name, "pages")) for name in corpora}
    assert 0 < kept["one"] < kept["alone"]
