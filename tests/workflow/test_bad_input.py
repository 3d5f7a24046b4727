"""Mistakes give one line before the first job; damaged data get a verdict."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import check_ledger, json_documents, ledger, table
from support.running import ENVIRONMENT, build, command, run, sample_config, write_config

pytestmark = pytest.mark.slow


def said(done: subprocess.CompletedProcess[str]) -> str:
    """Returns the one line of a run that must fail before its first job."""
    output = done.stdout + done.stderr
    assert done.returncode == 1, output
    (line,) = [line for line in output.splitlines() if not line.startswith("Using workflow specific profile")]
    assert line.startswith("corpusprep: error: ")
    return line


def refused(folder: Path, config: dict[str, Any]) -> str:
    """Returns the one line of a run that must fail before its first job, without results."""
    line = said(run(folder, config))
    assert not (folder / "results").exists()
    return line


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
    (tmp_path / "a.warc").write_bytes(b"x")
    line = refused(tmp_path, english(["*.warc"], **setting))
    assert [part for part in parts if part not in line] == []


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    """Those of the config, the archives, and libraries that are missing: one line each, and one to install them."""
    config = english(["nowhere/*"], memroy="1G", boilerplate={"preset": "E"}, rights={"robots_agent": "*"})
    words = command(write_config(tmp_path, config))[1:]
    lacking = "sys.modules['matplotlib'] = sys.modules['protego'] = None"
    code = f"import sys; {lacking}; from snakemake.cli import main; main({words})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    starts = ["config: memroy", "config: boilerplate.preset", "config: rights.robots_agent: needs protego"]
    starts += ["corpora.english.archives", "report needs matplotlib"]
    starts += [f"all of it: {sys.executable} -m pip install 'corpusprep[robots,report]'"]
    lines = done.stderr.splitlines()
    assert len(lines) == len(starts), done.stderr
    assert all(line.startswith(f"corpusprep: error: {start}") for line, start in zip(lines, starts, strict=True))
    assert not (tmp_path / "results").exists()


def test_an_executor_without_its_plugin(tmp_path: Path) -> None:
    """Snakemake's command line would call it an invalid choice."""
    done = run(tmp_path, english(["x"]), "--executor", "none-such")
    line = "corpusprep: error: the executor none-such has no plugin here: "
    python = rf"{re.escape(str(Path(sys.executable).parent))}/python\S*"  # one of its names
    install = "-m pip install snakemake-executor-plugin-none-such"
    assert re.fullmatch(f"{line}{python} {install}\n", done.stderr)


def test_unknown_language(tmp_path: Path, sample_crawl: Path) -> None:
    """The message lists the known languages and says how to make one."""
    config = sample_config(sample_crawl)
    config["corpora"]["english"]["language"] = "xx"
    line = refused(tmp_path, config)
    assert "corpora.english.language: unknown language 'xx'" in line
    assert "cs" in line
    assert "pl" in line
    assert "corpusprep language make" in line


@pytest.mark.parametrize("pattern", ["nowhere/*.warc.gz", "nowhere/there.warc.gz"])
def test_pattern_without_archives(tmp_path: Path, pattern: str) -> None:
    """The message names the pattern and its corpus."""
    line = refused(tmp_path, english([pattern]))
    assert pattern in line
    assert "corpora.english" in line


def test_empty_archives_alone(tmp_path: Path) -> None:
    """The message names an archive."""
    (tmp_path / "empty.warc.gz").touch()
    assert "empty.warc.gz is empty" in refused(tmp_path, english(["*.warc.gz"]))


