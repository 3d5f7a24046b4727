"""What jobs ask for."""

import re
from pathlib import Path

import pytest

from corpusprep.archive.batches import Batch
from corpusprep.planning import jobs
from corpusprep.planning.forecast import load_costs

RULES = Path(__file__).parents[2] / "workflow" / "rules"
#: Rules of a second or two, on the machine that runs the workflow; and what has no batches.
WITHOUT = {"batches", "rivals", "language_model", "languages"}

#: Of docs/scale.md.
ARCHIVE_BYTES_A_TOKEN = 14.22


def batch(*sizes: int) -> Batch:
    """Archives of these sizes."""
    return Batch("b", tuple(Path(f"{number}.warc") for number in range(len(sizes))), sizes)


def test_memory_follows_the_batch() -> None:
    """The tables of a batch are held as a whole, in whatever archives its pages are."""
    asked = [jobs.batch_memory_mb(batch(*sizes)) for sizes in ((1,), (10**8,), (10**9,), (5 * 10**8, 5 * 10**8))]
    assert asked[0] == jobs.LEAST_MEMORY_MB
    assert asked[0] < asked[1] < asked[2] == asked[3]


@pytest.mark.parametrize("step", ["encoding", "boilerplate", "language", "tokens", "blocks apply", "corpus"])
def test_a_batch_asks_for_twice_what_was_measured(step: str) -> None:
    """For a gigabyte of archives with as many tokens per byte as the measured crawl."""
    cost = load_costs()[step]
    measured = cost.start_megabytes + cost.megabytes * 10**9 / ARCHIVE_BYTES_A_TOKEN / 1e6
    assert jobs.batch_memory_mb(batch(10**9)) > 2 * measured


def test_minutes_follow_all_archives() -> None:
    """Of the batch, or of the corpus."""
    assert jobs.batch_minutes(batch(1)) == jobs.global_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.batch_minutes(batch(10**9, 10**9)) == jobs.batch_minutes(batch(2 * 10**9)) > jobs.LEAST_MINUTES
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


@pytest.mark.parametrize("stage", ["documents", "ngrams", "blocks", "corpus"])
def test_global_steps_may_use_the_memory_of_the_config(stage: str) -> None:
    """Every command of documents, ngrams and blocks is given it, and its job asks for it."""
    for name, body in re.findall(r"^rule (\w+):\n((?: .*\n|\n)+)", (RULES / f"{stage}.smk").read_text(), re.MULTILINE):
        shell = re.sub(r'"\n\s*"', "", body.partition("    shell:\n")[2])
        steps = re.findall(r"corpusprep --times \S+ (?:documents|ngrams|blocks) (.*?)(?:&&|2>|$)", shell)
        assert len(steps) == 1, name
        assert "--memory {params.memory:q}" in steps[0]
        assert "        memory=memory,\n" in body
        assert re.search(r"mem_mb=(global_memory_mb|blocks_memory_mb),", body)


@pytest.mark.parametrize("path", sorted(RULES.glob("*.smk")), ids=lambda path: path.stem)
def test_every_rule_on_a_corpus_asks_by_size_and_attempt(path: Path) -> None:
    """Memory and run time are functions of common.smk, each of which multiplies by the attempt."""
    common = (RULES / "common.smk").read_text()
    for name, body in re.findall(r"^rule (\w+):\n((?: .*\n|\n)+)", path.read_text(), re.MULTILINE):
        if "{folder}" not in body or name in WITHOUT:
            continue
        for resource in ("mem_mb", "runtime"):
            function = re.search(rf" {resource}=(\w+),", body)
            assert function, f"{name} asks for no {resource}"
            assert re.search(rf"def {function[1]}\(wildcards, attempt\):\n.*\n    return .* \* attempt\n", common)
