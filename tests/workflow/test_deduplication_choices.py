"""Whole workflows with other choices of block de-duplication: both units, and marks instead of removal."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.built_corpora import (
    check_ledger,
    decompressed,
    json_documents,
    sorted_corpus,
    stage,
    table,
    vertical_documents,
)
from support.reporting import MOST_OPEN_WORDS, open_words
from support.running import BIN, build, run, sample_config

from corpusprep.inspection.why import explain
from corpusprep.inspection.why_text import facts
from corpusprep.tables import schemas
from corpusprep.text.validation import problems

pytestmark = pytest.mark.slow

#: Blocks that share a few words are duplicates, so that the small sample has whole documents among them.
BOTH = {"unit": "both", "threshold": 0.2}
#: The same for clusters of near-duplicates.
CLUSTERS = {"share": 0.2, "keep": "longest"}


@pytest.fixture(scope="module")
def results(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The English sample with and without marks, by blocks and by both units; both units with marks in four batches."""
    english = sample_config(sample_crawl)["corpora"]["english"] | {"language": {"code": "en", "rivals": []}}
    marked = english | {"blocks": {"mark": True}}
    corpora = {
        "plain": english,
        "marked": marked,
        "marked-d": marked | {"boilerplate": {"preset": "D"}},
        "both": english | {"blocks": BOTH},
        "both-marked": english | {"blocks": BOTH | {"mark": True}, "batch_bytes": 1},
        "near": english | {"clusters": CLUSTERS},
        "near-marked": english | {"clusters": CLUSTERS, "blocks": {"mark": True}, "batch_bytes": 1},
    }
    return build(tmp_path_factory.mktemp("choices"), {"corpora": corpora})


Documents = dict[str, tuple[str, list[dict[str, Any]]]]  # text and blocks by id


def unmarked(corpus: Path) -> Documents:
    """The documents of a marked corpus as they would be without their marked blocks."""
    found = {}
    for document in json_documents(corpus):
        texts = zip(document["text"].split("\n"), document["blocks"], strict=True)
        kept = [(text, block) for text, block in texts if block.pop("duplicate") == "no"]
        if kept:
            found[document["id"]] = "\n".join(text for text, _ in kept), [block for _, block in kept]
    return found


def plain(corpus: Path) -> Documents:
    """The same of a corpus that is not marked."""
    return {document["id"]: (document["text"], document["blocks"]) for document in json_documents(corpus)}


def test_a_marked_corpus_is_the_corpus_and_its_duplicates(results: Path) -> None:
    """Without the marked blocks it is what removal leaves, in any batches; with them, what came into the stage."""
    assert len(list((results / "both-marked" / "blocks").glob("*.parquet"))) == 4
    assert unmarked(results / "marked") == plain(results / "plain")
    assert unmarked(results / "both-marked") == plain(results / "both")
    assert unmarked(results / "near-marked") == plain(results / "near")
    for name in ("marked", "both-marked", "near-marked"):
        before, after = table(results / name, "corpus_size")[-2:]
        assert (
            after | {"stage": "documents", "words_percent_of_previous": before["words_percent_of_previous"]} == before
        )
        assert sum(document["words"] for document in json_documents(results / name)) == int(after["words"])


def test_all_formats_have_the_marks(results: Path) -> None:
    """Vertical, JSON and Parquet say the same of each block; the sample has no stubs at this threshold."""
    corpus = results / "both-marked"
    lines = [re.findall(r'^<p .* duplicate="(\w+)">$', text, re.MULTILINE) for text in vertical_documents(corpus)]
    blocks = [[block["duplicate"] for block in document["blocks"]] for document in json_documents(corpus)]
    assert lines == blocks
    assert {mark for marks in blocks for mark in marks} == {"no", "block", "document"}
    for path in sorted((corpus / "corpus").glob("*.parquet")):
        assert pl.read_parquet_schema(path) == schemas.corpus(["duplicate"])
    assert pl.concat(map(pl.read_parquet, sorted((corpus / "corpus").glob("*.parquet")))).height == len(blocks)
    for path in (corpus / "corpus").glob("*.vert.zst"):
        assert list(problems(path)) == []
    assert "duplicate=" not in decompressed(next((results / "both" / "corpus").glob("*.vert.zst")))


@pytest.mark.parametrize("name", ["marked", "both", "both-marked", "near", "near-marked"])
def test_the_ledger_says_what_was_removed_or_marked(results: Path, name: str) -> None:
    """Its counts are those of the stage files; the report shows marks as what stays."""
    check_ledger(results / name)
    verdicts = {row["verdict"] for row in stage(results / name, "blocks")} - {"kept"}
    assert verdicts
    assert all(verdict.startswith("marked_") == ("marked" in name) for verdict in verdicts)
    report = (results / name / "report.html").read_text(encoding="utf-8")
    assert open_words(report) <= MOST_OPEN_WORDS
    for verdict in verdicts:
        assert f'<th scope="row">{verdict}</th>' in report
        assert (f'<tr class="kept"><th scope="row">{verdict}</th>' in report) == ("marked" in name)


def test_clusters_are_the_same_in_any_batches(results: Path) -> None:
    """What stays of each is in the corpus, and `why` names it for the others, which have their verdict."""
    tables = [pl.read_parquet(results / name / "clusters.parquet") for name in ("near", "near-marked")]
    own = pl.exclude("batch", "record", "document")
    assert tables[0].select(own).equals(tables[1].select(own))
    assert tables[0].height >= 4
    kept = {document["id"] for document in json_documents(results / "near")}
    gone = tables[0].filter(pl.col("verdict") == "near_duplicate")
    assert kept.issuperset(gone["representative"])
    assert kept.isdisjoint(gone["id"])
    for name in ("near", "near-marked"):
        [story] = explain(results / name, gone["id"][0])
        assert story.verdict.reason.endswith("near_duplicate")
        assert story.near_duplicate_of is not None
        other, share = story.near_duplicate_of
        assert (other.id, share) == (gone["representative"][0], gone["share"][0])
        assert gone["representative"][0] in dict(facts(story))["near copy"]
        [story] = explain(results / name, other.id)
        assert story.near_duplicate_of is None


def test_experiments_compare_only_with_a_corpus_of_the_default_way(results: Path) -> None:
    """The runs of the grid remove blocks, so the tokens of a marked corpus are not theirs."""
    config = json.loads((results.parent / "my.json").read_text(encoding="utf-8"))
    for name, compared in (("marked", False), ("plain", True)):
        corpora = {name: config["corpora"]["marked"] | {"blocks": {"mark": not compared}}}
        done = run(results.parent / name, {"corpora": corpora}, "--dry-run", "--printshellcmds", "experiments")
        assert done.returncode == 0, done.stdout + done.stderr
        printed = done.stdout + done.stderr
        assert "experiments grid" in printed
        assert ("--after-threshold 0.5" in printed) == compared


def test_a_marked_corpus_can_be_recut(results: Path, tmp_path: Path) -> None:
    """The marks are those of a full run with the other thresholds."""
    recut = results / "recut-d"
    command = [BIN / "corpusprep", "recut", results / "marked", "--preset", "D", "--output", recut]
    subprocess.run(command, check=True, capture_output=True)
    config = json.loads((results.parent / "my.json").read_text(encoding="utf-8"))
    build(tmp_path, {"results": str(results), "corpora": {"recut-d": config["corpora"]["marked-d"]}})
    assert sorted_corpus(recut) == sorted_corpus(results / "marked-d")
    assert sorted_corpus(recut) != sorted_corpus(results / "marked")
