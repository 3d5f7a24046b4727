"""What jobs ask for."""

import re
from pathlib import Path

import pytest

from corpusprep import jobs
from corpusprep.batches import Batch

RULES = Path(__file__).parents[1] / "workflow" / "rules"
#: Rules of a second or two, on the machine that runs the workflow; and what has no batches.
WITHOUT = {"batches", "language_model", "languages"}


def batch(*sizes: int) -> Batch:
    """Archives of these sizes."""
    return Batch("b", tuple(Path(f"{number}.warc") for number in range(len(sizes))), sizes)


def test_memory_follows_the_largest_archive() -> None:
    """Archives are read one after the other."""
    asked = [jobs.batch_memory_mb(batch(*sizes)) for sizes in ((1,), (10**8,), (10**8, 10**8), (10**9, 10**8))]
    assert asked[0] == jobs.LEAST_MEMORY_MB
    assert asked[0] < asked[1] == asked[2] < asked[3]


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
    """Statistics and the report read the tables of all batches."""
    assert jobs.corpus_memory_mb(10**12) > jobs.corpus_memory_mb(10**9) > jobs.LEAST_MEMORY_MB


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
