"""Output formats: what a config may name, and a format that is added as a module and nothing else."""

import importlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.batch_fixture import Page, write_batch

from corpusprep.commands import corpus
from corpusprep.config.settings import load_schema, output_formats
from corpusprep.corpus import formats
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
        "card": ("README.md",),
        "cwb": ("cwb.sh",),
        "frequencies": ("frequencies.tsv",),
        "sketch": ("registry", "pipe.sh"),
    }
    schema = load_schema()
    assert schema["properties"]["corpus"]["properties"]["formats"]["items"]["enum"] == sorted([*known, *whole])
    assert output_formats({}, schema) == ["vertical", "jsonl", "parquet"]
    assert output_formats({"corpus": {"formats": ["jsonl", "jsonl"]}}, schema) == ["jsonl"]


def test_a_format_is_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the package adds a format: to the schema, to the command line, and to what is written."""
    added = tmp_path / "added"
    added.mkdir()
    (added / "added_addresses.py").write_text(ADDED, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(formats, "__path__", [*formats.__path__, str(added)])
        assert "addresses" in load_schema()["properties"]["corpus"]["properties"]["formats"]["items"]["enum"]
        files = write_batch(tmp_path, [Page(), Page(language="rival_language"), Page(url="http://b.example/")])
        arguments = [str(tmp_path), "--batch", "b00000", "--formats", "addresses"]
        command = importlib.reload(corpus).command
        assert CliRunner().invoke(command, arguments, catch_exceptions=False).exit_code == 0
    importlib.reload(corpus)
    assert (
        b"".join(zstd_chunks(files.corpus_vertical.with_name("b00000.urls.zst")))
        == b"http://a.example/\nhttp://b.example/\n"
    )
