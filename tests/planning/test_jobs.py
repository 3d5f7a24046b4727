"""What jobs ask for."""

import pytest

from corpusprep.planning import jobs
from corpusprep.planning.forecast import load_costs

#: Of docs/measurements/scale.md.
ARCHIVE_BYTES_PER_TOKEN = 14.22


def test_memory_follows_the_batch() -> None:
    """The tables of a batch are held as a whole, in whatever archives its pages are."""
    asked = [jobs.batch_memory_mb(size) for size in (1, 10**8, 10**9)]
    assert asked[0] == jobs.LEAST_MEMORY_MB
    assert asked[0] < asked[1] < asked[2]


@pytest.mark.parametrize("step", ["encoding", "boilerplate", "language", "tokens", "blocks apply", "corpus"])
def test_a_batch_asks_for_twice_what_was_measured(step: str) -> None:
    """For a gigabyte of archives with as many tokens per byte as the measured crawl."""
    cost = load_costs()[step]
    measured = cost.start_megabytes + cost.megabytes * 10**9 / ARCHIVE_BYTES_PER_TOKEN / 1e6
    assert jobs.batch_memory_mb(10**9) > 2 * measured


def test_minutes_follow_all_archives() -> None:
    """Of the batch, or of the corpus."""
    assert jobs.batch_minutes(1) == jobs.global_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.batch_minutes(2 * 10**9) > jobs.LEAST_MINUTES
    assert jobs.global_minutes(10**12) > jobs.LEAST_MINUTES


def test_a_global_job_gets_its_memory_and_room_for_snakemake() -> None:
    """The setting says what the stage itself may use."""
    assert jobs.global_memory_mb("4G") == 4000 + jobs.SNAKEMAKE_MB
    assert jobs.global_memory_mb("100M") == jobs.LEAST_MEMORY_MB


def test_tables_of_the_corpus_take_memory_by_its_size() -> None:
    """Reference pages are chosen from the tables of all batches."""
    assert jobs.corpus_memory_mb(10**12) > jobs.corpus_memory_mb(10**9) > jobs.LEAST_MEMORY_MB


def test_options_of_a_language_made_from_samples() -> None:
    """Lists repeat their option; encodings are given one by one."""
    made = {"text": ["a b.txt", "c.txt"], "name": "Sorbian", "encodings": ["iso-8859-2"]}
    expected = "--text 'a b.txt' --text c.txt --name Sorbian --encoding iso-8859-2"
    assert jobs.sample_options(made) == expected


def test_experiments_ask_by_the_size_of_what_they_measure() -> None:
    """Of the corpus; of the largest set of n-grams."""
    assert jobs.experiment_minutes(10**10) > jobs.experiment_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.set_memory_mb(10**8) > jobs.set_memory_mb(1) == jobs.LEAST_MEMORY_MB
    assert jobs.set_memory_minutes(10**8) > jobs.set_memory_minutes(1) == jobs.LEAST_MINUTES
