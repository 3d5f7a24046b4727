"""Languages in a workflow: one made from a sample, and a model of an older version."""

import os
import random
from pathlib import Path

import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import check_ledger, json_documents
from support.running import build, run

from corpusprep import languages
from corpusprep.languages.frequencies import of_wordfreq


@pytest.fixture
def config(tmp_path: Path) -> dict:
    """A crawl of two pages, one in the language of a sample and one in another; and the sample."""
    english, czech = of_wordfreq("en"), of_wordfreq("cs")
    words = random.Random(1).choices(english.words, english.shares.tolist(), k=20_000)
    lines = [" ".join(words[start : start + 12]) for start in range(0, len(words), 12)]
    (tmp_path / "sample.txt").write_text("\n".join(lines), encoding="utf-8")
    other = " ".join(random.Random(2).choices(czech.words, czech.shares.tolist(), k=300))
    pages = {"http://a.example/1": PROSE, "http://a.example/2": other}
    records = [warc_record(url, f"<p>{text}</p>".encode()) for url, text in pages.items()]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records))
    return {
        "languages": {"zz": {"text": ["sample.txt"], "name": "Zedish"}},
        "corpora": {"mine": {"language": "zz", "archives": ["a.warc.gz"]}},
    }


@pytest.mark.slow
def test_a_language_is_made_from_its_sample(tmp_path: Path, config: dict) -> None:
    """It is made before the corpus in it; with a larger sample, both are made again."""
    corpus = build(tmp_path, config) / "mine"
    check_ledger(corpus)
    assert [document["text"] for document in json_documents(corpus)] == [PROSE.strip()]
    model = languages.load(tmp_path / "results" / "languages" / "zz.model")
    assert (model.code, model.name) == ("zz", "Zedish")
    assert model.origin.startswith("text: sample.txt, 20,0")
    with (tmp_path / "sample.txt").open("a", encoding="utf-8") as sample:
        sample.write("\nthe end of it\n")
    again = run(tmp_path, config)
    assert again.returncode == 0
    assert "Language model of zz" in again.stderr
    larger = languages.load(tmp_path / "results" / "languages" / "zz.model")
    assert larger.origin.startswith("text: sample.txt, 20,0")
    assert larger.origin != model.origin


@pytest.mark.slow
def test_a_model_of_another_version_is_made_again(tmp_path: Path, config: dict) -> None:
    """This is automatic after an update of corpusprep; for a model from elsewhere, the message gives the command."""
    del config["languages"]
    config["corpora"]["mine"]["language"] = "en"
    build(tmp_path, config)
    path = tmp_path / "results" / "languages" / "en.model"
    current, modified = path.read_bytes(), path.stat().st_mtime_ns
    older = current.replace(b" %d\n" % languages.VERSION, b" 1\n", 1)
    path.write_bytes(older)
    os.utime(path, ns=(modified, modified))
    records = [one for one in (tmp_path / ".snakemake" / "metadata").rglob("*") if one.is_file()]
    for record in records:
        text = record.read_text(encoding="utf-8")
        record.write_text(text.replace(languages.fingerprint("en"), "0" * 16), encoding="utf-8")
    again = run(tmp_path, config)
    assert again.returncode == 0, again.stderr
    assert path.read_bytes() == current
    path.write_bytes(older)
    failed = run(tmp_path, config, "--forcerun", "tokens")
    assert failed.returncode != 0
    logged = "".join(log.read_text() for log in (tmp_path / "results" / "mine" / "logs" / "tokens").iterdir())
    assert "corpusprep language make en --output results/languages/en.model" in logged + failed.stderr
