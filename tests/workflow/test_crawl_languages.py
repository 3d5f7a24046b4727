"""A crawl of several languages: read once, divided into corpora that look like any other."""

import csv
import math
import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import json_documents, recount, sorted_corpus
from support.built_corpora import ledger as corpus_ledger
from support.reporting import MOST_OPEN_WORDS, open_words
from support.running import build, run
from support.sentences import CZECH

from corpusprep import languages
from corpusprep.archive.batches import Batch, plan, write_batches
from corpusprep.inspection.why import explain
from corpusprep.languages.descriptions import has_list
from corpusprep.languages.dividing import divide, read_division
from corpusprep.tables import schemas
from corpusprep.tables.crawl_files import PARTS, found_file, part_file
from corpusprep.tables.writing import write_table

pytestmark = pytest.mark.slow


def crawl_config(crawl: Path, codes: list[str], **more: Any) -> dict[str, Any]:
    """A crawl of these languages, from the sample; Dutch is known, German not unless it is asked for."""
    archives = [str(crawl / "*.warc.gz")]
    return {"corpora": {"mine": {"languages": codes, "others": ["nl"], "archives": archives, **more}}}


@pytest.fixture(scope="module")
def mine(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crawl in Czech and English, and in Tamil, which it does not have."""
    folder = tmp_path_factory.mktemp("mine")
    overrides = {"cs": {"blocks": {"mark": True}}}
    return build(folder, crawl_config(sample_crawl, ["cs", "en", "ta"], overrides=overrides)) / "mine"


@pytest.fixture(scope="module")
def more(sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with German instead, in one batch per archive and in parts."""
    folder = tmp_path_factory.mktemp("more")
    marked = {"cs": {"blocks": {"mark": True}}}
    config = crawl_config(sample_crawl, ["de", "cs", "en"], batch_bytes=1, parts=2, overrides=marked)
    return build(folder, config, cores=1) / "mine"


#: With jusText, paragraphs in another language than their page are boilerplate: they lack its stop words.
CONTENT = {"algorithm": "content"}


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of three pages, one of them in two languages; pages are divided block by block."""
    folder = tmp_path_factory.mktemp("divided")
    english, czech = (f"<p>{text}</p>" for text in (PROSE, CZECH))
    pages = [
        english * 2,
        czech * 2,
        english + czech + "<p>Menu</p>" + english.replace(".", "!") + czech.replace(".", "?"),
    ]
    archive = b"".join(warc_record(f"http://a.example/{number}", page.encode()) for number, page in enumerate(pages))
    (folder / "mixed.warc.gz").write_bytes(archive)
    return (
        build(folder, crawl_config(folder, ["cs", "en", "ta"], others=[], mixed="split", boilerplate=CONTENT)) / "mine"
    )


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def sums(ledger: list[dict[str, str]], *names: str, verdict: str | None = None) -> Counter[tuple[str, ...]]:
    """The counts of a ledger by some of its columns: of one verdict, or of all."""
    found: Counter[tuple[str, ...]] = Counter()
    for row in ledger:
        if verdict in (None, row["verdict"]):
            found[tuple(row[name] for name in names)] += int(row["count"])
    return found


@pytest.mark.parametrize("name", ["mine", "more", "divided"])
def test_every_record_block_and_word_goes_to_one_language_or_a_named_rest(
    name: str, request: pytest.FixtureRequest
) -> None:
    """The ledger of the crawl adds up from stage to stage, over the division, and agrees with the stage files."""
    crawl: Path = request.getfixturevalue(name)
    ledger = rows(crawl / "ledger.tsv")
    everything, kept = sums(ledger, "stage", "unit"), sums(ledger, "stage", "unit", verdict="kept")
    records = pl.read_parquet(crawl / "encoding" / "*.parquet")
    blocks = pl.read_parquet(crawl / "boilerplate" / "*.parquet")
    assert everything["encoding", "record"] == records.height
    assert everything["encoding", "byte"] == records["length"].sum()
    further = everything["languages", "further_document"]
    assert kept["encoding", "record"] == everything["languages", "document"] - further
    assert (further > 0) == (name == "divided")
    assert everything["languages", "block"] == blocks.height
    assert everything["languages", "word"] == blocks["words"].sum()
    for row in ledger:
        assert row["verdict"] != "kept" or row["stage"] == "encoding" or row["language"]
    stages = ("languages", "boilerplate", "language", "documents", "blocks")
    of_language, kept_of = (
        sums(ledger, "stage", "unit", "language"),
        sums(ledger, "stage", "unit", "language", verdict="kept"),
    )
    codes = {row["language"] for row in ledger if row["stage"] == "boilerplate"}
    assert len(codes) == 3
    for before, after in pairwise(stages):
        for unit in ("document", "block", "word"):
            for code in codes:
                assert kept_of[before, unit, code] == of_language[after, unit, code], (after, unit, code)
    for code in codes:
        of_corpus = corpus_ledger(crawl / code)
        assert of_corpus == recount(crawl / code)
        stored = [row["bytes"] for row in rows(crawl / code / "batches.tsv")]
        assert of_corpus["encoding", "byte"] == {"kept": sum(map(int, stored))}


def test_the_table_of_languages_names_what_is_in_no_corpus(mine: Path, more: Path) -> None:
    """German is undecided where no model knows it, and a corpus where it is asked for; an empty corpus says so."""
    found = {(row["language"], row["verdict"]): row for row in rows(mine / "languages.tsv")}
    assert {key for key in found if key[1] == "kept"} == {("cs", "kept"), ("en", "kept"), ("ta", "kept")}
    assert found["ta", "kept"]["documents"] == "0"
    assert ("", "undecided") in found
    assert ("", "no_good_block") in found
    german = json_documents(more / "de")
    assert len(german) > 3
    assert {document["lang"] for document in german} == {"de"}
    summary = (mine / "summary.txt").read_text(encoding="utf-8")
    assert "nothing was found in: ta" in summary
    page = (mine / "report.html").read_text(encoding="utf-8")
    assert 'href="cs/report.html"' in page
    assert "Tamil" in page
    for report in (page, *((mine / code / "report.html").read_text(encoding="utf-8") for code in ("cs", "en", "ta"))):
        assert open_words(report) <= MOST_OPEN_WORDS
    for name in ("report.html", "statistics/corpus_size.tsv"):
        assert (mine / "ta" / name).is_file()


def test_another_language_other_batches_and_cores_change_no_corpus(mine: Path, more: Path) -> None:
    """English and Czech are the same documents, whatever else is asked for."""
    for code in ("en", "cs"):
        assert sorted_corpus(mine / code) == sorted_corpus(more / code)
    assert len(json_documents(mine / "en")) > 15


def test_why_answers_by_the_corpora_of_a_crawl(divided: Path) -> None:
    """Each page is kept or has a reason, in the corpora that it went to; a document is found by its identifier."""
    found = pl.read_parquet(divided / "found" / "*.parquet")
    for batch, record in found.select("batch", "record").unique().rows():
        went_to = found.filter(batch=batch, record=record, rest="")["corpus"].unique().sort().to_list()
        stories = explain(divided, f"{batch}:{record}")
        assert sorted(story.corpus for story in stories) == (went_to or [divided.name])
        assert "unfinished" not in {story.verdict.reason for story in stories}
        for story in stories:
            if story.document_id:
                assert story in explain(divided, story.document_id)


def test_settings_of_one_language(mine: Path) -> None:
    """Czech keeps its duplicates, marked; English does not."""
    assert any("marked" in row["verdict"] for row in rows(mine / "cs" / "statistics" / "ledger.tsv"))
    assert not any("marked" in row["verdict"] for row in rows(mine / "en" / "statistics" / "ledger.tsv"))


def test_a_corpus_of_its_own_has_the_same_documents(mine: Path, sample: Path) -> None:
    """English from one pass is the English corpus of a run of its own, but for a Czech page with English paragraphs."""
    one = {document["url"]: document["text"] for document in json_documents(mine / "en")}
    own = {document["url"]: document["text"] for document in json_documents(sample / "english")}
    differ = {url for url in one.keys() | own.keys() if one.get(url) != own.get(url)}
    assert len(differ) <= 1
    assert differ <= own.keys() - one.keys()


BATCHES, LANGUAGES = 1000, 42


def test_jobs_of_a_thousand_batches_in_42_languages(tmp_path: Path) -> None:
    """The pages of a thousand batches, then 42 languages of very different size: fewer than 10,000 jobs in all."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    size = 1_000_000
    for number in range(BATCHES):
        with (folder / f"{number:04}.warc.gz").open("wb") as file:
            file.write(b"not read by a dry run")
            file.truncate(size)
    archives = [str(folder / "*.warc.gz")]
    codes = [code for code in languages.known() if not has_list(code)]
    assert len(codes) == LANGUAGES
    config = {"batch_bytes": size, "corpora": {"mine": {"languages": codes, "others": [], "archives": archives}}}
    pages = _jobs(tmp_path, config)
    assert {rule for rule, count in pages.items() if count == BATCHES} == {"encoding", "boilerplate", "languages_split"}

    crawl = tmp_path / "results" / "mine"
    planned = plan(sorted(folder.glob("*.warc.gz")), size)
    _finish_pages(crawl, planned, codes)
    rest = _jobs(tmp_path, config)
    assert rest["documents"] == rest["report"] == LANGUAGES
    # A batch holds two parts of English or 180 of a small language. Where batches end depends on the crawl's path.
    least = BATCHES // 2 + (LANGUAGES - 1) * math.ceil(BATCHES / 180)
    assert least <= rest["tokens"] < 2 * least
    assert "encoding" not in rest
    assert sum(pages.values()) + sum(rest.values()) < 10_000


def test_a_job_of_a_cluster_plans_its_language_alone(tmp_path: Path) -> None:
    """It reads how the crawl was divided; the division is not among the rules that it plans."""
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.warc.gz").write_bytes(b"not read by a dry run")
    crawl = tmp_path / "results" / "mine"
    _finish_pages(crawl, plan([tmp_path / "crawl" / "a.warc.gz"], 1_000_000), ["cs", "en"])
    (batch,) = read_division(crawl)["cs"][0]
    for name in (f"words/{batch.name}.tokens", "lexicon.lex", "candidates"):
        path = crawl / "cs" / "ngrams" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    job = f"ngrams_runs:folder=results/mine/cs,bundle={batch.name}"
    options = ("--mode", "remote", "--target-jobs", job, "--allowed-rules", "ngrams_runs", "--dry-run")
    done = run(tmp_path, crawl_config(tmp_path / "crawl", ["cs", "en"]), *options)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_a_dry_run_names_the_jobs_that_are_known(tmp_path: Path, sample_crawl: Path) -> None:
    """Before the division, memory and time of a language's jobs are at most those of the crawl."""
    done = run(tmp_path, crawl_config(sample_crawl, ["cs", "en"]), "--dry-run")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "Batches of the languages of results/mine" in done.stdout + done.stderr


def _jobs(folder: Path, config: dict[str, Any]) -> dict[str, int]:
    """The jobs of a dry run, by rule."""
    done = run(folder, config, "--dry-run", "--quiet", "--rerun-triggers", "mtime")
    assert done.returncode == 0, done.stderr[-2000:]
    table = done.stdout.rpartition("Job stats:")[2]
    counts = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}
    counts.pop("total")
    return counts


