"""A workflow with a user's tagger: a mistake is named, and the next run continues where it was."""

import json
import sys
from pathlib import Path

import polars as pl
import pytest
from support.built_corpora import check_ledger, decompressed, json_documents
from support.running import build, run

from corpusprep.tables import schemas
from corpusprep.text.validation import problems

pytestmark = pytest.mark.slow

TAGGER = """
import sys

for line in sys.stdin:
    word = line.rstrip("\\n")
    print(word if word.startswith("<") else f"{word}\\t{word.lower()}\\t{len(word)}")
"""


def test_a_tagger_in_the_workflow(sample_crawl: Path, tmp_path: Path) -> None:
    """Its columns are in all formats, and boilerplate that is kept has them, too."""
    path = tmp_path / "my_tagger.py"
    path.write_text(TAGGER.replace("word.lower()", "''"), encoding="utf-8")
    config = {
        "corpora": {
            "english": {"language": {"code": "en", "rivals": []}, "archives": [str(sample_crawl / "*.warc.gz")]}
        },
        "tokens": {"sentences": True},
        "annotate": {"command": f"{sys.executable} my_tagger.py", "columns": ["lower", "length"], "threads": 2},
        "corpus": {"boilerplate": "keep"},
    }
    done = run(tmp_path, config)
    assert done.returncode != 0
    (line,) = {line for line in (done.stdout + done.stderr).splitlines() if "has an empty column" in line}
    assert "document" in line
    corpus = tmp_path / "results" / "english"
    assert not list(corpus.glob("annotate/*"))
    written = {path: path.stat().st_mtime_ns for path in (corpus / "tokens").iterdir()}

    path.write_text(TAGGER, encoding="utf-8")
    build(tmp_path, config)
    assert {path: path.stat().st_mtime_ns for path in (corpus / "tokens").iterdir()} == written
    check_ledger(corpus)
    documents = json_documents(corpus)
    for document in documents:
        columns = document["annotation"]
        assert len(columns["word"]) == document["tokens"]
        assert columns["lower"] == [word.lower() for word in columns["word"]]
        assert max(columns["sentence"]) >= len(document["blocks"]) - 1
        assert {block["block"] for block in document["blocks"]} == set(columns["block"])
    tables = pl.concat(pl.read_parquet(path) for path in sorted((corpus / "corpus").glob("*.parquet")))
    assert tables.schema == schemas.corpus(["boilerplate", "score", "class"], ["lower", "length"])
    assert json.loads(json.dumps(tables["annotation"].to_list())) == [document["annotation"] for document in documents]
    for path in (corpus / "corpus").glob("*.vert.zst"):
        assert list(problems(path)) == []
        assert "<s>\n" in decompressed(path)


def test_lemmas_of_boilerplate(sample_crawl: Path, tmp_path: Path) -> None:
    """Its documents have a language, too."""
    english = {"language": {"code": "en", "rivals": []}, "archives": [str(sample_crawl / "*.warc.gz")]}
    settings = {"annotate": {"annotator": "simplemma"}, "corpus": {"boilerplate": "keep"}}
    results = build(tmp_path, {"corpora": {"english": english}, **settings})
    documents = json_documents(results / "english")
    assert all(len(document["annotation"]["lemma"]) == document["tokens"] for document in documents)
    assert any(block["boilerplate"] for document in documents for block in document["blocks"])
