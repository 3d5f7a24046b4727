"""The sample crawl, from archives to corpora."""

import html as entities
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from support import built_corpora as corpora
from support.reporting import MOST_OPEN_WORDS, open_text, open_words
from support.running import ENVIRONMENT, command, run, sample_config, write_config

from corpusprep.io import tsv
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT

pytestmark = pytest.mark.slow
NAMES = ("english", "czech")
TIMES = "stage jobs wall_seconds cpu_seconds peak_memory_mb pages_per_cpu_second tokens_per_cpu_second"
COLUMNS = {
    "corpus_size": "stage documents blocks words words_percent_of_previous tokens".split(),
    "ledger": "stage unit verdict count".split(),
    "processing_times": TIMES.split(),
    "encodings": "encoding declared detected agree".split(),
}


@pytest.mark.parametrize("name", NAMES)
def test_ledger_balances(sample: Path, name: str) -> None:
    """Every unit that comes into a stage is kept or has a reason; bytes add up to the sizes of the archives."""
    corpora.check_ledger(sample / name)


@pytest.mark.parametrize("name", NAMES)
def test_the_report_opens_short(sample: Path, name: str) -> None:
    """Its first screen has typical words of this language, and no more words than any other report."""
    html = (sample / name / "report.html").read_text(encoding="utf-8")
    assert open_words(html) <= MOST_OPEN_WORDS
    assert "Typical words" in open_text(html)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("table", COLUMNS)
def test_columns_are_the_documented_ones(sample: Path, name: str, table: str) -> None:
    """Other programs read these tables."""
    header = (sample / name / "statistics" / f"{table}.tsv").read_text(encoding="utf-8").partition("\n")[0]
    assert header.split("\t") == COLUMNS[table]


@pytest.mark.parametrize("name", NAMES)
def test_corpus_size_is_the_corpus(sample: Path, name: str) -> None:
    """The last row of the table counts the corpus files."""
    rows = corpora.table(sample / name, "corpus_size")
    assert [row["stage"] for row in rows] == ["crawl", "boilerplate", "language", "documents", "blocks"]
    documents = corpora.json_documents(sample / name)
    tokens = sum(
        1
        for document in corpora.vertical_documents(sample / name)
        for line in document.splitlines()
        if not re.fullmatch(r"</?[a-zA-Z].*>", line)
    )
    last = rows[-1]
    assert int(last["documents"]) == len(documents)
    assert int(last["blocks"]) == sum(len(document["blocks"]) for document in documents)
    assert int(last["words"]) == sum(len(document["text"].split()) for document in documents)
    assert int(last["tokens"]) == tokens


@pytest.mark.parametrize("name", NAMES)
def test_the_thresholds_in_use_keep_what_was_kept(sample: Path, name: str) -> None:
    """The words that these thresholds would keep are those that were kept; the report shows them next to gold F1."""
    after = corpora.table(sample / name, "corpus_size")[1]
    rows = corpora.table(sample / name, "thresholds")
    assert {row["words_kept"] for row in rows if row["used"] == "1"} == {after["words"]}
    assert 'id="thresholds"' in (sample / name / "report.html").read_text(encoding="utf-8")


def test_all_corpora_are_side_by_side(sample: Path) -> None:
    """On a page that links to their reports, and in a table."""
    rows = {row["corpus"]: row for row in tsv.read(sample / "corpora.tsv")}
    assert set(rows) == set(NAMES)
    page = (sample / "report.html").read_text(encoding="utf-8")
    for name, row in rows.items():
        assert f'<a href="{name}/report.html">' in page
        assert (sample / row["report"]).is_file()
        assert row["words_after_blocks"] == corpora.table(sample / name, "corpus_size")[-1]["words"]


@pytest.mark.parametrize("name", NAMES)
def test_crawl_and_duplicates_are_those_of_the_stages(sample: Path, name: str) -> None:
    """Pages and their addresses; types and instances of exact duplicates; hosts by their number of pages."""
    (crawl,) = corpora.table(sample / name, "crawl")
    pages = [record for record in corpora.stage(sample / name, "encoding") if record["verdict"] == KEPT]
    assert (int(crawl["pages"]), int(crawl["urls"])) == (len(pages), len({page["url"] for page in pages}))
    (duplicates,) = corpora.table(sample / name, "exact_duplicates")
    documents = corpora.stage(sample / name, "documents")
    removed = [document["duplicate_of"] for document in documents if document["duplicate_of"] is not None]
    assert int(duplicates["duplicate_types"]) == len(set(removed)) > 0
    assert int(duplicates["duplicate_instances"]) == len(removed) + len(set(removed))
    sizes = Counter(Counter(page["host"] for page in pages).values())
    rows = corpora.table(sample / name, "host_sizes")
    assert {int(row["documents"]): int(row["hosts_crawl"]) for row in rows if row["hosts_crawl"] != "0"} == sizes


#: Attributes of a document that say where it comes from.
ORIGIN = ("id", "url", "host", "date", "archive", "offset", "record_id")


@pytest.mark.parametrize("name", NAMES)
def test_three_forms_are_one_corpus(sample: Path, name: str) -> None:
    """Vertical, JSONL and Parquet hold the same documents, texts and metadata, in the same order."""
    documents = corpora.json_documents(sample / name)
    verticals = corpora.vertical_documents(sample / name)
    rows = corpora.stage(sample / name, "corpus")
    assert len(documents) == len(verticals) == len(rows) > 5
    for document, vertical, row in zip(documents, verticals, rows, strict=True):
        assert {key: row[key] for key in document} == document
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', vertical.partition("\n")[0]))
        own = ["lang", "encoding", "language_score", "title", "words", "tokens"]
        assert list(attributes) == [*ORIGIN, *own, *schemas.PAGE_METADATA, "truncated"]
        assert entities.unescape(attributes["title"]) == document["title"]
        assert attributes["id"] == document["id"]
        assert text_of(vertical) == document["text"]


def text_of(vertical: str) -> str:
    """The text of a document, from its tokens and glue."""
    blocks: list[str] = []
    glued = True
    for line in vertical.splitlines()[1:]:
        if line.startswith("<p"):
            blocks.append("")
            glued = True
        elif line == "<g/>":
            glued = True
        elif line not in {"</p>", "</doc>"}:
            token = entities.unescape(line)
            blocks[-1] += token if glued else f" {token}"
            glued = False
    return "\n".join(blocks)


def test_a_second_run_has_nothing_to_do(sample: Path, sample_crawl: Path) -> None:
    """No file is made again."""
    done = run(sample.parent, sample_config(sample_crawl))
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout + done.stderr


def test_a_quiet_dry_run_says_what_there_is_to_do(sample: Path, sample_crawl: Path, tmp_path: Path) -> None:
    """It lists the number of jobs per rule, or says that there are none, and nothing else."""
    config = sample_config(sample_crawl)
    assert run(sample.parent, config, "--dry-run", "--quiet").stdout.startswith("Nothing to be done")
    lines = run(tmp_path, config, "--dry-run", "--quiet").stdout.splitlines()
    assert lines[0] == "Job stats:"
    assert re.fullmatch(r"total +\d+", "\n".join(lines).rstrip().splitlines()[-1])


def test_a_closed_output_is_no_error(sample_crawl: Path, tmp_path: Path) -> None:
    """If the reader of its output has gone, a dry run ends without an error message."""
    words = [*command(write_config(tmp_path, sample_config(sample_crawl))), "--dry-run"]
    with subprocess.Popen(
        words, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert b"Error" not in process.stderr.read()
    assert process.returncode == 0
