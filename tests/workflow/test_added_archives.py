"""Archives added to a built corpus and removed again: other batches are not repeated, and the result is the same."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.built_corpora import check_ledger, sorted_corpus
from support.running import build

pytestmark = pytest.mark.slow

#: The stages that process single batches, before any step that reads the whole corpus.
STAGES = ("encoding", "boilerplate", "language", "tokens")
CONFIG: dict[str, Any] = {
    "batch_bytes": 1,
    "corpora": {"english": {"language": "en", "archives": ["crawl/*.warc.gz"]}},
}


#: A setting of boilerplate. It changes results that earlier work on other archives depends on.
OTHER_SETTING = {"boilerplate": {"preset": "D"}}
ENOUGH = ("--until", "corpus")


def at_once(crawl: Path) -> dict[str, Any]:
    """The config that builds the same corpus in one run."""
    return {"corpora": {"english": {"language": "en", "archives": [str(crawl / "*.warc.gz")]}}}


def written(corpus: Path) -> dict[str, int]:
    """The time when each table of STAGES was written, by stage and batch."""
    tables = [path for stage in STAGES for path in (corpus / stage).glob("*.parquet")]
    return {f"{path.parent.name}/{path.stem}": path.stat().st_mtime_ns for path in tables}


def test_archives_are_added_and_taken_away(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """After each change, the corpus is the same as one that is built in one run.

    First an archive is added whose name sorts first and whose date is old: only this archive is read. Then another one
    is removed: no file of its batch is left. At last it returns, and a setting changes at the same time.
    """
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    first, *others = sorted(sample_crawl.glob("*.warc.gz"))
    for archive in others:
        shutil.copy(archive, crawl)
    corpus = build(tmp_path, CONFIG) / "english"
    before = written(corpus)
    assert len(before) == len(STAGES) * len(others)

    shutil.copy(first, crawl)
    os.utime(crawl / first.name, (0, 0))
    build(tmp_path, CONFIG)
    after = written(corpus)
    assert {name: after.get(name) for name in before} == before
    assert len(after) == len(STAGES) * (len(others) + 1)
    check_ledger(corpus)
    assert sorted_corpus(corpus) == sorted_corpus(sample / "english")

    (crawl / others[0].name).unlink()
    build(tmp_path, CONFIG)
    left = written(corpus)
    assert left.items() < after.items()
    assert len(left) == len(STAGES) * len(others)
    check_ledger(corpus)
    batches = {name.partition("/")[2] for name in left}
    named = {path.name.partition(".")[0].rpartition("-")[2] for path in corpus.rglob("b*.*")}
    assert named - {"batches", "bundles", "blocks_verdicts"} == batches
    bundles = {row.partition("\t")[0] for row in (corpus / "bundles.tsv").read_text().splitlines()[1:]}
    assert {path.stem.rpartition("-")[2] for path in corpus.rglob("*-g*") if path.is_file()} == bundles
    assert sorted_corpus(corpus) == sorted_corpus(build(tmp_path / "fewer", at_once(crawl), *ENOUGH) / "english")

    shutil.copy(others[0], crawl)
    build(tmp_path, CONFIG | OTHER_SETTING, *ENOUGH)
    assert sorted_corpus(corpus) == sorted_corpus(
        build(tmp_path / "all", at_once(crawl) | OTHER_SETTING, *ENOUGH) / "english"
    )


def test_an_archive_is_replaced_by_an_older_one(sample_crawl: Path, tmp_path: Path) -> None:
    """Such as a copy that was kept, or one that came with its date: the plan and the lists follow its size."""
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    first, second, *_ = sorted(sample_crawl.glob("*.warc.gz"))
    archive = crawl / first.name
    shutil.copy(first, archive)
    for kept in (second, first):
        corpus = build(tmp_path, CONFIG, "--until", "ngrams_words") / "english"
        shutil.copy(kept, archive)
        os.utime(archive, (0, 0))
    build(tmp_path, CONFIG, "--until", "ngrams_words")
    assert f"\t{first.stat().st_size}\n" in (corpus / "batches.tsv").read_text(encoding="utf-8")
    assert len(written(corpus)) == len(STAGES)
