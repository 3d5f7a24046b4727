"""A whole workflow with the algorithm that compares the pages of a host."""

from pathlib import Path

import pytest
from support.built_corpora import check_ledger, sorted_corpus, stage
from support.running import build, sample_config

pytestmark = pytest.mark.slow


def test_comparing_pages_does_not_depend_on_batches(sample_crawl: Path, tmp_path: Path) -> None:
    """One batch, and one batch per archive, give the same corpus; parts that pages of a host share are removed."""
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
