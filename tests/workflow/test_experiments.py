"""The target `experiments` as a workflow, on a sample corpus."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.built_corpora import table
from support.running import build, run, sample_config

pytestmark = pytest.mark.slow


def config(crawl: Path) -> dict[str, Any]:
    """The English sample corpus, with small sets of n-grams."""
    corpora = {"english": sample_config(crawl)["corpora"]["english"]}
    return {"corpora": corpora, "experiments": {"most_keys": 10_000}}


def rows(folder: Path, name: str) -> dict[tuple[str, str], str]:
    """(row, column) -> ours."""
    with (folder / "experiments" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return {(row["row"], row["score"]): row["ours"] for row in csv.DictReader(file, delimiter="\t")}


@pytest.fixture(scope="module")
def english(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with the results of its experiments."""
    return build(tmp_path_factory.mktemp("experiments"), config(sample_crawl), "--", "all", "experiments") / "english"


def test_the_corpus_is_one_run_of_the_grid(english: Path) -> None:
    """The run with the corpus's own settings leaves as many tokens and duplicate 10-grams as the workflow."""
    size = {row["stage"]: row["tokens"] for row in table(english, "corpus_size")}
    (ngrams,) = table(english, "duplicate_ngrams")
    grid = rows(english, "table_3_4")
    own, none = "without stop words and punctuation, n = 10", "no de-duplication"
    assert grid[own, "n-grams used"] == ngrams["ngrams_used"]
    assert (grid[none, "tokens left"], grid[own, "tokens left"]) == (size["documents"], size["blocks"])
    before, after = ngrams["duplicate_10grams_before"], ngrams["duplicate_10grams_after"]
    assert (grid[none, "duplicate 10-grams left"], grid[own, "duplicate 10-grams left"]) == (before, after)


def test_methods_agree_where_they_measure_the_same(english: Path) -> None:
    """SPEX, the count by hosts, and sorting find the same number of duplicate n-grams of all tokens."""
    spex, lengths, grid = (rows(english, f"table_3_{number}") for number in (1, 3, 4))
    for n in (3, 5, 7, 10):
        recurring = sum(int(lengths[f"n = {n}", f"all: {part}-domain"]) for part in ("cross", "single"))
        assert int(spex[f"n = {n}", "duplicate types"]) == recurring > 0
        assert int(grid[f"all tokens, n = {n}", "n-grams used"]) == recurring
    assert "<svg" in (english / "experiments" / "report.html").read_text(encoding="utf-8")


def test_ngrams_that_spex_does_not_find_stop_the_workflow(english: Path, sample_crawl: Path) -> None:
    """If the counts lack an n-gram, no table is written."""
    from corpusprep.dedup.all_ngrams import DuplicateCounts

    path = english / "ngrams" / "before" / "duplicates.tsv"
    found = DuplicateCounts.read(path)
    replace(found, types=found.types - 1).write(path)
    try:
        failed = run(english.parents[1], config(sample_crawl), "--forcerun", "experiments_spex", "--", "experiments")
        assert failed.returncode != 0
        assert "the statistics found" in failed.stdout + failed.stderr
    finally:
        found.write(path)
