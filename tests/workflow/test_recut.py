"""A corpus with other thresholds, made from stored scores by `recut`."""

import subprocess
from pathlib import Path

import pytest
from support.built_corpora import sorted_corpus
from support.running import BIN, build, sample_config

pytestmark = pytest.mark.slow


def test_a_recut_corpus_is_that_of_a_full_run(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """Byte for byte; after recut, the workflow does not read the archives again."""
    results = tmp_path / "results"
    recut = results / "english-d"
    command = [BIN / "corpusprep", "recut", sample / "english", "--preset", "D", "--output", recut]
    subprocess.run(command, check=True, capture_output=True)
    tables = [*recut.glob("boilerplate/*.parquet"), *recut.glob("encoding/*.parquet")]
    written = {path: path.stat().st_mtime_ns for path in tables}
    preset_d = sample_config(sample_crawl)["corpora"]["english"] | {"boilerplate": {"preset": "D"}}
    build(tmp_path, {"corpora": {"english-d": preset_d, "full": preset_d}})
    assert {path: path.stat().st_mtime_ns for path in tables} == written
    assert sorted_corpus(recut) == sorted_corpus(results / "full")
    assert sorted_corpus(recut) != sorted_corpus(sample / "english")
