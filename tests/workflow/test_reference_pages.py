"""A whole workflow with all that compares the pages of a host."""

from pathlib import Path

import pytest
from support.archives import warc_record
from support.built_corpora import check_ledger, sorted_corpus, stage
from support.running import build, sample_config

from corpusprep import languages
from corpusprep.cleaners import registry
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.tables import schemas
from corpusprep.tables.writing import TableWriter

pytestmark = pytest.mark.slow


def words_alone(corpus: Path) -> int:
    """Words of good blocks of a corpus of one batch if each page is looked at alone."""
    [encoding] = (corpus / "encoding").glob("*.parquet")
    with TableWriter(corpus / "alone.parquet", schemas.BOILERPLATE) as blocks:
        pages = classify_batch(
            encoding,
            OneLanguage(languages.get("en")),
            PageOptions(
                registry.algorithm("density"),
                refuse=["disallow"],
                templates=corpus / "templates" / "shares.parquet",
                least_share=0.5,
                robots=([corpus / "robots" / encoding.name], "*"),
            ),
            blocks,
        )
    return int(pages["good_words"].sum())


def test_comparing_pages_does_not_depend_on_batches(sample_crawl: Path, tmp_path: Path) -> None:
    """Reference pages, templates and robots.txt: one batch and several give the same corpus, also in a crawl."""
    (tmp_path / "robots.warc.gz").write_bytes(
        warc_record("http://www.fellwalkers.example/robots.txt", b"User-agent: *\nDisallow: /")
    )
    english = sample_config(sample_crawl)["corpora"]["english"] | {
        "archives": [str(sample_crawl / "*.warc.gz"), str(tmp_path / "robots.warc.gz")],
        "templates": {"find": "remove", "least_pages": 3},
        "rights": {"robots_agent": "*", "refuse": ["disallow"]},
    }
    one = english | {"boilerplate": {"algorithm": "density-site"}}
    crawl = {key: value for key, value in english.items() if key != "language"}
    crawl |= {"languages": ["en"], "boilerplate": {"algorithm": "density"}}
    corpora = {"one": one, "many": one | {"batch_bytes": 60_000}, "crawl": crawl}
    results = build(tmp_path, {"corpora": corpora})
    for name in ("one", "many"):
        check_ledger(results / name)
    assert len(list((results / "many" / "references").iterdir())) > 2
    assert sorted_corpus(results / "one") == sorted_corpus(results / "many")
    assert 0 < sum(row["good_words"] for row in stage(results / "one", "pages")) < words_alone(results / "one")
    removed = {
        name: sum(row["verdict"] == "template" for row in stage(results / name, "boilerplate")) for name in corpora
    }
    for name in corpora:
        refused = [row for row in stage(results / name, "pages") if row["verdict"] == "rights"]
        assert {row["rights"] for row in refused} == {"disallow@robots.txt"}
    # The crawl decodes its Czech pages as Czech, so more of their blocks are the same.
    assert 0 < removed["one"] == removed["many"] <= removed["crawl"]
