"""Languages in a workflow: one made from a sample, and a model of an older version."""

import os
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import check_ledger, json_documents, ledger, recount
from support.running import build, run
from support.sentences import CZECH

from corpusprep import languages
from corpusprep.inspection.why import explain
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


NAMES = """
class Names:
    languages = ("ces", "eng", "kal")

    def ranked(self, text):
        words = text.split()
        counts = {"eng": words.count("the"), "ces": words.count("na"), "kal": words.count("tamarmik")}
        return sorted(((code, count / len(words)) for code, count in counts.items()), key=lambda pair: -pair[1])
"""
GREENLANDIC = "Inuit tamarmik inunngorput nammineersinnaassuseqarlutik assigiimmillu ataqqinassuseqarlutik. "


@pytest.fixture
def four(tmp_path: Path) -> dict[str, Any]:
    """The settings of a crawl of a page in English, in Czech, in Greenlandic, and in no language."""
    texts = {"en": PROSE * 2, "cs": f"{CZECH} na na na", "kl": GREENLANDIC * 20, "zxx": "f(x) = {y: [1, 2]}; " * 30}
    records = [warc_record(f"http://a.example/{code}", f"<p>{text}</p>".encode()) for code, text in texts.items()]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records))
    return {"archives": [str(tmp_path / "a.warc.gz")], "boilerplate": {"algorithm": "baseline"}}


@pytest.mark.slow
def test_a_corpus_of_any_language(tmp_path: Path, four: dict[str, Any]) -> None:
    """All documents stay, with the code of their language; one that no model knows is `und`."""
    corpus = build(tmp_path, {"corpora": {"open": four | {"language": {"rivals": ["cs", "en"]}}}}) / "open"
    check_ledger(corpus)
    assert {document["url"].rpartition("/")[2]: document["lang"] for document in json_documents(corpus)} == {
        "en": "en",
        "cs": "cs",
        "kl": "und",
        "zxx": "zxx",
    }


@pytest.mark.slow
def test_a_crawl_of_languages_without_a_model(tmp_path: Path, four: dict[str, Any]) -> None:
    """All languages that an identifier knows become corpora, but for one with little text."""
    (tmp_path / "naming.py").write_text(NAMES, encoding="utf-8")
    own = {"languages": "all", "others": [], "language": {"method": "naming:Names"}, "least_words": 100}
    crawl = build(tmp_path, {"corpora": {"crawl": four | own}}) / "crawl"
    for code in ("en", "kl"):
        assert ledger(crawl / code) == recount(crawl / code)
        assert [(document["url"], document["lang"]) for document in json_documents(crawl / code)] == [
            (f"http://a.example/{code}", code)
        ]
    assert "the sample for kl is too small" in languages.load(crawl / "kl" / "language.model").origin
    assert pl.read_parquet(crawl / "kl" / "learned" / "*.parquet")["url"].to_list() == ["http://a.example/kl"]
    lines = (crawl / "ledger.tsv").read_text(encoding="utf-8").splitlines()
    assert {"languages\tdocument\tcs\tsmall_language\t1", "languages\tdocument\tzxx\tno_language\t1"} <= set(lines)
    assert not (crawl / "cs").exists()
    assert [story.verdict.reason for story in explain(crawl, "http://a.example/cs")] == ["small_language"]
