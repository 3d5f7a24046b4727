"""A corpus with other thresholds, made from stored scores by `recut`."""

import json
import subprocess
from pathlib import Path

import polars as pl
import pytest
from support.archives import warc_record
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


NOTICE = "If you like what we write about the village and its river, you can have it sent to you every day of the week."


def test_a_recut_corpus_has_its_templates(tmp_path: Path) -> None:
    """Blocks that recur on a host stay removed, under the new thresholds, byte for byte as in a full run."""
    pages = []
    for day in range(12):
        story = f"On day {day} of the year the people of the village came down to the river, and they stood there for"
        story += f" a while, and then they went back to the houses that they had left in the morning of day {day}."
        short = f"<p>That is all we know of day {day} in the year of the two bridges over the river.</p>"
        page = f"<html><p>{story}</p><p>{NOTICE}</p>{short}<p><a href=/>{day}</a></p></html>"
        pages.append(warc_record(f"http://village.example/{day}", page.encode()))
    (tmp_path / "village.warc.gz").write_bytes(b"".join(pages))
    corpus = {"language": {"code": "en", "rivals": []}, "archives": [str(tmp_path / "village.warc.gz")]}
    first = {"templates": {"find": "remove"}, "corpora": {"first": corpus}}
    results = build(tmp_path, first)
    lengths = {"length_low": 30, "length_high": 35}
    options = ["--length-low", "30", "--length-high", "35", "--output", results / "again"]
    subprocess.run([BIN / "corpusprep", "recut", results / "first", *options], check=True, capture_output=True)
    tables = [*(results / "again").glob("boilerplate/*.parquet")]
    written = {path: path.stat().st_mtime_ns for path in tables}
    other = corpus | {"boilerplate": lengths}
    build(tmp_path, first | {"corpora": {"again": other, "full": other}})
    assert {path: path.stat().st_mtime_ns for path in tables} == written
    assert sorted_corpus(results / "again") == sorted_corpus(results / "full")
    assert sorted_corpus(results / "again") != sorted_corpus(results / "first")
    ledger = (results / "again" / "statistics" / "ledger.tsv").read_text(encoding="utf-8")
    assert "boilerplate\tblock\ttemplate\t12\t" in ledger or "boilerplate\tblock\ttemplate\t12\n" in ledger


def test_a_corpus_with_other_rules_is_that_of_a_full_run(sample_crawl: Path, tmp_path: Path) -> None:
    """Byte for byte; after recut, the workflow repeats nothing up to `quality`."""
    corpus = {"language": "en", "archives": [str(sample_crawl / "sample-00000.warc.gz")]}
    rules = {"least": {"words": 150}}
    results = build(tmp_path, {"corpora": {"full": corpus | {"filter": rules}}})
    for source, target, wanted in (("full", "other", {"preset": ["c4"]}), ("other", "again", rules)):
        options = ["--filter", json.dumps(wanted), "--output", results / target]
        subprocess.run([BIN / "corpusprep", "recut", results / source, *options], check=True, capture_output=True)
    verdicts = {
        name: [pl.read_parquet(path)["verdict"].to_list() for path in (results / name / "quality").glob("*.parquet")]
        for name in ("full", "other", "again")
    }
    assert verdicts["again"] == verdicts["full"] != verdicts["other"]
    written = {path: path.stat().st_mtime_ns for path in (results / "again").rglob("*.*")}
    build(tmp_path, {"corpora": {"again": corpus | {"filter": rules}}})
    assert {path: path.stat().st_mtime_ns for path in written} == written
    assert sorted_corpus(results / "again") == sorted_corpus(results / "full")
    counted = "statistics/filter_rules.tsv"
    assert (results / "again" / counted).read_bytes() == (results / "full" / counted).read_bytes()
