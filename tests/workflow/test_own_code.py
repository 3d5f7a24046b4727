"""A workflow with a user's own cleaner, tokeniser and output format, in files next to the config."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.built_corpora import check_ledger, decompressed, json_documents, table
from support.running import ENVIRONMENT, command

pytestmark = pytest.mark.slow

CLEANER = """
from collections.abc import Sequence

from corpusprep import Page


class LongBlocks:
    def __init__(self, least_words: int = 20) -> None:
        self.least_words = least_words

    def classify(self, page: Page) -> Sequence[bool]:
        return [block.words >= self.least_words and block.link_density < 0.3 for block in page.blocks]
"""
TOKENISER = r"""
import re


def tokenise(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)
"""
FORMAT = """
from contextlib import contextmanager

from corpusprep.corpus.formats.interface import OutputFormat
from corpusprep.io.files import zstd_writer


@contextmanager
def writer(path):
    with zstd_writer(path) as stream:
        yield lambda document: stream.write((document.values["url"] + "\\n").encode())


ADDRESSES = OutputFormat("addresses", "urls.zst", "Addresses.", writer)
"""


def settings(crawl: Path) -> dict[str, Any]:
    """Settings for the English corpus of the sample, with the user's own code."""
    return {
        "corpora": {"english": {"language": {"code": "en", "rivals": []}, "archives": [str(crawl / "*.warc.gz")]}},
        "boilerplate": {"algorithm": "my_cleaner:LongBlocks", "least_words": 15},
        "tokens": {"tokenizer": "my_tokens:tokenise"},
        "corpus": {"formats": ["jsonl"]},
    }


def run(folder: Path, config: dict[str, Any], *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the workflow in folder/work, with the config in folder/config."""
    path = folder / "config" / "my.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(config), encoding="utf-8")
    (folder / "work").mkdir(exist_ok=True)
    return subprocess.run(
        command(path, 2, *options), cwd=folder / "work", env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a user's own code next to the config; the working directory is another folder."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "my_cleaner.py").write_text(CLEANER, encoding="utf-8")
    (tmp_path / "config" / "my_tokens.py").write_text(TOKENISER, encoding="utf-8")
    (tmp_path / "config" / "my_format.py").write_text(FORMAT, encoding="utf-8")
    return tmp_path


def test_an_output_format_beside_the_config(folder: Path, sample_crawl: Path) -> None:
    """A changed file writes the corpus again, and nothing before it; an export has the format, too."""
    config = {"corpora": settings(sample_crawl)["corpora"], "corpus": {"formats": ["jsonl", "my_format:ADDRESSES"]}}
    assert run(folder, config).returncode == 0
    corpus = folder / "work" / "results" / "english"
    addresses = [document["url"] for document in json_documents(corpus)]
    written = sorted((corpus / "corpus").glob("*.urls.zst"))
    assert "".join(map(decompressed, written)).splitlines() == addresses

    before = {path: path.stat().st_mtime_ns for path in (corpus / "tokens").iterdir()}
    (folder / "config" / "my_format.py").write_text(FORMAT.replace('["url"]', '["title"]'), encoding="utf-8")
    assert run(folder, config).returncode == 0
    titles = [document["title"] for document in json_documents(corpus)]
    assert "".join(map(decompressed, written)).splitlines() == titles
    assert {path: path.stat().st_mtime_ns for path in before} == before

    config["corpus"]["shards"] = "one"
    for _ in range(2):  # the second export replaces the first
        assert run(folder, config, "--forcerun", "export").returncode == 0
    names = {path.name for path in (corpus / "export").iterdir()} - {".snakemake_timestamp"}
    assert names == {"english.jsonl.zst", "english.urls.zst", "SHA256SUMS"}
    assert not list((corpus / "corpus").glob("*.urls.zst"))


def test_own_code_beside_the_config(folder: Path, sample_crawl: Path) -> None:
    """A changed file repeats its stage and later ones; another output format repeats only the last step."""
    config = settings(sample_crawl)
    done = run(folder, config)
    assert done.returncode == 0, done.stdout + done.stderr
    corpus = folder / "work" / "results" / "english"
    check_ledger(corpus)
    blocks = pl.read_parquet(corpus / "boilerplate" / "*.parquet")
    long = (pl.col("words") >= 15) & (pl.col("link_density") < 0.3)
    assert blocks.height > 100
    assert blocks.filter(long != (pl.col("label") == "good")).is_empty()
    vertical = "".join(decompressed(path) for path in sorted((corpus / "tokens").glob("*.vert.zst")))
    assert re.fullmatch(r"((<[^\n]*>|\w+|[^\w\s])\n)+", vertical)
    assert "\n<g/>\n-\n<g/>\n" in vertical  # the built-in tokeniser does not split words at hyphens
    assert table(corpus, "thresholds") == []
    assert json_documents(corpus)
    assert {"".join(path.suffixes) for path in (corpus / "corpus").glob("[!.]*.*")} == {".jsonl.zst"}

    stages = [path for stage in ("boilerplate", "tokens") for path in (corpus / stage).iterdir()]
    written = {path: path.stat().st_mtime_ns for path in stages}
    config["corpus"]["formats"] = ["vertical", "jsonl", "parquet"]
    assert run(folder, config).returncode == 0
    suffixes = {"".join(path.suffixes) for path in (corpus / "corpus").glob("[!.]*.*")}
    assert suffixes == {".jsonl.zst", ".vert.zst", ".parquet"}
    assert {path: path.stat().st_mtime_ns for path in stages} == written

    (folder / "config" / "my_tokens.py").write_text(TOKENISER.replace(r"\w+", r"\w"), encoding="utf-8")
    assert run(folder, config).returncode == 0
    changed = {path.parent.name for path, before in written.items() if path.stat().st_mtime_ns != before}
    assert changed == {"tokens"}


@pytest.mark.parametrize(
    ("section", "setting", "message"),
    [
        ("boilerplate", {"algorithm": "none:Mine"}, "corpora.english.boilerplate: none:Mine: there is no module none"),
        ("tokens", {"tokenizer": "my_tokens:tokenize"}, "corpora.english.tokens: my_tokens:tokenize: "),
    ],
)
def test_a_mistake_is_reported_before_the_first_job(
    folder: Path, sample_crawl: Path, section: str, setting: dict[str, Any], message: str
) -> None:
    """The message is one line, without a traceback, and there are no results."""
    done = run(folder, {**settings(sample_crawl), section: setting})
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert [line for line in output.splitlines() if message in line]
    assert "Traceback" not in output
    assert not (folder / "work" / "results").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("my_cleaner.py", "return [", "return [0 for block in page.blocks] + [", "LongBlocks: classify gave"),
        ("my_tokens.py", "text)", "text.lower())", "my_tokens:tokenise gave the token"),
    ],
)
def test_wrong_answers_are_reported_with_their_place(
    folder: Path, sample_crawl: Path, name: str, old: str, new: str, message: str
) -> None:
    """The message is one line in the log of the job, which the run shows."""
    path = folder / "config" / name
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    done = run(folder, settings(sample_crawl))
    assert done.returncode != 0
    (line,) = {line for line in (done.stdout + done.stderr).splitlines() if message in line}
    assert re.search(r"\(batch b\w+, record \d+\)", line) or "(document " in line
