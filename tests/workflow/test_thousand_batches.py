"""The number of jobs that Snakemake plans for a thousand batches."""

import re
from pathlib import Path

import pytest
from support.running import run

pytestmark = pytest.mark.slow
BATCHES = 1000
ONCE_A_BATCH = {"encoding", "boilerplate", "tokens", "blocks_apply", "corpus"}
ONCE_A_BUNDLE = {"ngrams_words", "ngrams_runs", "blocks_match", "all_ngrams_runs"}
BUNDLES = 63  # of up to 16 batches


def test_jobs_of_a_thousand_batches(tmp_path: Path) -> None:
    """Five per batch, four per bundle of batches, and for all other rules as many as for one batch: under 5,300."""
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    for number in range(BATCHES):
        (crawl / f"{number:04}.warc.gz").write_bytes(b"not read by a dry run")
    corpora = {"large": {"language": "en", "archives": ["crawl/*.warc.gz"]}}
    done = run(tmp_path, {"batch_bytes": 1, "corpora": corpora}, "--dry-run", "--quiet")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("Job stats:") == 1
    table = done.stdout.partition("Job stats:")[2]
    counts = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}
    total = counts.pop("total")
    assert {rule for rule, count in counts.items() if count == BATCHES} == ONCE_A_BATCH
    assert {rule for rule, count in counts.items() if count == BUNDLES} == ONCE_A_BUNDLE
    assert total == sum(counts.values()) < BATCHES * len(ONCE_A_BATCH) + BUNDLES * len(ONCE_A_BUNDLE) + 30
