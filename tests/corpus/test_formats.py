"""Output formats: what a config may name, and a format that a package or a user adds."""

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support import plugin_packages
from support.batch_fixture import Page, write_batch

from corpusprep.commands.corpus import command
from corpusprep.config.settings import load_schema, output_formats, resolve
from corpusprep.corpus import formats
from corpusprep.errors import ConfigError
from corpusprep.io.files import zstd_chunks

ADDED = '''
"""Writes the addresses of the corpus: one per line."""

from contextlib import contextmanager

from corpusprep.corpus.formats.interface import OutputFormat
from corpusprep.io.files import zstd_writer


@contextmanager
def writer(path):
    """Writes addresses into a compressed file."""
    with zstd_writer(path) as stream:

        def write(document):
            stream.write((document.values["url"] + "\\n").encode())

        yield write


FORMAT = OutputFormat("addresses", "urls.zst", "Addresses, compressed: one per line.", writer)
'''
CLASS = """

class Addresses(OutputFormat):
    def __init__(self):
        super().__init__("", FORMAT.suffix, "", writer)
"""


def test_formats_by_name() -> None:
    """The formats with their files' suffixes; the schema knows the same, and by default all of these are written."""
    known = formats.output_formats()
    suffixes = {name: one.suffix for name, one in known.items()}
    assert suffixes == {
        "conllu": "conllu.zst",
        "jsonl": "jsonl.zst",
        "parquet": "parquet",
        "tei": "tei.xml.zst",
        "text": "txt.zst",
        "vertical": "vert.zst",
    }
    whole = {name: one.files for name, one in formats.corpus_formats().items()}
    assert whole == {
        "blacklab": ("corpusprep.blf.yaml", "blacklab.sh"),
        "card": ("README.md",),
        "cqpweb": ("cqpweb.sh", "cqpweb-metadata.tsv", "cqpweb-columns.tsv"),
        "cwb": ("cwb.sh",),
        "frequencies": ("frequencies.tsv",),
        "sketch": ("registry", "pipe.sh"),
    }
    schema = load_schema()
    assert schema["properties"]["corpus"]["properties"]["formats"]["items"]["anyOf"][0]["enum"] == sorted(
        [*known, *whole]
    )
    assert output_formats({}, schema) == ["vertical", "jsonl", "parquet"]
    assert output_formats({"corpus": {"formats": ["jsonl", "jsonl"]}}, schema) == ["jsonl"]


def written(tmp_path: Path, *arguments: str) -> bytes:
    """What `corpusprep step corpus` with these arguments writes into the file of the added format."""
    files = write_batch(tmp_path, [Page(), Page(language="rival_language"), Page(url="http://b.example/")])
    given = [str(tmp_path), "--batch", "b00000", *arguments]
    done = CliRunner().invoke(command, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return b"".join(zstd_chunks(files.corpus_vertical.with_name("b00000.urls.zst")))


def config_of(name: str) -> dict[str, Any]:
    """A config with an output format."""
    return {"corpora": {"a": {"archives": ["a.warc"], "language": "en"}}, "corpus": {"formats": [name]}}


def test_a_format_of_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point adds a format: to the config, to the command line, and to what is written."""
    folder = tmp_path / "packages"
    folder.mkdir()
    plugin_packages.install(folder, "of_addresses", ADDED, {"corpusprep.formats": {"addresses": "FORMAT"}})
    plugin_packages.use(folder, monkeypatch)
    corpus = resolve(config_of("addresses"), load_schema(), tmp_path)["a"]
    assert (corpus.sections["corpus"]["formats"], "code" in corpus.sections["corpus"]) == (["addresses"], False)
    assert written(tmp_path, "--formats", "addresses") == b"http://a.example/\nhttp://b.example/\n"


@pytest.mark.parametrize("name", ["FORMAT", "Addresses"])
def test_a_format_beside_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A file of a user's own has the format, or a class of which one is made."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    module = f"their_{name.lower()}"
    (tmp_path / f"{module}.py").write_text(ADDED + CLASS, encoding="utf-8")
    corpus = resolve(config_of(f"{module}:{name}"), load_schema(), tmp_path)["a"]
    assert Path(corpus.sections["corpus"]["code"]).resolve() == tmp_path
    arguments = "--formats", f"{module}:{name}", "--code", str(tmp_path)
    assert written(tmp_path, *arguments) == b"http://a.example/\nhttp://b.example/\n"


def test_mistakes_in_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A config with them is refused, and so is the option of a command."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "their_mistakes.py").write_text(ADDED.replace("urls.zst", "vert.zst") + "\nNONE = None\n")
    for name, message in (
        ("vertcal", "corpus.formats.* is 'vertcal'; did you mean vertical"),
        ("their_mistakes:NONE", "corpus.formats: their_mistakes:NONE: it is neither an OutputFormat nor"),
        ("their_mistakes:FORMAT", "corpus.formats: their_mistakes:FORMAT and vertical write files of the same name"),
        ("their_other:FORMAT", "corpus.formats: their_other:FORMAT: there is no module their_other"),
    ):
        with pytest.raises(ConfigError, match=message):
            resolve(config_of(name), load_schema(), tmp_path)
    done = CliRunner().invoke(command, [str(tmp_path), "--batch", "b00000", "--formats", "vertcal"])
    assert "output format 'vertcal' is unknown; did you mean vertical?" in done.output
