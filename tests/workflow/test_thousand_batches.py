"""The number of jobs that Snakemake plans for a thousand batches."""

import re
from pathlib import Path

import pytest
from support.running import run

pytestmark = pytest.mark.slow
BATCHES = 1000
ONCE_A_BATCH = {"encoding", "boilerplate", "tokens", "blocks_apply", "corpus"}
ONCE_A_BUNDLE = {"ngrams_words", "ngrams_runs", "blocks_match", "all_ngrams_runs"}
ONCE_A_BUNDLE |= {"exact_sort", "exact_gather", "urls_sort"}  # with parts
BUNDLES = 63  # of up to 16 batches
PARTS = 100


def test_jobs_of_a_thousand_batches(tmp_path: Path) -> None:
    """Five per batch, seven per bundle of batches, eight per part, and few others.

    A part reads what all batches have written, but depends on one job (`complete`): otherwise a hundred parts would
    double the time of planning.
    """
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    for number in range(BATCHES):
        (crawl / f"{number:04}.warc.gz").write_bytes(b"not read by a dry run")
    corpora = {"large": {"language": "en", "archives": ["crawl/*.warc.gz"]}}
    done = run(tmp_path, {"batch_bytes": 1, "parts": PARTS, "corpora": corpora}, "--dry-run", "--quiet")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("Job stats:") == 1
    table = done.stdout.partition("Job stats:")[2]
    counts = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}
    total = counts.pop("total")
    assert {rule for rule, count in counts.items() if count == BATCHES} == ONCE_A_BATCH
    assert {rule for rule, count in counts.items() if count == BUNDLES} == ONCE_A_BUNDLE
    assert len([rule for rule, count in counts.items() if count == PARTS]) == 8
    assert counts["complete"] == 12
    assert total == sum(counts.values()) < BATCHES * len(ONCE_A_BATCH) + BUNDLES * len(ONCE_A_BUNDLE) + PARTS * 8 + 40