def test_yaml_that_does_not_parse(tmp_path: Path) -> None:
    """A config that is not valid YAML is an error without a traceback."""
    (tmp_path / "my.yaml").write_text("corpora:\n  english: {language: en\n  archives: [", encoding="utf-8")
    done = subprocess.run(
        command(Path("my.yaml")), cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert "my.yaml, line 3: neither YAML nor JSON: " in said(done)


def test_two_corpora_of_one_name(tmp_path: Path) -> None:
    """YAML would take the second one; the message names both lines."""
    corpus = "    language: en\n    archives: [a.warc]\n"
    (tmp_path / "my.yaml").write_text(f"corpora:\n  one:\n{corpus}  one:\n{corpus}", encoding="utf-8")
    done = subprocess.run(
        command(Path("my.yaml")), cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert "corpora.one stands twice (lines 2 and 5)" in said(done)


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    """The message names the file and the working directory."""
    done = subprocess.run(
        command(Path("none.yaml")), cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert f"none.yaml: no such config file (working directory {tmp_path})" in said(done)


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
    """It still has its files and tables, and a report that says why. The run fails, and so does the next."""
    (tmp_path / "short.warc.gz").write_bytes(warc_record("http://a.example/", b"<p>Home</p>"))
    (tmp_path / "note.warc").write_text("a text file\n", encoding="utf-8")
    config = english(["short.warc.gz", "note.warc"])
    for _ in range(2):
        done = run(tmp_path, config)
        assert done.returncode == 1
        assert "no page in 1 of 2 archives:\n    note.warc: 1 damaged\n" in done.stderr
        *_, last = done.stderr.splitlines()
        assert last.startswith("Error: results/english: the corpus is empty: of 1 documents in the crawl, none is left")
        assert "failed" not in done.stderr.lower()
    corpus = tmp_path / "results" / "english"
    check_ledger(corpus)
    assert table(corpus, "corpus_size")[-1]["words"] == "0"
    assert "no_good_block" in (corpus / "report.html").read_text(encoding="utf-8")


def test_too_little_memory_is_said(tmp_path: Path, sample_crawl: Path) -> None:
    """The message has the memory that was given and the memory that is needed."""
    line = refused(tmp_path, sample_config(sample_crawl) | {"memory": "1MB"})
    assert "memory is '1MB': too little" in line
    assert "at least 250M" in line


def test_selected_pages(tmp_path: Path) -> None:
    """What is left out by host, date, address, length, or with an empty archive, is in the ledger; sums match.

    Statistics that are removed are made again, without the rest.
    """
    pages = {
        "http://a.example/1": f"<p>{PROSE}One.</p>",
        "http://a.example/short": "<p>" + " ".join(PROSE.split()[:50]) + "</p>",
        "http://a.example/print": f"<p>{PROSE}Two.</p>",
        "http://b.example/": f"<p>{PROSE}Three.</p>",
    }
    (tmp_path / "a.warc.gz").write_bytes(b"".join(warc_record(url, body.encode()) for url, body in pages.items()))
    (tmp_path / "b.warc.gz").touch()
    (tmp_path / "c.warc.gz").write_bytes(b"not read")
    (tmp_path / "list.txt").write_text("*.warc.gz\n", encoding="utf-8")
    (tmp_path / "hosts.txt").write_text("b.example\n", encoding="utf-8")
    settings = {
        "language": {"code": "en", "rivals": [], "min_words": 51},
        "encoding": {"hosts": ["!@hosts.txt"], "urls": ["!*/print"], "first_date": "2024", "last_date": "2024-01-01"},
    }
    config = settings | {"corpora": {"one": {"archives": ["@list.txt", "!c.*"]}}}
    corpus = build(tmp_path, config) / "one"
    check_ledger(corpus)
    counts = ledger(corpus)
    assert counts["encoding", "record"] == {"kept": 2, "empty_archive": 1, "host": 1, "url": 1}
    assert counts["language", "document"] == {"kept": 1, "short_document": 1}
    (document,) = json_documents(corpus)
    assert document["url"] == "http://a.example/1"
    shutil.rmtree(corpus / "statistics")
    done = run(tmp_path, config)
    assert done.returncode == 0, done.stderr
    check_ledger(corpus)
    assert "] Statistics of results/one" in done.stderr
    assert "Encoding" not in done.stderr
