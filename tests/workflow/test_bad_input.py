"""Mistakes give one line before the first job; damaged data get a verdict."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import check_ledger, json_documents, ledger, table
from support.running import ENVIRONMENT, build, command, run, sample_config

pytestmark = pytest.mark.slow


def refused(folder: Path, config: dict[str, Any]) -> str:
    """Returns the output of a run that must fail before its first job, without a traceback and without results."""
    done = run(folder, config)
    output = done.stdout + done.stderr
    assert done.returncode != 0, output
    assert "Traceback" not in output
    assert not (folder / "results").exists()
    return output


def english(archives: list[str], **more: Any) -> dict[str, Any]:
    """A config of one English corpus."""
    return {"corpora": {"english": {"language": "en", "archives": archives}}} | more


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ({"boilerplate": {"preset": "E"}}, ["boilerplate.preset is 'E'", "A, B, C, D"]),
        ({"memroy": "1G"}, ["memroy is not a setting", "memory"]),
        ({"memory": "plenty"}, ["memory is 'plenty'", "500M"]),
        ({"blocks": {"threshold": 2}}, ["blocks.threshold is 2", "at most 1"]),
    ],
)
def test_config_error(tmp_path: Path, setting: dict[str, Any], parts: list[str]) -> None:
    """One line names the key, the value and what is allowed."""
    lines = refused(tmp_path, english(["*.warc"], **setting)).splitlines()
    assert [line for line in lines if all(part in line for part in parts)]


def test_unknown_language(tmp_path: Path, sample_crawl: Path) -> None:
    """The message lists the known languages and says how to make one."""
    config = sample_config(sample_crawl)
    config["corpora"]["english"]["language"] = "xx"
    (line,) = [line for line in refused(tmp_path, config).splitlines() if "xx" in line and "corpora.english" in line]
    assert "cs" in line
    assert "pl" in line
    assert "corpusprep language make" in line


@pytest.mark.parametrize("pattern", ["nowhere/*.warc.gz", "nowhere/there.warc.gz"])
def test_pattern_without_archives(tmp_path: Path, pattern: str) -> None:
    """The message names the pattern and its corpus."""
    output = refused(tmp_path, english([pattern]))
    assert [line for line in output.splitlines() if pattern in line and "corpora.english" in line]


def test_empty_archive(tmp_path: Path) -> None:
    """The message names the archive."""
    (tmp_path / "empty.warc.gz").touch()
    assert "empty.warc.gz" in refused(tmp_path, english(["*.warc.gz"]))


def test_yaml_that_does_not_parse(tmp_path: Path) -> None:
    """A config that is not valid YAML is an error without a traceback."""
    (tmp_path / "my.yaml").write_text("corpora:\n  english: {language: en\n  archives: [", encoding="utf-8")
    done = subprocess.run(
        command(Path("my.yaml")), cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "not valid JSON or YAML" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_yaml_from_another_directory(tmp_path: Path) -> None:
    """A YAML config with only `corpora`, paths relative to the working directory."""
    (tmp_path / "archives").mkdir()
    (tmp_path / "archives" / "a.warc.gz").write_bytes(warc_record("http://a.example/", f"<p>{PROSE}</p>".encode()))
    (tmp_path / "my.yaml").write_text(
        "corpora:\n  one:\n    language: en\n    archives: [archives/*.warc.gz]\n", encoding="utf-8"
    )
    done = subprocess.run(
        command(Path("my.yaml")), cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (document,) = json_documents(tmp_path / "results" / "one")
    assert document["text"] == PROSE.strip()


def test_damage_is_a_verdict(tmp_path: Path) -> None:
    """The ledger counts a member cut in the middle; the pages around it are kept, and a very deep page."""
    deep = b"<html><body>" + b"<div>" * 100_000 + PROSE.encode()
    pages = {
        f"http://a.example/{i}": f"<p>{PROSE}{word}.</p>".encode() for i, word in enumerate(["One", "Two", "Three"])
    }
    first, second, third = (warc_record(url, body) for url, body in pages.items())
    broken = first + second[: len(second) // 2] + warc_record("http://a.example/deep", deep) + third
    (tmp_path / "broken.warc.gz").write_bytes(broken)
    corpus = build(tmp_path, english(["broken.warc.gz"])) / "english"
    check_ledger(corpus)
    counts = ledger(corpus)
    assert counts["encoding", "record"] == {"kept": 3, "damaged": 1}
    assert counts["boilerplate", "document"] == {"kept": 3}


def test_nothing_is_kept(tmp_path: Path) -> None:
    """It still has its files and tables, and a report that says why."""
    (tmp_path / "short.warc.gz").write_bytes(warc_record("http://a.example/", b"<p>Home</p>"))
    corpus = build(tmp_path, english(["short.warc.gz"])) / "english"
    check_ledger(corpus)
    assert table(corpus, "corpus_size")[-1]["words"] == "0"
    assert "no_good_block" in (corpus / "report.html").read_text(encoding="utf-8")


def test_too_little_memory_is_said(tmp_path: Path, sample_crawl: Path) -> None:
    """The message has the memory that was given and the memory that is needed."""
    done = run(tmp_path, sample_config(sample_crawl) | {"memory": "1MB"})
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert "memory of 1M is too little" in output
    assert "Traceback" not in output
