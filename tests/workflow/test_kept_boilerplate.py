"""Whole workflows that keep boilerplate in the corpus, marked."""

import re
from pathlib import Path

import polars as pl
import pytest
from support.built_corpora import check_ledger, decompressed, json_documents, stage, table, vertical_documents
from support.reporting import MOST_OPEN_WORDS, open_words
from support.running import build, sample_config

from corpusprep.tables import schemas
from corpusprep.text.validation import problems

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def results(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The English sample by texrex, with its boilerplate and without."""
    english = sample_config(sample_crawl)["corpora"]["english"] | {
        "language": {"code": "en", "rivals": []},
        "boilerplate": {"algorithm": "texrex"},
    }
    folder = tmp_path_factory.mktemp("boilerplate")
    removed = build(folder / "remove", {"corpora": {"english": english}})
    kept = build(folder / "keep", {"corpora": {"english": english}, "corpus": {"boilerplate": "keep"}})
    assert removed.name == kept.name
    return folder


def test_all_decisions_are_those_without_boilerplate(results: Path) -> None:
    """The good blocks are the corpus that removal gives; verdicts, ledger and tables are the same."""
    kept, removed = (next(results.glob(f"{name}/*/english")) for name in ("keep", "remove"))
    plain = {document["id"]: document for document in json_documents(removed)}
    marked = {document["id"]: document for document in json_documents(kept)}
    assert list(marked) == list(plain)
    for name, document in marked.items():
        texts = zip(document["text"].split("\n"), document["blocks"], strict=True)
        good = [(text, block["block"]) for text, block in texts if not block["boilerplate"]]
        assert "\n".join(text for text, _ in good) == plain[name]["text"]
        assert [block for _, block in good] == [block["block"] for block in plain[name]["blocks"]]
    check_ledger(kept)
    reports = [(folder / "report.html").read_text(encoding="utf-8") for folder in (kept, removed)]
    assert max(map(open_words, reports)) <= MOST_OPEN_WORDS
    assert ["also have the boilerplate of its documents, marked" in report for report in reports] == [True, False]
    for name in ("ledger", "corpus_size", "duplicate_ngrams", "thresholds"):
        assert table(kept, name) == table(removed, name)


def test_all_formats_have_all_blocks_with_score_and_class(results: Path) -> None:
    """Vertical, JSON and Parquet say the same, in the order of the page; no block of boilerplate is missing."""
    corpus = next(results.glob("keep/*/english"))
    pattern = re.compile(
        r'^<p .*block="(\d+)" boilerplate="([01])" score="([01]\.\d{3})" class="([a-j])">$', re.MULTILINE
    )
    lines = [
        [(int(block), bad == "1", float(score), name) for block, bad, score, name in pattern.findall(text)]
        for text in vertical_documents(corpus)
    ]
    documents = json_documents(corpus)
    assert lines == [
        [(block["block"], block["boilerplate"], block["score"], block["class"]) for block in document["blocks"]]
        for document in documents
    ]
    assert {bad for blocks in lines for _, bad, _, _ in blocks} == {True, False}
    assert all([block for block, *_ in blocks] == sorted(block for block, *_ in blocks) for blocks in lines)
    records = {(row["batch"], row["record"]) for row in stage(corpus, "blocks") if row["verdict"] == "kept"}
    bad_blocks = [
        row
        for row in stage(corpus, "boilerplate")
        if (row["batch"], row["record"]) in records and row["label"] == "bad"
    ]
    assert sum(bad for blocks in lines for _, bad, _, _ in blocks) == len(bad_blocks)
    for path in (corpus / "corpus").glob("*.parquet"):
        assert pl.read_parquet_schema(path) == schemas.corpus(["boilerplate", "score", "class"])
    for path in (corpus / "corpus").glob("*.vert.zst"):
        assert list(problems(path)) == []
    removed = next(results.glob("remove/*/english"))
    assert "boilerplate=" not in decompressed(next((removed / "corpus").glob("*.vert.zst")))
