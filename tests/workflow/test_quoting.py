"""Values of the config in the shell lines of jobs: each is one word, whatever its characters, or is refused."""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.archives import PROSE, warc_record
from support.built_corpora import json_documents
from support.planned_jobs import PlannedJob, planned
from support.running import build
from support.small_tokenizer import write_tokenizer

from corpusprep import languages
from corpusprep._native.quality import FEATURES
from corpusprep.cleaners.block_models import shipped_model
from corpusprep.config.schema import resolved
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError
from corpusprep.quality.classifier import QualityModel, write_model

#: Would make a file PWNED if a shell read it as more than one word. Braces are for Snakemake's formats.
HOSTILE = "-a b'c\"d;touch PWNED;$(touch PWNED)`touch PWNED`%s&|<>*?[x]\\é#~!"
BRACED = HOSTILE + "{folder}{output}"
ADDRESS = BRACED.replace("*", "") + "*=https://*"
TAGGER = f"cat {shlex.quote(BRACED)}"
CLEANER = "class Mine:\n    def __init__(self, name):\n        pass\n    def classify(self, page):\n        return []\n"
STUB = """#!/bin/sh
printf '%s\\0' "$@" >>said
printf '\\n' >>said
"""
CORPUS: dict[str, Any] = {"language": "en", "archives": ["a.warc.gz"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with files of hostile names."""
    folder = tmp_path_factory.mktemp("quoting") / "it's $(touch PWNED)"
    folder.mkdir()
    (folder / "mine.py").write_text(CLEANER, encoding="utf-8")
    (folder / "bin").mkdir()
    (folder / "bin" / "corpusprep").write_text(STUB, encoding="utf-8")
    (folder / "bin" / "corpusprep").chmod(0o755)
    (folder / f"{HOSTILE}.warc.gz").write_bytes(b"not read by a dry run")
    (folder / f"{HOSTILE}.list").write_text("*.shop.example\n", encoding="utf-8")
    (folder / f"{HOSTILE}.forget").write_text("shop.example\n", encoding="utf-8")
    write_tokenizer(folder / f"{HOSTILE}.json")
    (folder / f"{HOSTILE}.txt").write_text(PROSE, encoding="utf-8")
    (folder / "data" / HOSTILE).mkdir(parents=True)
    languages.save(languages.get("is"), folder / f"{HOSTILE}.model")
    shutil.copy(shipped_model("content"), folder / f"{HOSTILE}.content")
    write_model(folder / f"{HOSTILE}.quality", QualityModel(np.zeros(FEATURES, np.int16), 0))
    return folder


def config() -> dict[str, Any]:
    """A config with a hostile value at every key that takes one."""
    model, archives = f"./{HOSTILE}.model", ["[-]*.warc.gz"]
    return {
        "results": f"./{HOSTILE}",
        "corpus": {
            **{"shards": "one", "formats": ["vertical", "card"], "count_tokens": f"{HOSTILE}.json"},
            **{"licence": BRACED, "citation": BRACED},
        },
        "forget": f"{HOSTILE}.forget",
        "personal": {"mask": ["email"], "replace": "hash", "key": f"{HOSTILE}.list"},
        "annotate": {"command": TAGGER, "columns": ["lemma"]},
        "rights": {"robots_agent": BRACED},
        "encoding": {
            "content_types": [BRACED],
            "hosts": [f"!@{HOSTILE}.list"],
            "urls": [BRACED],
            "addresses": [ADDRESS],
        },
        "evaluation": {"data": f"data/{HOSTILE}"},
        "languages": {"frr": {"text": [f"{HOSTILE}.txt"], "html": [f"{HOSTILE}.txt"], "name": BRACED}},
        "corpora": {
            "a": {
                "language": model,
                "archives": archives,
                "tokens": {"tokenizer": "shlex:split"},
                "blocks": {"against": [f"./{HOSTILE}.txt"]},
            },
            "b": {
                "language": {"code": "frr", "rivals": [model]},
                "archives": archives,
                "boilerplate": {"algorithm": "mine:Mine", "name": BRACED},
            },
            "d": {
                "language": "is",
                "archives": archives,
                "boilerplate": {"algorithm": "content", "model": f"{HOSTILE}.content"},
                "tokens": {"words": f"{HOSTILE}.list"},
                "filter": {"model": f"{HOSTILE}.quality", "word_lists": f"{HOSTILE}.list"},
            },
            "c": {"language": "is", "archives": archives, "boilerplate": {"algorithm": "density-site"}},
            "e": {"languages": ["frr", model], "others": [], "archives": archives},
        },
    }


@pytest.fixture(scope="module")
def said(folder: Path) -> list[tuple[PlannedJob, list[list[str]]]]:
    """A job per rule and corpus, of every target, with the words that its commands were given by a real shell."""
    found: dict[tuple[str, str], PlannedJob] = {}
    for job in planned(folder, config(), "all", "experiments", "evaluation", "languages", "texrex"):
        found.setdefault((job.rule, job.wildcards.get("folder", "")), job)
    said = []
    for job in found.values():
        for path in (folder / name for name in (*job.output, *job.log)):
            path.parent.mkdir(parents=True, exist_ok=True)
        if job.rule in ("rivals", "crawl_models"):
            for name in job.input:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()
        # The number of parts of a language is known when the crawl is divided.
        line = ["bash", "-c", f"set -euo pipefail; {job.shell.replace('--parts <TBD>', '--parts 1')}"]
        environment = os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (job.shell, done.stderr)
        log = folder / "said"
        lines = log.read_text(encoding="utf-8").split("\0\n")[:-1] if log.exists() else []
        log.unlink(missing_ok=True)
        said.append((job, [line.split("\0") for line in lines]))
    return said


def test_no_value_is_read_by_the_shell(folder: Path, said: list[tuple[PlannedJob, list[list[str]]]]) -> None:
    """No line makes the file that the values would make; every rule that has a shell line was run."""
    assert {job.rule for job, _ in said} >= {"batches", "language_model", "rivals", "tokens", "experiments_grid"}
    assert {job.rule for job, _ in said} >= {"evaluation_measure", "language_table", "references_gather", "export"}
    assert sum(len(words) for _, words in said) > 60
    assert list(folder.parent.rglob("PWNED")) == []


def is_object(word: str) -> bool:
    """Whether a word is a whole JSON object, such as the settings that a data card shows."""
    try:
        return isinstance(json.loads(word), dict)
    except ValueError:
        return False


def test_every_value_is_one_word(said: list[tuple[PlannedJob, list[list[str]]]]) -> None:
    """A word with a hostile value is a path of the job, or the value itself."""
    settings = {HOSTILE, BRACED, f"!@{HOSTILE}.list", f"data/{HOSTILE}", json.dumps({"name": BRACED}), "[-]*.warc.gz"}
    settings |= {ADDRESS, TAGGER, f"./{HOSTILE}.txt", f"{HOSTILE}.json", json.dumps({"model": f"{HOSTILE}.content"})}
    for job, commands in said:
        paths = {*job.input, *job.output, *job.wildcards.values()}
        known = paths | settings | {str(folder) for path in paths for folder in Path(path).parents}
        for words in commands:
            for word in words:
                stands = word in known or any(word.startswith(f"{path}/") for path in paths) or is_object(word)
                # A file that decided the pages stands behind its name.
                stands = stands or (job.rule == "settings" and word.partition("=")[2] in paths)
                assert stands or "PWNED" not in word, (job.rule, word)
        if "folder" in job.wildcards and commands and "--" in commands[0]:
            assert commands[0][-1] == job.wildcards["folder"]


def string_keys() -> Iterator[tuple[str, dict[str, Any]]]:
    """The keys of the schema that take a text or texts, with their nodes, but for those with fixed values."""
    schema = load_schema()

    def walk(node: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        node = resolved(node, schema)
        if "items" in node:
            yield from walk(node["items"], name)
        elif "enum" not in node and any(
            "string" in resolved(one, schema).get("type", []) for one in (node, *node.get("anyOf", ()))
        ):
            yield name, node
        for key, child in node.get("properties", {}).items():
            yield from walk(child, f"{name}.{key}" if name else key)
        if isinstance(node.get("additionalProperties"), dict):
            yield from walk(node["additionalProperties"], f"{name}.x")

    yield from walk(schema, "")


#: Keys that the jobs of `config` above are given; `corpora.x` takes the same sections.
GIVEN = {
    "results", "encoding.content_types", "encoding.hosts", "encoding.urls", "evaluation.data", "language",
    "language.code", "language.rivals", "languages.x.text", "languages.x.html", "languages.x.name", "archives",
    "boilerplate.model", "corpus.citation", "corpus.licence", "encoding.addresses", "forget", "annotate.command",
    "rights.robots_agent", "blocks.against", "corpus.count_tokens", "tokens.words", "filter.model", "filter.word_lists",
    "personal.key",
}  # fmt: skip
#: Folders of finished corpora: test_a_corpus_in_a_hostile_folder has one.
JOINED = {"from"}
#: Keys whose values must have a form, in which nothing is hostile.
REFUSED = {
    "batch_bytes", "memory", "encoding.min_bytes", "encoding.max_bytes", "encoding.first_date", "encoding.last_date",
    "boilerplate.algorithm", "tokens.tokenizer", "languages.x.sample_encoding", "languages.x.encodings",
    "corpus.shards", "boilerplate.threshold", "annotate.columns", "annotate.annotator", "corpus.formats",
    "language.method", "encoding.documents", "filter.expression", "annotate.model", "words.lists",
    "filter.blocks.expression",
}  # fmt: skip


def test_every_key_with_a_text_is_tried() -> None:
    """A new key must be added to `config` above, or refuse hostile values."""
    names = {name.removeprefix("corpora.x.").removeprefix("overrides.x.") for name, _ in string_keys()}
    assert names == GIVEN | REFUSED | JOINED


def with_value(key: str, value: Any, *, several: bool) -> dict[str, Any]:
    """A config with a value at a key."""
    *sections, last = key.replace(".x.", ".frr.").split(".")
    settings: dict[str, Any] = {last: [value] if several else value}
    if sections[:1] == ["languages"]:
        settings.setdefault("text", [__file__])
    for section in reversed(sections):
        settings = {section: settings}
    return {"corpora": {"a": CORPUS}} | settings


@pytest.mark.parametrize(
    "value", [HOSTILE, "1M;touch PWNED", "$(x)", "a\nb", "-x", "{folder}", "%s", "é", " ", "a'b", '"', "2024-01\n"]
)
@pytest.mark.parametrize("key", sorted(REFUSED))
def test_a_value_without_the_form_of_its_key_is_refused(key: str, value: str) -> None:
    """In one line that names the key; of an expression, two more lines show the place."""
    with pytest.raises(ConfigError) as error:
        resolve(
            with_value(key, value, several=key.endswith(("encodings", "columns", "formats", "lists"))), load_schema()
        )
    assert str(error.value).count("\n") == (2 if key.endswith("expression") else 0)
    assert key.replace(".x.", ".frr.").partition(".")[0] in str(error.value)


@pytest.mark.parametrize("value", ["a{b}", "a}", "a,b", "a\nb", "a\tb", ""])
@pytest.mark.parametrize("key", ["results", "evaluation.data"])
def test_folders_that_snakemake_could_not_name_are_refused(key: str, value: str) -> None:
    """Braces are wildcards there, commas separate those of a cluster's job, and line breaks end names."""
    with pytest.raises(ConfigError, match=f"^config: {key} is .*without braces, commas and control characters$"):
        resolve(with_value(key, value, several=False), load_schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("language", "my{x}.model"),
        ("language.rivals", ["my{x}.model"]),
        ("languages.frr.text", ["my{x}.txt"]),
        ("encoding.hosts", ["!@my{x}.list"]),
    ],
)
def test_files_that_snakemake_could_not_name_are_refused(tmp_path: Path, key: str, value: Any) -> None:
    """Braces in the names of input files are wildcards, which cannot be escaped."""
    path = tmp_path / "my{x}.list"
    path.write_text("a.example\n", encoding="utf-8")
    value = [f"!@{path}"] if "hosts" in key else value
    settings = with_value(key, value, several=False)
    if key == "language":
        settings["corpora"] = {"a": {"archives": ["a.warc.gz"]}}
    with pytest.raises(ConfigError, match=f"^config: {key}: .* contains a brace; rename the file or folder$"):
        resolve(settings, load_schema())


@pytest.mark.slow
@pytest.mark.parametrize("results", ["my results", HOSTILE])
def test_a_corpus_in_a_hostile_folder(tmp_path: Path, results: str) -> None:
    """From an archive of a hostile name to the corpus."""
    archive = tmp_path / f"{HOSTILE}.warc.gz"
    archive.write_bytes(warc_record("http://a.example/", f"<p>{PROSE}</p>".encode()))
    (tmp_path / "mine.model").symlink_to(tmp_path / f"{HOSTILE}.model")
    languages.save(languages.get("en"), tmp_path / f"{HOSTILE}.model")
    corpus = {"language": f"./{HOSTILE}.model", "archives": ["[-]*.warc.gz"]}
    built = build(tmp_path, {"results": results, "corpora": {"one": corpus}}) / "one"
    (document,) = json_documents(built)
    assert document["text"] == PROSE.strip()
    assert (built / "report.html").is_file()
    joined = {"language": corpus["language"], "from": [f"./{results}/one"]}
    again = build(tmp_path, {"results": f"{results}2", "corpora": {"all": joined}}) / "all"
    assert (again / "corpus" / "SHA256SUMS").read_text() == (built / "corpus" / "SHA256SUMS").read_text()
    assert list(tmp_path.rglob("PWNED")) == []