def _finish_pages(crawl: Path, planned: list[Batch], codes: list[str]) -> None:
    """Writes what the page stages leave, in the order of their times: English is half of the crawl."""
    results = crawl.parent
    rivals = (rival for code in codes for rival in languages.describe_built_in(code).rivals)
    models = [results / "languages" / f"{code}.model" for code in sorted({*codes, *rivals})]
    for path in (*models, crawl / "bundles.tsv", *(crawl / "models" / path.name for path in models)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    write_batches(planned, crawl / "batches.tsv")
    for name in ("encoding", "pages", "boilerplate", "times/encoding", "times/boilerplate", "times/language"):
        (crawl / name).mkdir(parents=True, exist_ok=True)
    for batch in planned:
        for name in ("encoding", "boilerplate"):
            (crawl / "times" / name / f"{batch.name}.tsv").touch()
        for name in ("encoding", "pages", "boilerplate"):
            (crawl / name / f"{batch.name}.parquet").touch()
    shares = {code: 500_000 // (2 if code == "en" else 90) * (2 if code == "en" else 1) for code in codes}
    for batch in planned:
        (crawl / "parts" / batch.name).mkdir(parents=True)
        (crawl / "times" / "language" / f"split-{batch.name}.tsv").touch()
        table = pl.DataFrame(
            {"corpus": codes, "archive": str(batch.archives[0]), "length": [shares[code] for code in codes]}
        )
        full = table.with_columns(pl.lit(None).alias(name) for name in schemas.FOUND if name not in table.columns)
        write_table(full, schemas.FOUND, found_file(crawl, batch.name))
    divide(crawl, planned, codes, 1_000_000)
    # Nothing is newer than what was made from it, as the steps leave them.
    made = [crawl / "languages.tsv", crawl / "ledger.tsv"]
    for code, (_, parts) in read_division(crawl).items():
        for part in {part for parts_of_batch in parts.values() for part in parts_of_batch}:
            made += [part_file(crawl, part, code, table) for table in PARTS]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    before = (crawl / "division.tsv").stat().st_mtime
    for path in crawl.rglob("*"):
        os.utime(path, (before, before))
