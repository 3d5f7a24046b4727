"""Whole workflows that forget pages."""

from pathlib import Path

import polars as pl
import pytest
from support.built_corpora import check_ledger, json_documents, ledger
from support.running import build, run, sample_config

pytestmark = pytest.mark.slow
#: The wire's story of the ferry is the later copy of the Courier's.
FIRST, COPY = (
    "http://www.riverton-courier.example/2014/03/ferry-returns.html",
    "http://wire.threecounties.example/n/88117",
)
#: A Czech page and a Hungarian one: boilerplate removal and the language filter of an English corpus remove them.
REMOVED = ("http://zpravy.trikraje.example/z/5120", "http://www.falusi-naplo.example/konyha/szilvalekvar")


def contents(corpus: Path) -> dict[str, bytes]:
    """The files of a corpus."""
    return {path.name: path.read_bytes() for path in (corpus / "corpus").iterdir()}


def test_a_corpus_is_as_if_forgotten_pages_had_never_been_there(sample_crawl: Path, tmp_path: Path) -> None:
    """A list added to a finished corpus repeats what follows `tokens`; duplicates return; there is a receipt."""
    english = sample_config(sample_crawl)["corpora"]["english"] | {"language": {"code": "en", "rivals": []}}
    results = build(tmp_path / "mine", {"corpora": {"english": english}})
    before = {document["url"] for document in json_documents(results / "english")}
    assert FIRST in before
    assert COPY not in before
    early = {
        path: path.stat().st_mtime_ns
        for name in ("encoding", "boilerplate", "tokens")
        for path in (results / "english" / name).iterdir()
    }
    (tmp_path / "mine" / "list.txt").write_text("\n".join([FIRST, "www.fellwalkers.example", *REMOVED]))
    build(tmp_path / "mine", {"corpora": {"english": english | {"forget": "list.txt"}}})
    urls = [f"!{url}" for url in (FIRST, "http://www.fellwalkers.example/*", *REMOVED)]
    never = english | {"encoding": {"urls": urls}}
    expected = build(tmp_path / "never", {"corpora": {"english": never}})
    assert contents(results / "english") == contents(expected / "english")
    after = {document["url"] for document in json_documents(results / "english")}
    assert COPY in after
    assert not {url for url in after if url == FIRST or "fellwalkers" in url}
    assert {path: path.stat().st_mtime_ns for path in early} == early
    check_ledger(results / "english")
    assert ledger(results / "english")["documents", "document"]["forgotten"] == 3
    receipt = (results / "english" / "forgotten.tsv").read_text(encoding="utf-8").splitlines()
    assert len(receipt) == 5
    report = (results / "english" / "report.html").read_text(encoding="utf-8")
    assert not [url for url in (FIRST, *REMOVED) if url in report]
    pages = pl.concat([pl.read_parquet(path) for path in (results / "english" / "encoding").iterdir()])
    samples = pl.concat([pl.read_parquet(path) for path in (results / "english" / "samples").iterdir()])
    shown = samples.join(pages, on=["batch", "record"])["url"]
    assert not [url for url in shown if url in (FIRST, *REMOVED) or "fellwalkers" in url]
    # Nor do tables have their text: they are those of a build without the pages.
    for name in ("keywords", "removed_words", "templates"):
        tables = [(folder / "english" / "statistics" / f"{name}.tsv").read_bytes() for folder in (results, expected)]
        assert tables[0] == tables[1], name
    assert "fellwalkers" not in (results / "english" / "statistics" / "host_words.tsv").read_text(encoding="utf-8")


def stored(folder: Path) -> set[str]:
    """The files of a corpus for users, by their folder and all their suffixes; not their digests."""
    kept = [path for name in ("corpus", "export") for path in (folder / name).glob("*.*") if path.is_file()]
    return {f"{path.parent.name}/*{''.join(path.suffixes)}" for path in kept if not path.name.startswith(".")}


def test_files_that_the_settings_do_not_make_any_more_are_removed(sample_crawl: Path, tmp_path: Path) -> None:
    """Neither old formats nor old shards keep a page that is forgotten; a dry run removes nothing."""
    english = sample_config(sample_crawl)["corpora"]["english"] | {"language": {"code": "en", "rivals": []}}
    corpora = {"corpora": {"english": english}}
    one = {"corpus": {"formats": ["jsonl", "card"], "shards": "one"}}
    folder = build(tmp_path, corpora | one) / "english"
    assert stored(folder) == {"export/*.jsonl.zst", "export/*.md"}
    batches = {"corpus": {"formats": ["jsonl", "vertical", "frequencies"]}}
    build(tmp_path, corpora | batches)
    assert stored(folder) == {"corpus/*.jsonl.zst", "corpus/*.vert.zst", "corpus/*.tsv"}
    assert not (folder / "export").exists()
    (tmp_path / "list.txt").write_text(f"{FIRST}\n")
    forgetting = corpora | {"forget": "list.txt", "corpus": {"formats": ["tei"]}}
    before = contents(folder)
    assert run(tmp_path, forgetting, "--dry-run").returncode == 0
    assert contents(folder) == before
    done = run(tmp_path, forgetting)
    assert done.returncode == 0, done.stderr
    assert stored(folder) == {"corpus/*.tei.xml.zst"}
    assert "english: removed " in done.stdout + done.stderr
    build(tmp_path, forgetting | one)
    assert stored(folder) == {"export/*.jsonl.zst", "export/*.md"}
    # A part of a run removes nothing: verticals wait for the statistics.
    text = forgetting | {"corpus": {"formats": ["text"]}}
    assert run(tmp_path, text, "--until", "corpus").returncode == 0
    assert stored(folder) >= {"export/*.jsonl.zst", "corpus/*.txt.zst", "corpus/*.vert.zst"}
    build(tmp_path, forgetting | {"corpus": {"formats": ["jsonl"]}})
    assert stored(folder) == {"corpus/*.jsonl.zst"}
